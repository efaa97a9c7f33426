package org.taproof.agent;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The layout at one moment: the windows, and the widgets of the active one. */
final class Screen {
    /** Largest number of widgets, and their largest depth, that the protocol allows. */
    static final int MOST_WIDGETS = 100000;
    static final int MOST_DEPTH = 511;

    /** A window on the screen. */
    static final class Window {
        int display;
        String title = "";
        boolean active;
        /** The number of its first widget, or -1 if its widgets are not part of the layout. */
        int root = -1;

        boolean same(Window other) {
            return display == other.display && active == other.active && root == other.root
                    && title.equals(other.title);
        }
    }

    int width;
    int height;
    int rotation;
    final List<Window> windows = new ArrayList<Window>();
    final List<Widget> widgets = new ArrayList<Widget>();
    /** The area of the keyboard, or null if it is hidden. */
    Area keyboard;

    /** Adds the window whose widgets are read, unless it is among the windows that the device reported. */
    void ensureActiveWindow() {
        for (Window window : windows) {
            if (window.active) {
                return;
            }
        }
        Window window = new Window();
        window.active = true;
        window.root = 0;
        windows.add(0, window);
    }

    void write(WireWriter out) throws IOException {
        out.i32(width);
        out.i32(height);
        out.u8(rotation);
        out.count(windows);
        for (Window window : windows) {
            out.i32(window.display);
            out.text(window.title);
            out.flag(window.active);
            out.flag(window.root >= 0);
            if (window.root >= 0) {
                out.i32(window.root);
            }
        }
        out.count(widgets);
        for (Widget widget : widgets) {
            widget.write(out);
        }
    }

    /** How much of two readings is equal. */
    enum Likeness { EQUAL, EQUAL_BUT_PASSING, DIFFERENT }

    /** Compares two readings; those that are equal but contain a passing message are {@code EQUAL_BUT_PASSING}. */
    Likeness compare(Screen other) {
        boolean sizes = width == other.width && height == other.height && rotation == other.rotation;
        if (!sizes || !sameWindows(other)) {
            return Likeness.DIFFERENT;
        }
        List<Widget> lasting = lasting();
        if (!sameWidgets(lasting, other.lasting())) {
            return Likeness.DIFFERENT;
        }
        boolean nonePasses = lasting.size() == widgets.size() && sameWidgets(widgets, other.widgets);
        return nonePasses ? Likeness.EQUAL : Likeness.EQUAL_BUT_PASSING;
    }

    private boolean sameWindows(Screen other) {
        boolean same = windows.size() == other.windows.size()
                && (keyboard == null ? other.keyboard == null : keyboard.equals(other.keyboard));
        for (int at = 0; same && at < windows.size(); at++) {
            same = windows.get(at).same(other.windows.get(at));
        }
        return same;
    }

    private static boolean sameWidgets(List<Widget> one, List<Widget> other) {
        boolean same = one.size() == other.size();
        for (int at = 0; same && at < one.size(); at++) {
            same = one.get(at).same(other.get(at));
        }
        return same;
    }

    /** The widgets without those of passing messages, and without what contains nothing else. */
    private List<Widget> lasting() {
        int count = widgets.size();
        boolean[] passing = new boolean[count];
        // From the leaves to the roots: what follows a widget at a greater depth is inside of it.
        for (int at = count - 1; at >= 0; at--) {
            Widget widget = widgets.get(at);
            boolean inside = false;
            boolean all = true;
            for (int next = at + 1; next < count && widgets.get(next).depth > widget.depth; next++) {
                inside = true;
                all &= passing[next];
            }
            passing[at] = widget.isPassing() || inside && all;
        }
        List<Widget> lasting = new ArrayList<Widget>();
        int hidden = Integer.MAX_VALUE;
        for (int at = 0; at < count; at++) {
            int depth = widgets.get(at).depth;
            if (depth > hidden) {
                continue;
            }
            hidden = passing[at] ? depth : Integer.MAX_VALUE;
            if (!passing[at]) {
                lasting.add(widgets.get(at));
            }
        }
        return lasting;
    }
}
