package org.taproof.agent;

import android.os.Build;
import android.os.SystemClock;
import android.view.accessibility.AccessibilityNodeInfo;

/** The device that the agent runs on, with its screen. */
final class AndroidPhone extends ScreenlessPhone {
    /** Limit on a wait for a change before the picture is looked at anyway: drawing sends no events. */
    private static final long WATCH_MILLIS = 500;

    private final Automation automation;
    private final Touches touches;
    private final Typing typing;
    private final Pictures pictures;
    private final Lock lock;
    private final Keyboard keyboard = new Keyboard();
    private final Layouts layouts = new Layouts(Build.VERSION.SDK_INT);
    private volatile boolean closed;

    private AndroidPhone(Automation automation) {
        this.automation = automation;
        touches = new Touches(automation.ui);
        typing = new Typing(new TypingSource(automation, touches, clipboard));
        pictures = new Pictures(automation.ui);
        lock = new Lock(touches, settings);
    }

    static AndroidPhone connect() throws Exception {
        return new AndroidPhone(Automation.connect());
    }

    @Override
    void close() {
        closed = true;
        automation.close();
    }

    /** One event at a time: what one stream does must not be read as the effect of another. */
    @Override
    public synchronized Seen act(Act act) throws Exception {
        Seen seen = new Seen();
        perform(act, seen);
        Settling settled = Settling.settle(source, act.quietMillis, act.limitMillis);
        seen.quiet = settled.quiet;
        if (settled.screen == null) {
            seen.screen = emptyScreen();
            seen.noLayout = settled.problem.getMessage();
        } else {
            seen.screen = settled.screen;
        }
        seen.activity = Apps.front();
        seen.uptimeMillis = SystemClock.elapsedRealtime();
        if (act.pictureHash) {
            seen.pictureHash = pictureHash();
        }
        seen.log = act.logFrom == null ? null : Log.since(act.logFrom);
        seen.announced = automation.events.takeAnnounced();
        return seen;
    }

    private void perform(Act act, Seen seen) throws Exception {
        switch (act.kind) {
            case LOOK:
                break;
            case TOUCH:
                seen.refused = touches.touch(act.path) ? null : "Android refused the touch";
                break;
            case KEY:
                seen.refused = touches.key(act.code, act.meta) ? null : "Android refused the key";
                break;
            case TYPE:
                seen.typed = typing.type(act.text);
                break;
            case SET_TEXT:
                seen.typed = typing.setText(act.x, act.y, act.text);
                if (seen.typed == null) {
                    seen.refused = "there is no text field at " + act.x + "," + act.y;
                }
                break;
            case ROTATE:
                seen.refused = automation.ui.setRotation(act.quarters) ? null : "Android refused the rotation";
                break;
            case WAIT:
                Thread.sleep(act.waitMillis);
                break;
        }
    }

    private final Settling.Source source = new Settling.Source() {
        @Override
        public long now() {
            return SystemClock.uptimeMillis();
        }

        @Override
        public void awaitQuiet(long since, long quietMillis, long deadline) throws InterruptedException {
            automation.awaitQuiet(since, quietMillis, deadline);
        }

        @Override
        public Screen read() throws Exception {
            return readScreen();
        }
    };

    private Screen readScreen() throws Exception {
        automation.clearCache();
        Display display = Display.read();
        AccessibilityNodeInfo root = automation.root();
        Screen screen = sized(display);
        if (Build.VERSION.SDK_INT >= 21) {
            WindowList.addTo(screen, automation.ui, root.getWindowId());
        } else {
            screen.keyboard = keyboard.area();
        }
        screen.ensureActiveWindow();
        layouts.addTo(screen.widgets, root, display.dumped);
        automation.events.setFront(screen.widgets.get(0).packageName);
        root.recycle();
        return screen;
    }

    private static Screen emptyScreen() throws Exception {
        return sized(Display.read());
    }

    private static Screen sized(Display display) {
        Screen screen = new Screen();
        screen.width = display.width;
        screen.height = display.height;
        screen.rotation = display.rotation;
        return screen;
    }

    /** The checksum of the picture, or null where none can be taken. */
    private Integer pictureHash() {
        try {
            return pictures.hash();
        } catch (Exception e) {
            return null;
        }
    }

    @Override
    public byte[] picture(int quality, int width) throws Exception {
        return pictures.picture(quality, width);
    }

    @Override
    public int watch(int pictureHash, long limitMillis) throws Exception {
        long deadline = SystemClock.uptimeMillis() + limitMillis;
        while (true) {
            int now = pictures.hash();
            if (now != pictureHash) {
                return now;
            }
            long left = deadline - SystemClock.uptimeMillis();
            if (left <= 0 || closed) {
                return 0;
            }
            automation.events.awaitChange(Math.min(left, WATCH_MILLIS));
        }
    }

    @Override
    public Power wake() throws Exception {
        return lock.wake();
    }
}
