package org.taproof.agent;

import android.accessibilityservice.AccessibilityServiceInfo;
import android.app.UiAutomation;
import android.os.Build;
import android.os.HandlerThread;
import android.os.SystemClock;
import android.view.accessibility.AccessibilityEvent;
import android.view.accessibility.AccessibilityNodeInfo;

/** The connection for UI automation. Android gives it to one program at a time. */
final class Automation {
    /** Flags of the service, as in {@code AccessibilityServiceInfo}. */
    private static final int NOT_IMPORTANT_VIEWS = 0x02;
    private static final int REPORT_VIEW_IDS = 0x10;
    private static final int INTERACTIVE_WINDOWS = 0x40;
    /** A window that is just coming has no root for a moment. */
    private static final long COMING_MILLIS = 100;
    private static final long PAUSE_MILLIS = 20;

    final UiAutomation ui;
    final Events events = new Events();

    private Automation(UiAutomation ui) {
        this.ui = ui;
    }

    /** Connects, or throws what Android says: that another program is "already registered". */
    static Automation connect() throws Exception {
        HandlerThread thread = new HandlerThread("automation");
        thread.start();
        Object connection = Hidden.NEW_CONNECTION.call(null);
        UiAutomation ui = (UiAutomation) Hidden.NEW_AUTOMATION.call(null, thread.getLooper(), connection);
        Hidden.CONNECT.call(ui);
        Automation automation = new Automation(ui);
        automation.configure();
        return automation;
    }

    private void configure() {
        AccessibilityServiceInfo info = ui.getServiceInfo();
        info.flags |= NOT_IMPORTANT_VIEWS | REPORT_VIEW_IDS;
        if (Build.VERSION.SDK_INT >= 21) {
            info.flags |= INTERACTIVE_WINDOWS;
        }
        info.eventTypes = AccessibilityEvent.TYPES_ALL_MASK;
        info.notificationTimeout = 0;
        ui.setServiceInfo(info);
        ui.setOnAccessibilityEventListener(new UiAutomation.OnAccessibilityEventListener() {
            @Override
            public void onAccessibilityEvent(AccessibilityEvent event) {
                events.happened(event.getEventType(), text(event.getPackageName()), text(event.getClassName()),
                        lines(event), SystemClock.uptimeMillis());
            }
        });
    }

    /** The texts of an announcement, one a line. Those of other events are not needed. */
    private static String lines(AccessibilityEvent event) {
        StringBuilder lines = new StringBuilder();
        if (event.getEventType() == Events.NOTIFICATION) {
            for (CharSequence text : event.getText()) {
                if (text != null) {
                    lines.append(lines.length() == 0 ? "" : "\n").append(text);
                }
            }
        }
        return lines.toString();
    }

    /** The text, or an empty one for null. */
    static String text(CharSequence text) {
        return text == null ? "" : text.toString();
    }

    /** Drops what is cached of the screen, so that the next reading asks the apps. */
    void clearCache() throws Exception {
        if (Hidden.CLEAR_AUTOMATION_CACHE.exists()) {
            Hidden.CLEAR_AUTOMATION_CACHE.call(ui);
        } else {
            Object client = Hidden.INTERACTION_CLIENT.call(null);
            Hidden.CLEAR_CACHE.call(client, Hidden.CONNECTION_ID.call(ui));
        }
    }

    /** The root of the active window. An app that does not answer takes Android's own limit of seconds each time. */
    AccessibilityNodeInfo root() throws Exception {
        long deadline = SystemClock.uptimeMillis() + COMING_MILLIS;
        AccessibilityNodeInfo root = ui.getRootInActiveWindow();
        while (root == null && SystemClock.uptimeMillis() < deadline) {
            Thread.sleep(PAUSE_MILLIS);
            root = ui.getRootInActiveWindow();
        }
        if (root == null) {
            throw new Failure(Failure.Kind.NO_LAYOUT, "the window in front has no layout");
        }
        return root;
    }

    /** The field that has the input focus, read anew, or null. */
    AccessibilityNodeInfo focusedField() throws Exception {
        clearCache();
        AccessibilityNodeInfo root = ui.getRootInActiveWindow();
        return root == null ? null : root.findFocus(AccessibilityNodeInfo.FOCUS_INPUT);
    }

    /** Waits until the screen has not changed for so long since {@code since}, or until the deadline. */
    void awaitQuiet(long since, long quietMillis, long deadline) throws InterruptedException {
        while (true) {
            long now = SystemClock.uptimeMillis();
            long left = Math.min(events.untilQuiet(since, quietMillis, now), deadline - now);
            if (left <= 0) {
                return;
            }
            events.awaitChange(left);
        }
    }

    /** Gives the connection back. Android then restores the rotation that it found when it gave it. */
    void close() {
        try {
            Hidden.DISCONNECT.call(ui);
        } catch (Exception e) {
            // Android takes the connection back when the process ends.
        }
    }
}
