package org.taproof.agent;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** The answer to an {@link Act}. */
final class Seen {
    /** Whether the screen came to rest, in the order of the numbers in the protocol. */
    enum Quiet { STILL, STILL_BUT_PASSING, CHANGING, NOT_AWAITED }

    /** How a text was typed, in the order of the numbers in the protocol. */
    enum TypedBy { SET_TEXT, KEYS, PASTE, NOTHING }

    /** A typed text. */
    static final class Typed {
        final TypedBy by;
        /** What the focused field shows now, or null if no field has the focus. */
        final String shows;

        Typed(TypedBy by, String shows) {
            this.by = by;
            this.shows = shows;
        }
    }

    /** What an app announced without a change of its layout. */
    static final class Announced {
        final boolean toast;
        final String packageName;
        final String text;

        Announced(boolean toast, String packageName, String text) {
            this.toast = toast;
            this.packageName = packageName;
            this.text = text;
        }
    }

    /** Why the action could not be done, or null. */
    String refused;
    Quiet quiet = Quiet.NOT_AWAITED;
    /** The activity in front, or null. */
    String activity;
    long uptimeMillis;
    /** The checksum of the picture, or null. */
    Integer pictureHash;
    /** How a text was typed, or null. */
    Typed typed;
    List<Announced> announced = new ArrayList<Announced>();
    /** The log, or null. */
    byte[] log;
    /** The screen. Without a layout, only its size is read and {@link #noLayout} says why. */
    Screen screen = new Screen();
    /** Why there is no layout, or null. */
    String noLayout;

    void write(WireWriter out) throws IOException {
        out.optionalText(refused);
        out.u8(quiet.ordinal());
        out.optionalText(activity);
        out.u64(uptimeMillis);
        out.flag(screen.keyboard != null);
        if (screen.keyboard != null) {
            out.area(screen.keyboard);
        }
        out.flag(pictureHash != null);
        if (pictureHash != null) {
            out.i32(pictureHash);
        }
        out.flag(typed != null);
        if (typed != null) {
            out.u8(typed.by.ordinal());
            out.optionalText(typed.shows);
        }
        out.count(announced);
        for (Announced one : announced) {
            out.flag(one.toast);
            out.text(one.packageName);
            out.text(one.text);
        }
        out.flag(log != null);
        if (log != null) {
            out.blob(log);
        }
        out.flag(noLayout == null);
        if (noLayout == null) {
            screen.write(out);
        } else {
            out.i32(screen.width);
            out.i32(screen.height);
            out.text(noLayout);
        }
    }
}
