package org.taproof.agent;

import android.app.UiAutomation;
import android.graphics.Rect;
import android.os.Build;
import android.view.accessibility.AccessibilityWindowInfo;

/** The windows on the screen, from API 21 on. Apart from the rest, since older devices lack the classes. */
final class WindowList {
    private WindowList() {
    }

    /** Adds the windows from the top to the bottom, and the area of the keyboard. */
    static void addTo(Screen screen, UiAutomation ui, int activeId) {
        Rect rect = new Rect();
        for (AccessibilityWindowInfo info : ui.getWindows()) {
            Screen.Window window = new Screen.Window();
            window.active = info.getId() == activeId;
            window.root = window.active ? 0 : -1;
            if (Build.VERSION.SDK_INT >= 24) {
                window.title = Automation.text(info.getTitle());
            }
            if (Build.VERSION.SDK_INT >= 33) {
                window.display = info.getDisplayId();
            }
            screen.windows.add(window);
            if (info.getType() == AccessibilityWindowInfo.TYPE_INPUT_METHOD) {
                info.getBoundsInScreen(rect);
                Area area = new Area(rect.left, rect.top, rect.right, rect.bottom);
                screen.keyboard = area.isEmpty() ? screen.keyboard : area;
            }
        }
    }
}
