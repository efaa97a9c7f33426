package android.view.accessibility;

import android.graphics.Rect;

public class AccessibilityWindowInfo {
    public static final int TYPE_INPUT_METHOD = 2;

    public int getId() { return 0; }
    public int getType() { return 0; }
    public int getDisplayId() { return 0; }
    public CharSequence getTitle() { return null; }
    public void getBoundsInScreen(Rect bounds) { }
}
