package org.taproof.agent;

import static org.taproof.agent.Tests.equal;

final class LockTest {
    private LockTest() {
    }

    public static void aDeviceThatWasNotSetUpShowsNoLockScreen() {
        equal(false, Lock.shows(false, "0"));
        equal(false, Lock.shows(false, null));
        equal(true, Lock.shows(false, "1"));
    }

    public static void aCodeIsAskedForInAnyCase() {
        equal(true, Lock.shows(true, "0"));
        equal(true, Lock.shows(true, "1"));
    }
}
