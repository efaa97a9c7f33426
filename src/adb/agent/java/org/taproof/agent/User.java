package org.taproof.agent;

import android.os.Build;
import android.os.Process;

/** The user that the agent runs as. */
final class User {
    /** Its processes may read what all apps log. */
    private static final int LOG_GROUP = 1007;

    private User() {
    }

    /**
     * Makes an agent that was started as root the shell user where services know no package of root. To be called by the
     * first thread, and before anything else: each thread has its user, services see that of the first one, and a thread
     * takes that of the one that starts it.
     */
    static void becomeKnown() throws Exception {
        if (!isKnown(Process.myUid(), Build.VERSION.SDK_INT)) {
            // The groups that a shell has besides its own cannot be given, so this one takes the place of its own.
            check(Hidden.SET_GROUP.call(null, LOG_GROUP));
            check(Hidden.SET_USER.call(null, Process.SHELL_UID));
        }
    }

    /** Whether services know a package that belongs to the user. */
    static boolean isKnown(int uid, int sdk) {
        return uid != 0 || sdk >= 31;
    }

    private static void check(Object error) throws Failure {
        if (!error.equals(0)) {
            throw new Failure(Failure.Kind.OTHER, "cannot become the shell user: error " + error);
        }
    }
}
