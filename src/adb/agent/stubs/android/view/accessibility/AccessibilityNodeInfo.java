package android.view.accessibility;

import android.graphics.Rect;
import android.os.Bundle;

public class AccessibilityNodeInfo {
    public static final int FOCUS_INPUT = 1;
    public static final int ACTION_FOCUS = 1;
    public static final int ACTION_PASTE = 0x8000;
    public static final int ACTION_CUT = 0x10000;
    public static final int ACTION_SET_SELECTION = 0x20000;
    public static final int ACTION_SET_TEXT = 0x200000;
    public static final String ACTION_ARGUMENT_SELECTION_START_INT = "ACTION_ARGUMENT_SELECTION_START_INT";
    public static final String ACTION_ARGUMENT_SELECTION_END_INT = "ACTION_ARGUMENT_SELECTION_END_INT";
    public static final String ACTION_ARGUMENT_SET_TEXT_CHARSEQUENCE = "ACTION_ARGUMENT_SET_TEXT_CHARSEQUENCE";

    public static class RangeInfo {
        public float getMin() { return 0; }
        public float getMax() { return 0; }
        public float getCurrent() { return 0; }
    }

    public static class CollectionItemInfo {
        public int getRowIndex() { return 0; }
        public int getColumnIndex() { return 0; }
    }

    public int getWindowId() { return 0; }
    public int getChildCount() { return 0; }
    public AccessibilityNodeInfo getChild(int index) { return null; }
    public AccessibilityNodeInfo findFocus(int focus) { return null; }
    public boolean performAction(int action) { return false; }
    public boolean performAction(int action, Bundle arguments) { return false; }
    public boolean refresh() { return false; }
    public void recycle() { }
    public void getBoundsInScreen(Rect bounds) { }
    public CharSequence getPackageName() { return null; }
    public CharSequence getClassName() { return null; }
    public CharSequence getText() { return null; }
    public CharSequence getContentDescription() { return null; }
    public CharSequence getError() { return null; }
    public CharSequence getHintText() { return null; }
    public String getViewIdResourceName() { return null; }
    public int getDrawingOrder() { return 0; }
    public int getInputType() { return 0; }
    public int getTextSelectionStart() { return -1; }
    public int getTextSelectionEnd() { return -1; }
    public RangeInfo getRangeInfo() { return null; }
    public CollectionItemInfo getCollectionItemInfo() { return null; }
    public boolean isCheckable() { return false; }
    public boolean isChecked() { return false; }
    public boolean isClickable() { return false; }
    public boolean isEditable() { return false; }
    public boolean isEnabled() { return false; }
    public boolean isFocusable() { return false; }
    public boolean isFocused() { return false; }
    public boolean isLongClickable() { return false; }
    public boolean isPassword() { return false; }
    public boolean isScrollable() { return false; }
    public boolean isSelected() { return false; }
    public boolean isShowingHintText() { return false; }
    public boolean isVisibleToUser() { return false; }
}
