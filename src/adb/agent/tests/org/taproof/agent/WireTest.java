package org.taproof.agent;

import static org.taproof.agent.Tests.contains;
import static org.taproof.agent.Tests.equal;
import static org.taproof.agent.Tests.hex;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Arrays;

final class WireTest {
    private WireTest() {
    }

    public static void aFrameIsLengthNumberChecksumAndBody() throws Exception {
        // The check value of CRC-32, and the bytes of the client's test.
        byte[] frame = Tests.bytes("00000009" + "00000007" + "cbf43926" + "313233343536373839");
        Frames frames = new Frames();
        byte[] body = frames.read(new DataInputStream(new ByteArrayInputStream(frame)));
        equal("123456789", new String(body, "UTF-8"));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        frames.write(new DataOutputStream(out), body);
        equal(hex(frame), hex(out.toByteArray()));
    }

    public static void framesThatBreakTheProtocolAreRefused() throws Exception {
        refused("00100001" + "00000001" + "00000000", "length of 1048577");
        refused("ffffffff" + "00000001" + "00000000", "length of 4294967295");
        refused("00000001" + "00000001" + "00000000" + "30", "checksum");
        refused("00000000" + "00000000" + "00000000", "used before");
    }

    private static void refused(String frame, String problem) throws IOException {
        try {
            new Frames().read(new DataInputStream(new ByteArrayInputStream(Tests.bytes(frame))));
            throw new AssertionError("read " + frame);
        } catch (WireException e) {
            contains(problem, e.getMessage());
        }
    }

    public static void textsAreReadAsTheyAreWritten() throws Exception {
        WireWriter out = new WireWriter();
        out.text("Gr\u00fc\u00dfe \ud83d\ude00");
        out.optionalText(null);
        out.optionalText("");
        WireReader in = new WireReader(out.finish());
        equal("Gr\u00fc\u00dfe \ud83d\ude00", in.text("text"));
        equal(null, in.optionalText("text"));
        equal("", in.optionalText("text"));
        in.finish();
    }

    public static void lengthsAreNotBelieved() throws Exception {
        unreadable("0000000561", "ends inside text");
        unreadable("0000", "ends inside text");
        unreadable("7fffffff", "at most 1048576");
        unreadable("ffffffff", "at most 1048576");
        unreadable("00000001ff", "expected UTF-8");
        try {
            new WireReader(new byte[3]).finish();
            throw new AssertionError();
        } catch (WireException e) {
            contains("3 bytes follow", e.getMessage());
        }
    }

    private static void unreadable(String body, String problem) {
        try {
            new WireReader(Tests.bytes(body)).text("text");
            throw new AssertionError("read " + body);
        } catch (WireException e) {
            contains(problem, e.getMessage());
        }
    }

    public static void aNameStandsInAMessageOnce() throws Exception {
        WireWriter out = new WireWriter();
        for (String name : new String[] {"ab", "", "c", "ab"}) {
            out.name(name);
        }
        equal("0001" + "00000002" + "6162" + "0000" + "0002" + "00000001" + "63" + "0001", hex(out.finish()));
    }

    public static void aFullTableOfNamesChangesNothing() throws Exception {
        WireWriter out = new WireWriter();
        for (int number = 0; number < 70000; number++) {
            out.name("n" + number);
        }
        out.name("n65533");
        out.name("n65534");
        byte[] bytes = out.finish();
        // The last name that was kept is referred to, the next one written again.
        String end = hex(Arrays.copyOfRange(bytes, bytes.length - 14, bytes.length));
        equal("fffe" + "ffff" + "00000006" + hex("n65534".getBytes("UTF-8")), end);
    }

    public static void aTextThatIsTooLongIsCutBetweenCharacters() throws Exception {
        StringBuilder text = new StringBuilder();
        while (text.length() < 400000) {
            text.append(text.length() == 0 ? "a" : "\ud83d\ude00");
        }
        WireWriter out = new WireWriter();
        out.text(text);
        String read = new WireReader(out.finish()).text("text");
        equal(true, read.length() > 300000);
        equal(true, Character.isLowSurrogate(read.charAt(read.length() - 1)));
    }

    public static void anActIsReadFromTheBytesOfTheClient() throws Exception {
        String body = "04" + "0000000a" + "fffffffe" + "00000002c3bc" + "00000064" + "00001388" + "ffffffff" + "01";
        WireReader in = new WireReader(Tests.bytes(body));
        Act act = Act.read(in);
        in.finish();
        equal(Act.Kind.SET_TEXT, act.kind);
        equal("10 -2 \u00fc", act.x + " " + act.y + " " + act.text);
        equal("100 5000 null true", act.quietMillis + " " + act.limitMillis + " " + act.logFrom + " " + act.pictureHash);
    }

