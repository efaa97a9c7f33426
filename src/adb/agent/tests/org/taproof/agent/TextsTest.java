package org.taproof.agent;

import static org.taproof.agent.Tests.equal;

/** What is read from and given to programs of the device. */
final class TextsTest {
    private TextsTest() {
    }

    public static void theLogIsReadAsTheLevelAllows() {
        equal("[/system/bin/logcat, -d, -v, threadtime, -b, main, -b, system, -b, events, -t, 300, am_crash:I, "
                + "am_anr:I, AndroidRuntime:E, DEBUG:I, ActivityManager:E, *:S]",
                Log.command(19, "01-05 09:00:01.500").toString());
        equal("[/system/bin/logcat, -d, -v, threadtime, -b, crash, -b, system, -b, events, -T, 01-05 09:00:01.500, "
                + "am_crash:I, am_anr:I, AndroidRuntime:E, DEBUG:I, ActivityManager:E, *:S]",
                Log.command(21, "01-05 09:00:01.500").toString());
    }

    public static void onlyATimeReachesTheLog() throws Exception {
        for (String from : new String[] {"-h", "x", "$(id)", "1;2"}) {
            try {
                Log.since(from);
                throw new AssertionError("read from " + from);
            } catch (WireException e) {
                // As expected.
            }
        }
    }

    public static void theKeyboardIsTheBoxAroundItsParts() {
        String other = "  Window #1 Window{1 u0 StatusBar}:\n    touchable region=SkRegion((0,0,800,25))\n";
        String keyboard = "  Window #2 Window{2 u0 InputMethod}:\n    mTouchableInsets=3\n"
                + "    touchable region=SkRegion((0,1500,1080,1563)(40,1563,1000,2154))\n";
        equal(new Area(0, 1500, 1080, 2154), Keyboard.region(other + keyboard));
        equal(null, Keyboard.region(other));
        equal(null, Keyboard.region("Window{2 u0 InputMethod}:\n    touchable region=SkRegion()\n" + other));
        equal(null, Keyboard.region(""));
    }

    public static void aBusyConnectionIsToldFromAFailure() {
        Exception busy = new RuntimeException(new IllegalStateException("UiAutomationService x\nalready registered!"));
        equal("BUSY java.lang.IllegalStateException: UiAutomationService x already registered!", Main.problem(busy));
        equal("FAILED java.lang.SecurityException: denied", Main.problem(new SecurityException("denied")));
    }
}
