package org.taproof.agent;

import android.graphics.Rect;
import android.view.accessibility.AccessibilityNodeInfo;
import java.util.List;

/** Reads layouts: the widgets that a {@code uiautomator dump} has, in its order, with more about each. */
final class Layouts {
    private static final float THOUSANDTHS = 1000;
    private static final Area NOTHING = new Area(0, 0, 0, 0);

    private final int sdk;
    private Area appArea;
    private List<Widget> widgets;

    Layouts(int sdk) {
        this.sdk = sdk;
    }

    /** Adds the widgets from the root of a window on. As in dumps, invisible ones are left out with all inside them. */
    void addTo(List<Widget> widgets, AccessibilityNodeInfo root, Area appArea) {
        this.widgets = widgets;
        this.appArea = appArea;
        add(root, 0);
    }

    private void add(AccessibilityNodeInfo node, int depth) {
        widgets.add(widget(node, depth));
        int count = depth < Screen.MOST_DEPTH ? node.getChildCount() : 0;
        for (int at = 0; at < count && widgets.size() < Screen.MOST_WIDGETS; at++) {
            // A child that was removed between two calls is null.
            AccessibilityNodeInfo child = node.getChild(at);
            if (child != null) {
                if (child.isVisibleToUser()) {
                    add(child, depth + 1);
                }
                child.recycle();
            }
        }
    }

    private Widget widget(AccessibilityNodeInfo node, int depth) {
        Widget widget = new Widget();
        widget.depth = depth;
        widget.flags = flags(node);
        widget.packageName = Automation.text(node.getPackageName());
        widget.className = Automation.text(node.getClassName());
        widget.id = Automation.text(node.getViewIdResourceName());
        widget.text = Automation.text(node.getText());
        widget.description = Automation.text(node.getContentDescription());
        widget.bounds = clipped(bounds(node));
        AccessibilityNodeInfo.RangeInfo range = node.getRangeInfo();
        if (range != null) {
            float[] values = {range.getMin(), range.getCurrent(), range.getMax()};
            widget.range = new int[values.length];
            for (int at = 0; at < values.length; at++) {
                widget.range[at] = Math.round(values[at] * THOUSANDTHS);
            }
        }
        AccessibilityNodeInfo.CollectionItemInfo cell = node.getCollectionItemInfo();
        if (cell != null) {
            widget.cell = new int[] {cell.getRowIndex(), cell.getColumnIndex()};
        }
        if (sdk >= 21) {
            widget.error = Automation.text(node.getError());
        }
        if (sdk >= 24) {
            widget.drawingOrder = node.getDrawingOrder();
        }
        if (sdk >= 26) {
            widget.hint = Automation.text(node.getHintText());
        }
        return widget;
    }

    private static Area bounds(AccessibilityNodeInfo node) {
        Rect rect = new Rect();
        node.getBoundsInScreen(rect);
        return new Area(rect.left, rect.top, rect.right, rect.bottom);
    }

    /** What a dump has of bounds outside of the screen: nothing since Android 7, before the bounds as they are. */
    private Area clipped(Area bounds) {
        Area inside = bounds.intersection(appArea);
        if (inside == null) {
            return sdk >= 24 ? NOTHING : bounds;
        }
        return inside;
    }

    private static int flags(AccessibilityNodeInfo node) {
        return (node.isCheckable() ? Widget.CHECKABLE : 0) | (node.isChecked() ? Widget.CHECKED : 0)
                | (node.isClickable() ? Widget.CLICKABLE : 0) | (node.isEnabled() ? Widget.ENABLED : 0)
                | (node.isFocusable() ? Widget.FOCUSABLE : 0) | (node.isFocused() ? Widget.FOCUSED : 0)
                | (node.isScrollable() ? Widget.SCROLLABLE : 0)
                | (node.isLongClickable() ? Widget.LONG_CLICKABLE : 0)
                | (node.isPassword() ? Widget.PASSWORD : 0) | (node.isSelected() ? Widget.SELECTED : 0)
                | (node.isEditable() ? Widget.EDITABLE : 0);
    }

    /** The deepest editable node at the point, or null. Of several, the one that is drawn last. */
    static AccessibilityNodeInfo fieldAt(AccessibilityNodeInfo node, int x, int y) {
        AccessibilityNodeInfo found = null;
        int count = node.getChildCount();
        for (int at = 0; at < count; at++) {
            AccessibilityNodeInfo child = node.getChild(at);
            AccessibilityNodeInfo inside = child == null || !child.isVisibleToUser() ? null : fieldAt(child, x, y);
            found = inside == null ? found : inside;
        }
        if (found != null || !isField(node)) {
            return found;
        }
        return bounds(node).contains(x, y) ? node : null;
    }

    /** Whether it is a field; web views of old devices mark theirs by the class alone. */
    private static boolean isField(AccessibilityNodeInfo node) {
        return node.isEditable() || Automation.text(node.getClassName()).endsWith("EditText");
    }
}
