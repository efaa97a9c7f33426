package org.taproof.agent;

import java.io.IOException;
import java.util.Arrays;

/** A widget of a layout, with the attributes of a dump and more. */
final class Widget {
    static final int CHECKABLE = 1;
    static final int CHECKED = 1 << 1;
    static final int CLICKABLE = 1 << 2;
    static final int ENABLED = 1 << 3;
    static final int FOCUSABLE = 1 << 4;
    static final int FOCUSED = 1 << 5;
    static final int SCROLLABLE = 1 << 6;
    static final int LONG_CLICKABLE = 1 << 7;
    static final int PASSWORD = 1 << 8;
    static final int SELECTED = 1 << 9;
    static final int EDITABLE = 1 << 12;

    /** The depth in the tree; 0 for the root of a window. */
    int depth;
    int flags;
    String packageName = "";
    String className = "";
    String id = "";
    Area bounds = new Area(0, 0, 0, 0);
    String text = "";
    String description = "";
    String hint = "";
    /** The error that a field shows. */
    String error = "";
    int drawingOrder;
    /** Least, current and greatest value in thousandths, or null. */
    int[] range;
    /** Row and column in a list or grid, or null. */
    int[] cell;

    /** Whether it belongs to a message that goes away by itself. */
    boolean isPassing() {
        return id.endsWith(":id/snackbar_text") || id.endsWith(":id/snackbar_action")
                || className.contains("Snackbar");
    }

    void write(WireWriter out) throws IOException {
        out.u16(depth);
        out.u16(flags);
        out.name(packageName);
        out.name(className);
        out.name(id);
        out.area(bounds);
        boolean details = !error.isEmpty() || drawingOrder != 0 || range != null || cell != null;
        String[] texts = {text, description, hint};
        int mask = details ? 8 : 0;
        for (int at = 0; at < texts.length; at++) {
            mask |= texts[at].isEmpty() ? 0 : 1 << at;
        }
        out.u8(mask);
        for (String one : texts) {
            if (!one.isEmpty()) {
                out.text(one);
            }
        }
        if (details) {
            out.text(error);
            out.i32(drawingOrder);
            writeNumbers(out, range);
            writeNumbers(out, cell);
        }
    }

    private static void writeNumbers(WireWriter out, int[] numbers) throws IOException {
        out.flag(numbers != null);
        if (numbers != null) {
            for (int number : numbers) {
                out.i32(number);
            }
        }
    }

    /** Whether nothing about it differs. */
    boolean same(Widget other) {
        return depth == other.depth && flags == other.flags && drawingOrder == other.drawingOrder
                && packageName.equals(other.packageName) && className.equals(other.className) && id.equals(other.id)
                && bounds.equals(other.bounds) && text.equals(other.text) && description.equals(other.description)
                && hint.equals(other.hint) && error.equals(other.error) && Arrays.equals(range, other.range)
                && Arrays.equals(cell, other.cell);
    }
}
