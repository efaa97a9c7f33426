package org.taproof.agent;

import android.app.UiAutomation;
import android.os.SystemClock;
import android.view.InputDevice;
import android.view.KeyEvent;
import android.view.MotionEvent;

/** Injects touches and keys. */
final class Touches {
    /** The distance of two events of a moving finger, as a touch screen reports them. */
    private static final long STEP_MILLIS = 10;
    private static final float PRESSURES = 1000;

    private final UiAutomation ui;

    Touches(UiAutomation ui) {
        this.ui = ui;
    }

    /** A finger goes down at the first point, moves along the others and is lifted. Returns whether Android did it. */
    boolean touch(Act.TouchPoint[] path) throws InterruptedException {
        if (path.length == 0) {
            return true;
        }
        long start = SystemClock.uptimeMillis();
        Act.TouchPoint last = path[0];
        boolean down = inject(start, start, MotionEvent.ACTION_DOWN, last.x, last.y, last.pressure, true);
        for (int at = 1; at < path.length; at++) {
            move(start, last, path[at]);
            last = path[at];
        }
        sleepUntil(start + last.millis);
        long end = SystemClock.uptimeMillis();
        return inject(start, end, MotionEvent.ACTION_UP, last.x, last.y, 0, true) && down;
    }

    /** Moves from one point to the next, in steps between them. A finger that rests sends nothing. */
    private void move(long start, Act.TouchPoint from, Act.TouchPoint to) throws InterruptedException {
        if (from.x == to.x && from.y == to.y) {
            sleepUntil(start + to.millis);
            return;
        }
        long span = to.millis - from.millis;
        for (long at = STEP_MILLIS; at < span; at += STEP_MILLIS) {
            sleepUntil(start + from.millis + at);
            float part = (float) at / span;
            long now = SystemClock.uptimeMillis();
            // Where the device lags behind, events are left out rather than sent late.
            if (now < start + from.millis + at + STEP_MILLIS) {
                inject(start, now, MotionEvent.ACTION_MOVE, from.x + (to.x - from.x) * part,
                        from.y + (to.y - from.y) * part, to.pressure, false);
            }
        }
        sleepUntil(start + to.millis);
        inject(start, SystemClock.uptimeMillis(), MotionEvent.ACTION_MOVE, to.x, to.y, to.pressure, true);
    }

    private boolean inject(long start, long at, int action, float x, float y, int pressure, boolean wait) {
        MotionEvent event = MotionEvent.obtain(start, at, action, x, y, pressure / PRESSURES, 1, 0, 1, 1, 0, 0);
        event.setSource(InputDevice.SOURCE_TOUCHSCREEN);
        boolean done = ui.injectInputEvent(event, wait);
        event.recycle();
        return done;
    }

    private static void sleepUntil(long time) throws InterruptedException {
        long left = time - SystemClock.uptimeMillis();
        if (left > 0) {
            Thread.sleep(left);
        }
    }

    /** Presses a key. Returns whether Android did it. */
    boolean key(int code, int meta) {
        long start = SystemClock.uptimeMillis();
        boolean down = ui.injectInputEvent(key(start, start, KeyEvent.ACTION_DOWN, code, meta), true);
        long end = SystemClock.uptimeMillis();
        return ui.injectInputEvent(key(start, end, KeyEvent.ACTION_UP, code, meta), true) && down;
    }

    private static KeyEvent key(long start, long at, int action, int code, int meta) {
        int virtualKeyboard = -1;
        return new KeyEvent(start, at, action, code, 0, meta, virtualKeyboard, 0, 0, InputDevice.SOURCE_KEYBOARD);
    }

    /** Injects events of a key map, whose times are not now: Android drops what is old. */
    boolean keys(KeyEvent[] events) {
        boolean done = true;
        for (KeyEvent event : events) {
            done &= ui.injectInputEvent(KeyEvent.changeTimeRepeat(event, SystemClock.uptimeMillis(), 0), true);
        }
        return done;
    }
}
