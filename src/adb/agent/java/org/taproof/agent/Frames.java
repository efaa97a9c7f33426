package org.taproof.agent;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.zip.CRC32;

/** The frame around each message: length, number of the request and CRC-32 of the body, then the body. */
final class Frames {
    /** Largest length of a request's body. */
    static final int MOST_REQUESTED = 1 << 20;
    /** Largest length of an answer's body. */
    static final int MOST_ANSWERED = 64 << 20;

    private long last;

    /** The number of the request that was read last. */
    int number() {
        return (int) last;
    }

    /** Reads the next request's body. A frame that breaks the protocol ends the stream. */
    byte[] read(DataInputStream in) throws IOException {
        long length = in.readInt() & 0xffffffffL;
        long number = in.readInt() & 0xffffffffL;
        int checksum = in.readInt();
        if (length > MOST_REQUESTED) {
            throw new WireException("the frame has a length of " + length);
        }
        byte[] body = new byte[(int) length];
        in.readFully(body);
        if (checksum(body) != checksum) {
            throw new WireException("the body does not match its checksum");
        }
        if (number <= last) {
            throw new WireException("the number " + number + " was used before");
        }
        last = number;
        return body;
    }

    /** Writes the answer to the request that was read last. */
    void write(DataOutputStream out, byte[] body) throws IOException {
        out.writeInt(body.length);
        out.writeInt(number());
        out.writeInt(checksum(body));
        out.write(body);
        out.flush();
    }

    static int checksum(byte[] body) {
        CRC32 crc = new CRC32();
        crc.update(body, 0, body.length);
        return (int) crc.getValue();
    }
}
