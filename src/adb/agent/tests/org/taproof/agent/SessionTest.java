package org.taproof.agent;

import static org.taproof.agent.Tests.bytes;
import static org.taproof.agent.Tests.contains;
import static org.taproof.agent.Tests.equal;
import static org.taproof.agent.Tests.hex;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;

final class SessionTest {
    private static final String HELLO = "010001";
    private static final String GREETING = "00" + "0001" + "00000013" + "000007d0" + "0000004d";
    private static final String P = "0000000170";

    private SessionTest() {
    }

    static final class Record implements Session.Listener {
        final StringBuilder events = new StringBuilder();

        @Override
        public void greeted() {
            events.append("greeted ");
        }

        @Override
        public void requested() {
            events.append("< ");
        }

        @Override
        public void answered() {
            events.append("> ");
        }

        @Override
        public void end() {
            events.append("end");
        }
    }

    private static String answer(FakePhone phone, String request) throws IOException {
        Session session = new Session(phone, new Record());
        equal(GREETING, hex(session.answer(bytes(HELLO))));
        return hex(session.answer(bytes(request)));
    }

    private static void check(String request, String asked, String answer) throws IOException {
        FakePhone phone = new FakePhone();
        equal("00" + answer, answer(phone, request));
        equal("[" + asked + "]", phone.asked.toString());
    }

    public static void eachRequestReachesThePhoneAndIsAnswered() throws Exception {
        WireWriter nothing = new WireWriter();
        new Seen().write(nothing);
        check("02" + "00" + "00000000" + "00000000" + "ffffffff" + "00", "act LOOK", hex(nothing.finish()));
        check("03" + "50" + "021c", "picture 80 540", "00000002" + "0102");
        String setting = "00000006676c6f62616c" + "0000000161";
        check("04" + "00000003" + setting + "00" + setting + "01" + "0000000130" + setting + "02",
                "global a false null, global a true 0, global a true null", "00000002" + "0000000131" + "ffffffff");
        check("05" + P, "stop p", "");
        check("06" + P, "clear p", "");
        check("07" + P, "start p", "");
        check("08" + P + "00000001" + "0000000161", "grant p [a]", "00000001" + "0000000161" + "000000026e6f");
        check("09" + "01" + "0030", "packages true 48", "00000001" + P + "0000000150" + "0000000131"
                + "000000000000000c" + "ffffffff" + "0100000141" + "00000001" + "0000000163" + "01" + "0100000001" + "09");
        check("0a" + "ffffffff", "clipboard null", "00000001" + "ffffffff");
        check("0a" + "00000000", "clipboard ", "00000001" + "ffffffff");
        check("0b", "wake", "010001");
        check("0c" + "00000001" + "00000002", "watch 1 2", "00000005");
        check("0d", "", "");
    }

    public static void aRequestThatCannotBeReadDoesNothing() throws Exception {
        FakePhone phone = new FakePhone();
        String[] wrong = {"63", "", "03" + "65" + "0000", "05", "05" + P + "00", "0b00", "04" + "00000001"};
        for (String request : wrong) {
            // Status 1, kind 5: a bad request.
            equal("0105", answer(phone, request).substring(0, 4));
        }
        equal("[]", phone.asked.toString());
        contains("is 99, expected 1 to 13", text(answer(phone, "63")));
    }

    public static void failuresAreToldByKind() throws Exception {
        FakePhone phone = new FakePhone();
        phone.problem = new SecurityException("denied");
        equal("0101", answer(phone, "05" + P).substring(0, 4));
        contains("java.lang.SecurityException: denied", text(answer(phone, "05" + P)));
        phone.problem = new Failure(Failure.Kind.MISSING, "gone");
        equal("0102" + "00000004676f6e65", answer(phone, "05" + P));
        phone.problem = new IllegalStateException("odd");
        equal("0100", answer(phone, "05" + P).substring(0, 4));
    }

    private static String text(String answer) throws IOException {
        return new String(bytes(answer), "UTF-8");
    }

    public static void aStreamIsServedUntilTheClientEndsTheAgent() throws Exception {
        Record record = new Record();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new Session(new FakePhone(), record).serve(input(HELLO, "63", "0d", "0b"), out);
        equal("< greeted > < > < > end", record.events.toString());
        contains(GREETING, hex(out.toByteArray()));
    }

    public static void aStreamThatBreaksTheProtocolIsGivenUp() throws Exception {
        FakePhone phone = new FakePhone();
        Record record = new Record();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Session session = new Session(phone, record);
        session.serve(input("0b", HELLO), out);
        contains("the greeting is missing", out.toString("UTF-8"));
        equal("< > ", record.events.toString());
        equal(false, session.hasGreeted());
        out.reset();
        new Session(phone, record).serve(input("010002", "0b"), out);
        contains("this agent speaks version 1, not 2", out.toString("UTF-8"));
        equal("[]", phone.asked.toString());
        try {
            new Session(phone, record).serve(new ByteArrayInputStream(bytes("000000")), out);
            throw new AssertionError("served a frame that is cut");
        } catch (EOFException e) {
            // As expected.
        }
    }

    private static ByteArrayInputStream input(String... requests) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(all);
        for (int at = 0; at < requests.length; at++) {
            byte[] body = bytes(requests[at]);
            out.writeInt(body.length);
            out.writeInt(at + 1);
            out.writeInt(Frames.checksum(body));
            out.write(body);
        }
        return new ByteArrayInputStream(all.toByteArray());
    }
}
