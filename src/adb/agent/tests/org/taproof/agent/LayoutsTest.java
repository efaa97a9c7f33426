package org.taproof.agent;

import static org.taproof.agent.Tests.equal;

import android.view.accessibility.AccessibilityNodeInfo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

final class LayoutsTest {
    private static final Area SCREEN = new Area(0, 0, 800, 552);

    private LayoutsTest() {
    }

    private static List<Widget> read(int sdk, FakeNode root) {
        List<Widget> widgets = new ArrayList<Widget>();
        new Layouts(sdk).addTo(widgets, root, SCREEN);
        return widgets;
    }

    private static String shape(List<Widget> widgets) {
        StringBuilder shape = new StringBuilder();
        for (Widget widget : widgets) {
            shape.append(widget.depth).append(widget.text).append(widget.bounds).append(' ');
        }
        return shape.toString();
    }

    private static FakeNode named(String text) {
        FakeNode node = new FakeNode();
        node.text = text;
        return node;
    }

    public static void aLayoutHasTheNodesOfADump() {
        FakeNode hidden = named("hidden").with(named("inside"));
        hidden.visible = false;
        FakeNode root = named("root").at(-10, 0, 900, 600)
                .with(named("a").with(named("b").at(0, 500, 10, 700)), hidden, null, named("c").at(0, 600, 10, 700));
        // The root of a dump is not asked whether it is visible.
        root.visible = false;
        equal("0root[0,0][800,552] 1a[0,0][100,100] 2b[0,500][10,552] 1c[0,600][10,700] ", shape(read(19, root)));
        equal("0root[0,0][800,552] 1a[0,0][100,100] 2b[0,500][10,552] 1c[0,0][0,0] ", shape(read(24, root)));
    }

    public static void whatAnOlderAndroidLacksIsNotAskedFor() {
        FakeNode node = FakeNode.field("");
        node.hint = "Name";
        equal("", read(19, node).get(0).hint);
        equal(0, read(19, node).get(0).drawingOrder);
        equal("Name", read(26, node).get(0).hint);
        equal(4, read(26, node).get(0).drawingOrder);
        equal(Widget.EDITABLE, read(19, node).get(0).flags);
    }

    public static void aRangeIsInThousandths() {
        FakeNode node = new FakeNode();
        node.range = new AccessibilityNodeInfo.RangeInfo() {
            @Override
            public float getMax() {
                return 1;
            }

            @Override
            public float getCurrent() {
                return 0.25f;
            }
        };
        equal("[0, 250, 1000]", Arrays.toString(read(19, node).get(0).range));
    }

    public static void aLayoutHasTheDepthThatTheProtocolAllows() {
        FakeNode root = new FakeNode();
        FakeNode deepest = root;
        for (int depth = 0; depth < 600; depth++) {
            FakeNode child = new FakeNode();
            deepest.with(child);
            deepest = child;
        }
        equal(512, read(19, root).size());
    }

    public static void theFieldAtAPointIsTheOneDrawnLast() {
        FakeNode below = FakeNode.field("below").at(0, 0, 50, 50);
        FakeNode above = FakeNode.field("above").at(0, 0, 20, 20);
        FakeNode root = new FakeNode().with(new FakeNode().with(below), above);
        equal(above, Layouts.fieldAt(root, 10, 10));
        equal(below, Layouts.fieldAt(root, 30, 30));
        equal(null, Layouts.fieldAt(root, 90, 90));
        above.visible = false;
        equal(below, Layouts.fieldAt(root, 10, 10));
    }
}