    public static void everyKindOfActIsRead() throws Exception {
        String rest = "00000064" + "00001388" + "00000000" + "00";
        equal("", read("00" + rest).logFrom);
        Act touch = read("01" + "00000002" + "00000001000000020000000003e8" + "0000000300000004000001f401f4" + rest);
        equal(2, touch.path.length);
        equal("1 2 0 1000", point(touch.path[0]));
        equal("3 4 500 500", point(touch.path[1]));
        Act key = read("02" + "00000004" + "00000001" + rest);
        equal("4 1", key.code + " " + key.meta);
        equal("a", read("03" + "0000000161" + rest).text);
        equal(3, read("05" + "03" + rest).quarters);
        equal(1500L, read("06" + "000005dc" + rest).waitMillis);
        for (String wrong : new String[] {"07" + rest, "05" + "04" + rest, "01" + "7fffffff" + rest}) {
            try {
                read(wrong);
                throw new AssertionError("read " + wrong);
            } catch (WireException e) {
                // As expected.
            }
        }
    }

    private static Act read(String body) throws WireException {
        WireReader in = new WireReader(Tests.bytes(body));
        Act act = Act.read(in);
        in.finish();
        return act;
    }

    private static String point(Act.TouchPoint point) {
        return point.x + " " + point.y + " " + point.millis + " " + point.pressure;
    }

    /** The client's own test reads the same bytes. */
    public static void anAnswerHasTheBytesThatTheClientReads() throws Exception {
        Seen seen = new Seen();
        seen.quiet = Seen.Quiet.STILL_BUT_PASSING;
        seen.activity = "org.ex/.Main";
        seen.uptimeMillis = 1L << 40;
        seen.pictureHash = -1;
        seen.typed = new Seen.Typed(Seen.TypedBy.PASTE, "\u00fc");
        seen.announced.add(new Seen.Announced(true, "org.ex", "Saved"));
        seen.log = "E".getBytes("UTF-8");
        seen.screen.width = 800;
        seen.screen.height = 600;
        seen.screen.rotation = 1;
        seen.screen.keyboard = new Area(0, 300, 800, 600);
        Screen.Window behind = new Screen.Window();
        behind.title = "bar";
        seen.screen.windows.add(behind);
        seen.screen.ensureActiveWindow();
        Widget root = new Widget();
        root.className = "android.widget.FrameLayout";
        root.packageName = "org.ex";
        root.bounds = new Area(0, 0, 800, 552);
        Widget field = new Widget();
        field.depth = 1;
        field.flags = Widget.ENABLED | Widget.EDITABLE;
        field.packageName = "org.ex";
        field.className = "android.widget.EditText";
        field.id = "org.ex:id/name";
        field.text = "a";
        field.hint = "Name";
        field.error = "too short";
        field.drawingOrder = 3;
        field.range = new int[] {0, 500, 1000};
        field.cell = new int[] {2, 0};
        seen.screen.widgets.add(root);
        seen.screen.widgets.add(field);
        WireWriter out = new WireWriter();
        seen.write(out);
        String start = "ffffffff" + "01" + "0000000c6f72672e65782f2e4d61696e" + "0000010000000000"
                + "01000000000000012c0000032000000258" + "01ffffffff" + "01" + "02" + "00000002c3bc"
                + "00000001" + "01" + "000000066f72672e6578" + "000000055361766564" + "01" + "0000000145";
        String windows = "01" + "00000320" + "00000258" + "01" + "00000002" + "00000000" + "00000000" + "01"
                + "0100000000" + "00000000" + "00000003626172" + "00" + "00";
        String widgets = "00000002" + "0000" + "0000" + "0001" + "000000066f72672e6578" + "0002"
                + "0000001a616e64726f69642e7769646765742e4672616d654c61796f7574" + "0000"
                + "00000000000000000000032000000228" + "00"
                + "0001" + "1008" + "0001" + "0003" + "00000017616e64726f69642e7769646765742e4564697454657874"
                + "0004" + "0000000e6f72672e65783a69642f6e616d65" + "00000000000000000000000000000000" + "0d"
                + "0000000161" + "000000044e616d65" + "00000009746f6f2073686f7274" + "00000003"
                + "0100000000000001f4000003e8" + "010000000200000000";
        equal(start + windows + widgets, hex(out.finish()));
    }

    public static void anAnswerWithoutALayoutSaysWhy() throws Exception {
        Seen seen = new Seen();
        seen.refused = "no";
        seen.noLayout = "none";
        seen.screen.width = 8;
        seen.screen.height = 6;
        WireWriter out = new WireWriter();
        seen.write(out);
        equal("000000026e6f" + "03" + "ffffffff" + "0000000000000000" + "00" + "00" + "00" + "00000000" + "00" + "00"
                + "00000008" + "00000006" + "000000046e6f6e65", hex(out.finish()));
    }
}
