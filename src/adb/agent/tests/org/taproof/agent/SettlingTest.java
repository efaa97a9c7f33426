package org.taproof.agent;

import static org.taproof.agent.Tests.equal;

import java.util.ArrayList;
import java.util.List;

final class SettlingTest {
    private SettlingTest() {
    }

    /** Screens one after the other, each reading of which takes 10 ms; null stands for none. */
    private static final class Script implements Settling.Source {
        final List<Screen> screens = new ArrayList<Screen>();
        long now = 1000;
        int reads;

        Script(String... texts) {
            for (String text : texts) {
                screens.add(text == null ? null : ScreenTest.screen("Frame", "  Text " + text));
            }
        }

        @Override
        public long now() {
            return now;
        }

        @Override
        public void awaitQuiet(long since, long quietMillis, long deadline) {
            now = Math.max(now, Math.min(since + quietMillis, deadline));
        }

        @Override
        public Screen read() throws Failure {
            now += 10;
            Screen screen = screens.get(Math.min(reads, screens.size() - 1));
            reads++;
            if (screen == null) {
                throw new Failure(Failure.Kind.NO_LAYOUT, "none yet");
            }
            return screen;
        }
    }

    private static void check(Seen.Quiet quiet, int reads, Script script, long limitMillis) throws Exception {
        Settling settled = Settling.settle(script, 100, limitMillis);
        equal(quiet, settled.quiet);
        equal(reads, script.reads);
    }

    public static void twoEqualReadingsEndTheWait() throws Exception {
        check(Seen.Quiet.STILL, 2, new Script("a"), 5000);
        check(Seen.Quiet.STILL, 4, new Script("a", "b", "c"), 5000);
        check(Seen.Quiet.STILL, 4, new Script(null, "a", "b"), 5000);
    }

    public static void aScreenThatNeverRestsIsReadUntilTheLimit() throws Exception {
        String[] texts = new String[100];
        for (int at = 0; at < texts.length; at++) {
            texts[at] = "number " + at;
        }
        check(Seen.Quiet.CHANGING, 10, new Script(texts), 1000);
    }

    public static void aWindowWithoutALayoutIsReportedWithTheReason() throws Exception {
        Settling settled = Settling.settle(new Script((String) null), 100, 300);
        equal(null, settled.screen);
        equal("none yet", settled.problem.getMessage());
        equal(Seen.Quiet.CHANGING, settled.quiet);
    }

    public static void withoutALimitTheScreenIsReadOnce() throws Exception {
        check(Seen.Quiet.NOT_AWAITED, 1, new Script("a", "b"), 0);
    }

    public static void aPassingMessageIsSaid() throws Exception {
        Script script = new Script("a");
        script.screens.clear();
        script.screens.add(ScreenTest.screen("Frame", "  Text a", "  Text#snackbar_text Deleted"));
        check(Seen.Quiet.STILL_BUT_PASSING, 2, script, 5000);
    }
}
