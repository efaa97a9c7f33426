package android.view.accessibility;

import java.util.List;

public class AccessibilityEvent {
    public static final int TYPES_ALL_MASK = -1;

    public int getEventType() { return 0; }
    public CharSequence getPackageName() { return null; }
    public CharSequence getClassName() { return null; }
    public List<CharSequence> getText() { return null; }
}
