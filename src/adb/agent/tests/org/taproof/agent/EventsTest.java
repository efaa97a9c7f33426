package org.taproof.agent;

import static org.taproof.agent.Tests.equal;

final class EventsTest {
    private static final int FOCUSED = 8;

    private EventsTest() {
    }

    public static void quietIsCountedFromTheLastChange() {
        Events events = new Events();
        equal(100L, events.untilQuiet(1000, 100, 1000));
        events.happened(Events.CONTENT_CHANGED, "org.ex", "android.view.View", "", 1050);
        equal(1L, events.changes());
        equal(100L, events.untilQuiet(1000, 100, 1050));
        equal(40L, events.untilQuiet(1000, 100, 1110));
        equal(0L, events.untilQuiet(1000, 100, 1150));
        events.happened(FOCUSED, "org.ex", "android.view.View", "", 1140);
        equal(0L, events.untilQuiet(1000, 100, 1150));
    }

    public static void theClockOfTheStatusBarIsNoChangeUnlessItIsInFront() {
        Events events = new Events();
        events.setFront("org.ex");
        events.happened(Events.CONTENT_CHANGED, "com.android.systemui", "android.widget.TextView", "", 1050);
        equal(0L, events.changes());
        events.happened(Events.WINDOWS_CHANGED, "com.android.systemui", "", "", 1060);
        equal(1L, events.changes());
        events.setFront("com.android.systemui");
        events.happened(Events.CONTENT_CHANGED, "com.android.systemui", "android.widget.TextView", "", 1070);
        equal(2L, events.changes());
    }

    public static void toastsAndNotificationsAreAnnouncedOnce() {
        Events events = new Events();
        events.happened(Events.NOTIFICATION, "org.ex", "android.widget.Toast$TN", "Saved", 1);
        events.happened(Events.NOTIFICATION, "org.ex", "android.app.Notification", "Done", 2);
        events.happened(Events.NOTIFICATION, "org.ex", "android.app.Notification", "", 3);
        StringBuilder announced = new StringBuilder();
        for (Seen.Announced one : events.takeAnnounced()) {
            announced.append(one.toast).append(' ').append(one.packageName).append(' ').append(one.text).append(';');
        }
        equal("true org.ex Saved;false org.ex Done;", announced.toString());
        equal(0, events.takeAnnounced().size());
        for (int number = 0; number < 1000; number++) {
            events.happened(Events.NOTIFICATION, "org.ex", "android.widget.Toast", "again", number);
        }
        equal(100, events.takeAnnounced().size());
    }
}
