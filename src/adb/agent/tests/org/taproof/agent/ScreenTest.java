package org.taproof.agent;

import static org.taproof.agent.Tests.equal;

final class ScreenTest {
    private ScreenTest() {
    }

    /** A screen from lines such as {@code "  Button#id text"}, two blanks for each level. */
    static Screen screen(String... lines) {
        Screen screen = new Screen();
        for (String line : lines) {
            Widget widget = new Widget();
            String rest = line.trim();
            widget.depth = line.indexOf(rest) / 2;
            int space = rest.indexOf(' ');
            widget.text = space < 0 ? "" : rest.substring(space + 1);
            String name = space < 0 ? rest : rest.substring(0, space);
            int hash = name.indexOf('#');
            widget.className = hash < 0 ? name : name.substring(0, hash);
            widget.id = hash < 0 ? "" : "org.ex:id/" + name.substring(hash + 1);
            screen.widgets.add(widget);
        }
        screen.ensureActiveWindow();
        return screen;
    }

    private static void check(Screen.Likeness expected, Screen one, Screen other) {
        equal(expected, one.compare(other));
        equal(expected, other.compare(one));
    }

    public static void everyAttributeCounts() {
        String[] lines = {"Frame", "  Button#ok OK"};
        check(Screen.Likeness.EQUAL, screen(lines), screen(lines));
        check(Screen.Likeness.DIFFERENT, screen(lines), screen("Frame", "  Button#ok No"));
        check(Screen.Likeness.DIFFERENT, screen(lines), screen("Frame", "  Button#ok OK", "  Button"));
        Screen other = screen(lines);
        other.widgets.get(1).range = new int[] {0, 1, 2};
        check(Screen.Likeness.DIFFERENT, screen(lines), other);
        other = screen(lines);
        other.rotation = 1;
        check(Screen.Likeness.DIFFERENT, screen(lines), other);
        other = screen(lines);
        other.keyboard = new Area(0, 0, 1, 1);
        check(Screen.Likeness.DIFFERENT, screen(lines), other);
        other = screen(lines);
        other.windows.add(new Screen.Window());
        check(Screen.Likeness.DIFFERENT, screen(lines), other);
    }

    public static void aSnackbarIsToldApartFromThePage() {
        Screen page = screen("Frame", "  Button#ok OK");
        Screen with = screen("Frame", "  Button#ok OK", "  Frame", "    Text#snackbar_text Deleted",
                "    Button#snackbar_action Undo");
        check(Screen.Likeness.EQUAL_BUT_PASSING, page, with);
        check(Screen.Likeness.EQUAL_BUT_PASSING, with, with);
        // What else is in the same container is of the page.
        Screen other = screen("Frame", "  Button#ok OK", "  Frame", "    Text#snackbar_text Deleted", "    Text more");
        check(Screen.Likeness.DIFFERENT, page, other);
        check(Screen.Likeness.DIFFERENT, screen("Frame", "  Button#ok No"), with);
    }

    public static void theWindowWhoseWidgetsAreReadIsAlwaysListed() {
        Screen screen = screen("Frame");
        screen.ensureActiveWindow();
        equal(1, screen.windows.size());
        equal(0, screen.windows.get(0).root);
    }

    public static void areasAreCompared() {
        Area screen = new Area(0, 0, 800, 552);
        equal(new Area(0, 500, 800, 552), new Area(-5, 500, 900, 600).intersection(screen));
        equal(null, new Area(0, 600, 800, 700).intersection(screen));
        // Without a width, but inside.
        equal(new Area(3, 3, 3, 9), new Area(3, 3, 3, 9).intersection(screen));
        equal(new Area(-5, 1, 900, 600), new Area(0, 500, 900, 600).with(new Area(-5, 1, 2, 3)));
        equal("[1,2][3,4]", new Area(1, 2, 3, 4).toString());
    }
}
