package org.taproof.agent;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;

/**
 * Runs the tests: each method of the classes below that is static, public and has no parameters. With {@code --serve} it
 * serves a fake phone on standard input and output instead.
 */
public final class Tests {
    private static final Class<?>[] CLASSES = {
        WireTest.class, SessionTest.class, ScreenTest.class, SettlingTest.class, EventsTest.class, StreamsTest.class,
        LayoutsTest.class, TypingTest.class, MemberTest.class, TextsTest.class, UserTest.class,
        LockTest.class,
    };

    private Tests() {
    }

    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0 && arguments[0].equals("--serve")) {
            new Session(new FakePhone(), new SessionTest.Record()).serve(System.in, System.out);
            return;
        }
        int passed = 0;
        int failed = 0;
        for (Class<?> tests : CLASSES) {
            for (Method test : tests.getDeclaredMethods()) {
                int modifiers = test.getModifiers();
                boolean isTest = Modifier.isPublic(modifiers) && Modifier.isStatic(modifiers);
                if (isTest && test.getParameterTypes().length == 0) {
                    if (passes(test)) {
                        passed++;
                    } else {
                        failed++;
                    }
                }
            }
        }
        System.out.println(passed + " passed, " + failed + " failed");
        System.exit(failed == 0 && passed > 0 ? 0 : 1);
    }

    private static boolean passes(Method test) throws Exception {
        test.setAccessible(true);
        try {
            test.invoke(null);
            return true;
        } catch (InvocationTargetException e) {
            System.out.println("FAILED " + test.getDeclaringClass().getSimpleName() + "." + test.getName());
            e.getCause().printStackTrace(System.out);
            return false;
        }
    }

    static void equal(Object expected, Object found) {
        if (expected == null ? found != null : !expected.equals(found)) {
            throw new AssertionError("expected " + expected + ", found " + found);
        }
    }

    static void contains(String part, String whole) {
        if (!whole.contains(part)) {
            throw new AssertionError("expected " + part + " in: " + whole);
        }
    }

    static String hex(byte[] bytes) {
        StringBuilder hex = new StringBuilder();
        for (byte one : bytes) {
            hex.append(String.format("%02x", one));
        }
        return hex.toString();
    }

    static byte[] bytes(String hex) {
        byte[] bytes = new byte[hex.length() / 2];
        for (int at = 0; at < bytes.length; at++) {
            bytes[at] = (byte) Integer.parseInt(hex.substring(2 * at, 2 * at + 2), 16);
        }
        return bytes;
    }
}
