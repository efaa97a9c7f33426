package org.taproof.agent;

import android.graphics.Rect;
import android.os.Bundle;
import android.view.accessibility.AccessibilityNodeInfo;
import java.util.ArrayList;
import java.util.List;

/** A node of a layout, as an app would report it. */
class FakeNode extends AccessibilityNodeInfo {
    final List<FakeNode> children = new ArrayList<FakeNode>();
    String className = "android.view.View";
    String text;
    int[] bounds = {0, 0, 100, 100};
    boolean visible = true;
    boolean editable;
    String hint;
    RangeInfo range;

    FakeNode with(FakeNode... nodes) {
        for (FakeNode node : nodes) {
            children.add(node);
        }
        return this;
    }

    FakeNode at(int left, int top, int right, int bottom) {
        bounds = new int[] {left, top, right, bottom};
        return this;
    }

    static FakeNode field(String text) {
        FakeNode field = new FakeNode();
        field.className = "android.widget.EditText";
        field.editable = true;
        field.text = text;
        return field;
    }

    @Override
    public int getChildCount() {
        return children.size();
    }

    @Override
    public AccessibilityNodeInfo getChild(int index) {
        return children.get(index);
    }

    @Override
    public void getBoundsInScreen(Rect rect) {
        rect.left = bounds[0];
        rect.top = bounds[1];
        rect.right = bounds[2];
        rect.bottom = bounds[3];
    }

    @Override
    public CharSequence getClassName() {
        return className;
    }

    @Override
    public CharSequence getText() {
        return text;
    }

    @Override
    public CharSequence getHintText() {
        return hint;
    }

    @Override
    public int getDrawingOrder() {
        return 4;
    }

    @Override
    public RangeInfo getRangeInfo() {
        return range;
    }

    @Override
    public boolean isVisibleToUser() {
        return visible;
    }

    @Override
    public boolean isEditable() {
        return editable;
    }

    @Override
    public boolean performAction(int action, Bundle arguments) {
        return false;
    }
}
