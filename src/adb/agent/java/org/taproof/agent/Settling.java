package org.taproof.agent;

/**
 * Waits for a still screen. Quiet is not idle: a busy app sends no events, but a reading of its layout waits for it. So
 * the screen counts as still once two readings, a quiet span apart, are equal.
 */
final class Settling {
    /** Where time, events and layouts come from. */
    interface Source {
        long now();

        /** Waits until nothing has changed for so long, counted from {@code since} at the earliest, or the deadline. */
        void awaitQuiet(long since, long quietMillis, long deadline) throws InterruptedException;

        /** Reads the layout. */
        Screen read() throws Exception;
    }

    /** The last reading, or why there is none. */
    Screen screen;
    Failure problem;
    Seen.Quiet quiet;

    /** Reads the screen, once it is still unless {@code limitMillis} is 0. */
    static Settling settle(Source source, long quietMillis, long limitMillis) throws Exception {
        Settling result = new Settling();
        if (limitMillis == 0) {
            result.read(source);
            result.quiet = Seen.Quiet.NOT_AWAITED;
            return result;
        }
        long deadline = source.now() + limitMillis;
        source.awaitQuiet(source.now(), quietMillis, deadline);
        long began = source.now();
        result.read(source);
        do {
            Screen before = result.screen;
            // Since the reading began, as a slow one is a part of the quiet span.
            source.awaitQuiet(began, quietMillis, deadline);
            began = source.now();
            result.read(source);
            result.quiet = likeness(before, result.screen);
        } while (result.quiet == Seen.Quiet.CHANGING && source.now() < deadline);
        return result;
    }

    /** A window that is just coming has no layout yet, which is no reason to stop. */
    private void read(Source source) throws Exception {
        try {
            screen = source.read();
            problem = null;
        } catch (Failure failure) {
            if (failure.kind != Failure.Kind.NO_LAYOUT) {
                throw failure;
            }
            screen = null;
            problem = failure;
        }
    }

    private static Seen.Quiet likeness(Screen before, Screen now) {
        if (before == null || now == null) {
            return Seen.Quiet.CHANGING;
        }
        switch (now.compare(before)) {
            case EQUAL:
                return Seen.Quiet.STILL;
            case EQUAL_BUT_PASSING:
                return Seen.Quiet.STILL_BUT_PASSING;
            default:
                return Seen.Quiet.CHANGING;
        }
    }
}
