package org.taproof.agent;

import android.os.Build;
import android.os.SystemClock;
import android.view.KeyCharacterMap;
import android.view.KeyEvent;
import android.view.accessibility.AccessibilityNodeInfo;

/** The device as what types on it sees it. */
final class TypingSource implements Typing.Source {
    private static final int VIRTUAL_KEYBOARD = -1;

    private final Automation automation;
    private final Touches touches;
    private final Clipboard clipboard;

    TypingSource(Automation automation, Touches touches, Clipboard clipboard) {
        this.automation = automation;
        this.touches = touches;
        this.clipboard = clipboard;
    }

    @Override
    public int sdk() {
        return Build.VERSION.SDK_INT;
    }

    @Override
    public AccessibilityNodeInfo focusedField() throws Exception {
        return automation.focusedField();
    }

    @Override
    public AccessibilityNodeInfo fieldAt(int x, int y) throws Exception {
        automation.clearCache();
        return Layouts.fieldAt(automation.root(), x, y);
    }

    @Override
    public boolean press(String text) {
        KeyEvent[] events = KeyCharacterMap.load(VIRTUAL_KEYBOARD).getEvents(text.toCharArray());
        return events != null && touches.keys(events);
    }

    @Override
    public boolean pressDelete() {
        return touches.key(KeyEvent.KEYCODE_DEL, 0);
    }

    @Override
    public String exchangeClipboard(String content) throws Exception {
        return clipboard.exchange(content);
    }

    @Override
    public long now() {
        return SystemClock.uptimeMillis();
    }

    @Override
    public void pause(long millis) throws InterruptedException {
        Thread.sleep(millis);
    }
}
