package org.taproof.agent;

import static org.taproof.agent.Tests.equal;

final class UserTest {
    private UserTest() {
    }

    public static void rootHasAPackageSinceAndroid12() {
        equal(false, User.isKnown(0, 19));
        equal(false, User.isKnown(0, 30));
        equal(true, User.isKnown(0, 31));
        equal(true, User.isKnown(2000, 19));
    }

    public static void anAgentOfTheShellKeepsItsUser() throws Exception {
        // Fails if it looks for a way to change the user, which a plain machine does not have.
        User.becomeKnown();
        equal(2000, android.os.Process.myUid());
    }
}
