package org.taproof.agent;

import static org.taproof.agent.Tests.contains;
import static org.taproof.agent.Tests.equal;

final class MemberTest {
    private static final String HERE = "org.taproof.agent.MemberTest$Sample";

    private MemberTest() {
    }

    /** What a level of Android might have. */
    static final class Sample {
        private static int count = 1;
        private final String name;

        private Sample(String name) {
            this.name = name;
        }

        private String join(String one, int number, boolean flag, Object rest) {
            return name + one + number + flag + rest;
        }

        private static void refuse() {
            throw new SecurityException("denied");
        }
    }

    public static void theFirstVariantThatIsPresentIsUsed() throws Exception {
        Member create = new Member("create", "19- new " + HERE + "(String #0)");
        Object sample = create.call(null, "n");
        Member join = new Member("join",
                "30- " + HERE + ".join(String #0, int 0, int 0)",
                "25- org.taproof.Gone.join(String #0)",
                "19-24 " + HERE + ".join(String #0, int -1, boolean true, java.lang.Object null)",
                "19 " + HERE + ".join(String 'other', int 2, boolean false, java.lang.Object null)");
        equal("nx-1truenull", join.call(sample, "x"));
        equal(true, join.exists());
        Member literal = new Member("join", "19 " + HERE + ".join(String 'a', int 2, boolean false, java.lang.Object #0)");
        equal("na2falseend", literal.call(sample, "end"));
        Member shell = new Member("join", "19 " + HERE + ".join(String shell, int 2, boolean false, java.lang.Object #0)");
        contains("ncom.android.shell2", (String) shell.call(sample, "end"));
    }

    public static void fieldsAreReadAndWritten() throws Exception {
        Member count = new Member("count", "19- field " + HERE + ".count");
        equal(1, count.get(null));
        count.set(null, 3);
        equal(3, count.get(null));
    }

    public static void whatIsMissingIsSaid() throws Exception {
        Member gone = new Member("fly", "19- org.taproof.Gone.fly()", "18 field " + HERE + ".wings");
        equal(false, gone.exists());
        try {
            gone.call(null);
            throw new AssertionError();
        } catch (Failure e) {
            equal(Failure.Kind.UNSUPPORTED, e.kind);
            equal("this Android has no way to fly", e.getMessage());
        }
    }

    public static void whatIsThrownInsideComesOut() throws Exception {
        try {
            new Member("refuse", "19- " + HERE + ".refuse()").call(null);
            throw new AssertionError();
        } catch (SecurityException e) {
            equal("denied", e.getMessage());
        }
    }
}
