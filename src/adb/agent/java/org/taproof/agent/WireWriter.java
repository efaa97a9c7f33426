package org.taproof.agent;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/** Writes the body of a message. */
final class WireWriter {
    /** The length of a text that is absent. */
    static final long NONE = 0xffffffffL;
    /** The number of a name that is not kept, since the table of names is full. */
    private static final int NOT_KEPT = 0xffff;
    /** So many characters fit into the longest text, whatever they are. */
    private static final int MOST_CHARS = WireReader.MOST_TEXT / 3;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(8192);
    private final DataOutputStream out = new DataOutputStream(bytes);
    private final Map<String, Integer> names = new HashMap<String, Integer>();

    byte[] finish() {
        return bytes.toByteArray();
    }

    void u8(int value) throws IOException {
        out.writeByte(value);
    }

    void flag(boolean value) throws IOException {
        out.writeByte(value ? 1 : 0);
    }

    void u16(int value) throws IOException {
        out.writeShort(value);
    }

    /** A signed number, or an unsigned one given by its bits. */
    void i32(int value) throws IOException {
        out.writeInt(value);
    }

    void u64(long value) throws IOException {
        out.writeLong(value);
    }

    void count(Collection<?> list) throws IOException {
        out.writeInt(list.size());
    }

    void text(CharSequence text) throws IOException {
        String whole = text == null ? "" : text.toString();
        blob(shortened(whole).getBytes("UTF-8"));
    }

    /** A text that may be null. */
    void optionalText(CharSequence text) throws IOException {
        if (text == null) {
            i32((int) NONE);
        } else {
            text(text);
        }
    }

    void blob(byte[] content) throws IOException {
        out.writeInt(content.length);
        out.write(content);
    }

    void area(Area area) throws IOException {
        i32(area.left);
        i32(area.top);
        i32(area.right);
        i32(area.bottom);
    }

    /** A name: 0 if it is empty, the number of an earlier one, or the next number and the name itself. */
    void name(String name) throws IOException {
        if (name.isEmpty()) {
            u16(0);
            return;
        }
        Integer known = names.get(name);
        if (known != null) {
            u16(known);
            return;
        }
        int next = names.size() + 1;
        if (next < NOT_KEPT) {
            names.put(name, next);
            u16(next);
        } else {
            u16(NOT_KEPT);
        }
        text(name);
    }

    /** The text, cut where it would exceed the limit; no pair of surrogates is cut apart. */
    private static String shortened(String text) {
        if (text.length() <= MOST_CHARS) {
            return text;
        }
        boolean apart = Character.isHighSurrogate(text.charAt(MOST_CHARS - 1));
        return text.substring(0, apart ? MOST_CHARS - 1 : MOST_CHARS);
    }
}
