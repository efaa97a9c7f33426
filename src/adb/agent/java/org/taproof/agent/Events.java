package org.taproof.agent;

import java.util.ArrayList;
import java.util.List;

/** What accessibility events tell: when the screen changed last, and what was announced. */
final class Events {
    /** The types of events, as in {@code AccessibilityEvent}. */
    static final int TEXT_CHANGED = 0x10;
    static final int WINDOW_STATE_CHANGED = 0x20;
    static final int NOTIFICATION = 0x40;
    static final int CONTENT_CHANGED = 0x800;
    static final int SCROLLED = 0x1000;
    static final int WINDOWS_CHANGED = 0x400000;
    private static final int CHANGES =
            TEXT_CHANGED | WINDOW_STATE_CHANGED | CONTENT_CHANGED | SCROLLED | WINDOWS_CHANGED;

    /** The package of the status bar, whose clock changes without an effect on the page. */
    private static final String SYSTEM_UI = "com.android.systemui";
    private static final int MOST_ANNOUNCED = 100;

    private final List<Seen.Announced> announced = new ArrayList<Seen.Announced>();
    private long lastChange;
    private long changes;
    private String front = "";

    /** The package of the active window, in which every change counts. */
    synchronized void setFront(String packageName) {
        front = packageName;
    }

    synchronized void happened(int type, String packageName, String className, String text, long now) {
        if (type == NOTIFICATION) {
            announce(packageName, className, text);
        }
        boolean aside = SYSTEM_UI.equals(packageName) && !SYSTEM_UI.equals(front) && type != WINDOWS_CHANGED;
        if ((type & CHANGES) != 0 && !aside) {
            lastChange = now;
            changes++;
            notifyAll();
        }
    }

    private void announce(String packageName, String className, String text) {
        boolean toast = className.contains("Toast");
        if (!text.isEmpty() && announced.size() < MOST_ANNOUNCED) {
            announced.add(new Seen.Announced(toast, packageName, text));
        }
    }

    /** What was announced since the last call. */
    synchronized List<Seen.Announced> takeAnnounced() {
        List<Seen.Announced> taken = new ArrayList<Seen.Announced>(announced);
        announced.clear();
        return taken;
    }

    /** The number of changes so far. */
    synchronized long changes() {
        return changes;
    }

    /** How long to wait until nothing has changed for so long since {@code since}; 0 if that is so. */
    synchronized long untilQuiet(long since, long quietMillis, long now) {
        return Math.max(0, Math.max(lastChange, since) + quietMillis - now);
    }

    /** Waits until the next change, at most for this long. */
    synchronized void awaitChange(long millis) throws InterruptedException {
        if (millis > 0) {
            wait(millis);
        }
    }
}
