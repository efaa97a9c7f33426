package org.taproof.agent;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.util.ArrayList;
import java.util.List;

/** Reads the body of a message. No length in it is believed: what is read must be there. */
final class WireReader {
    static final int MOST_TEXT = 1 << 20;
    static final int MOST_ELEMENTS = 100000;

    private final ByteBuffer bytes;

    WireReader(byte[] body) {
        bytes = ByteBuffer.wrap(body);
    }

    /** Checks that the message was read to its end. */
    void finish() throws WireException {
        if (bytes.hasRemaining()) {
            throw new WireException(bytes.remaining() + " bytes follow the end of the message");
        }
    }

    private ByteBuffer need(int count, String field) throws WireException {
        if (bytes.remaining() < count) {
            throw new WireException("the message ends inside " + field);
        }
        return bytes;
    }

    int u8(String field) throws WireException {
        return need(1, field).get() & 0xff;
    }

    boolean flag(String field) throws WireException {
        int value = u8(field);
        if (value > 1) {
            throw WireException.unexpected(field, "0 or 1", value);
        }
        return value == 1;
    }

    int u16(String field) throws WireException {
        return need(2, field).getShort() & 0xffff;
    }

    int i32(String field) throws WireException {
        return need(4, field).getInt();
    }

    long u32(String field) throws WireException {
        return i32(field) & 0xffffffffL;
    }

    String text(String field) throws WireException {
        return utf8(u32(field), field);
    }

    /** A text, or null if there is none. */
    String optionalText(String field) throws WireException {
        long length = u32(field);
        return length == WireWriter.NONE ? null : utf8(length, field);
    }

    private String utf8(long length, String field) throws WireException {
        int count = limited(length, MOST_TEXT, field);
        ByteBuffer text = need(count, field).slice();
        text.limit(count);
        bytes.position(bytes.position() + count);
        try {
            return Charset.forName("UTF-8").newDecoder().decode(text).toString();
        } catch (CharacterCodingException e) {
            throw WireException.unexpected(field, "UTF-8", e.getMessage());
        }
    }

    /** The number of elements of a list. */
    int count(String field) throws WireException {
        return limited(u32(field), MOST_ELEMENTS, field);
    }

    List<String> texts(String list, String element) throws WireException {
        List<String> texts = new ArrayList<String>();
        for (int left = count(list); left > 0; left--) {
            texts.add(text(element));
        }
        return texts;
    }

    private static int limited(long found, int limit, String field) throws WireException {
        if (found > limit) {
            throw new WireException(field + " has a length of " + found + ", at most " + limit + " is accepted");
        }
        return (int) found;
    }
}
