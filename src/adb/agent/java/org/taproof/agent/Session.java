package org.taproof.agent;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/** The requests on one stream, and their answers. */
final class Session {
    static final int VERSION = 1;

    private static final int HELLO = 1;
    private static final int ACT = 2;
    private static final int PICTURE = 3;
    private static final int SETTINGS = 4;
    private static final int STOP = 5;
    private static final int CLEAR = 6;
    private static final int START = 7;
    private static final int GRANT = 8;
    private static final int PACKAGES = 9;
    private static final int CLIPBOARD = 10;
    private static final int WAKE = 11;
    private static final int WATCH = 12;
    private static final int END = 13;

    /** Who wants to know what happens on the stream. */
    interface Listener {
        /** A client of the same version has greeted. */
        void greeted();

        /** A request has come. */
        void requested();

        /** The request has been answered. */
        void answered();

        /** The client asked the agent to end, and has the answer. */
        void end();
    }

    private final Phone phone;
    private final Listener listener;
    private boolean greeted;
    private boolean over;
    private boolean ends;

    Session(Phone phone, Listener listener) {
        this.phone = phone;
        this.listener = listener;
    }

    boolean hasGreeted() {
        return greeted;
    }

    /** Serves the stream until the peer closes it, breaks the protocol or ends the agent. */
    void serve(InputStream input, OutputStream output) throws IOException {
        DataInputStream in = new DataInputStream(new BufferedInputStream(input, 8192));
        DataOutputStream out = new DataOutputStream(new BufferedOutputStream(output, 65536));
        Frames frames = new Frames();
        while (!over) {
            byte[] request = frames.read(in);
            listener.requested();
            try {
                byte[] answer = answer(request);
                if (answer.length > Frames.MOST_ANSWERED) {
                    answer = failed(Failure.Kind.OTHER, "the answer has " + answer.length + " bytes");
                }
                frames.write(out, answer);
            } finally {
                listener.answered();
            }
        }
        if (ends) {
            listener.end();
        }
    }

    /** The body of the answer to a request's body. */
    byte[] answer(byte[] request) throws IOException {
        try {
            WireWriter out = new WireWriter();
            out.u8(0);
            answer(new WireReader(request), out);
            return out.finish();
        } catch (WireException e) {
            return failed(Failure.Kind.BAD_REQUEST, e.getMessage());
        } catch (Throwable thrown) {
            // Whatever a device throws is told to the client; it ends neither the stream nor the agent.
            Failure failure = Failure.of(thrown);
            return failed(failure.kind, failure.getMessage());
        }
    }

    private static byte[] failed(Failure.Kind kind, String message) throws IOException {
        WireWriter out = new WireWriter();
        out.u8(1);
        out.u8(kind.ordinal());
        out.text(message);
        return out.finish();
    }

    private void answer(WireReader in, WireWriter out) throws Exception {
        int kind = in.u8("the kind of the request");
        if (kind == HELLO) {
            greet(in, out);
        } else if (!greeted) {
            over = true;
            throw new Failure(Failure.Kind.BAD_REQUEST, "the greeting is missing");
        } else if (kind >= STOP && kind <= GRANT) {
            manage(kind, in, out);
        } else {
            answer(kind, in, out);
        }
    }

    private void greet(WireReader in, WireWriter out) throws Exception {
        int version = in.u16("the version");
        in.finish();
        if (version != VERSION) {
            over = true;
            String problem = "this agent speaks version " + VERSION + ", not " + version;
            throw new Failure(Failure.Kind.VERSION, problem);
        }
        if (!greeted) {
            greeted = true;
            listener.greeted();
        }
        out.u16(VERSION);
        out.i32(phone.sdk());
        out.i32(phone.uid());
        out.i32(phone.pid());
    }

    private void answer(int kind, WireReader in, WireWriter out) throws Exception {
        switch (kind) {
            case ACT:
                Act act = Act.read(in);
                in.finish();
                phone.act(act).write(out);
                break;
            case PICTURE:
                picture(in, out);
                break;
            case SETTINGS:
                settings(in, out);
                break;
            case PACKAGES:
                packages(in, out);
                break;
            case CLIPBOARD:
                String content = in.optionalText("the content");
                in.finish();
                out.i32(1);
                out.optionalText(phone.clipboard(content));
                break;
            case WAKE:
                in.finish();
                Phone.Power power = phone.wake();
                out.flag(power.awake);
                out.flag(power.locked);
                out.flag(power.secure);
                break;
            case WATCH:
                int known = in.i32("the checksum");
                long limit = in.u32("the limit");
                in.finish();
                out.i32(phone.watch(known, limit));
                break;
            case END:
                in.finish();
                over = true;
                ends = true;
                break;
            default:
                throw WireException.unexpected("the kind of the request", "1 to 13", kind);
        }
    }

    /** Requests about one app. */
    private void manage(int kind, WireReader in, WireWriter out) throws Exception {
        String name = in.text(kind == START ? "the activity" : "the package");
        List<String> permissions = new ArrayList<String>();
        if (kind == GRANT) {
            permissions = in.texts("the permissions", "a permission");
        }
        in.finish();
        switch (kind) {
            case STOP:
                phone.stop(name);
                break;
            case CLEAR:
                phone.clear(name);
                break;
            case START:
                phone.start(name);
                break;
            default:
                List<String> refused = phone.grant(name, permissions);
                out.i32(refused.size() / 2);
                for (String text : refused) {
                    out.text(text);
                }
        }
    }

    private void picture(WireReader in, WireWriter out) throws Exception {
        int quality = in.u8("the quality");
        if (quality > 100) {
            throw WireException.unexpected("the quality", "0 to 100", quality);
        }
        int width = in.u16("the width");
        in.finish();
        out.blob(phone.picture(quality, width));
    }

    private void settings(WireReader in, WireWriter out) throws Exception {
        List<Phone.SettingRequest> requests = new ArrayList<Phone.SettingRequest>();
        for (int left = in.count("the settings"); left > 0; left--) {
            requests.add(Phone.SettingRequest.read(in));
        }
        in.finish();
        List<String> before = phone.settings(requests);
        out.count(before);
        for (String value : before) {
            out.optionalText(value);
        }
    }

    private void packages(WireReader in, WireWriter out) throws Exception {
        boolean thirdParty = in.flag("the selection");
        int side = in.u16("the side of the icons");
        in.finish();
        List<Phone.PackageEntry> packages = phone.packages(thirdParty, side);
        out.count(packages);
        for (Phone.PackageEntry entry : packages) {
            entry.write(out);
        }
    }
}
