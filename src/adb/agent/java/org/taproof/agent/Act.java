package org.taproof.agent;

import java.util.ArrayList;
import java.util.List;

/** A request to do something, wait until the screen is still and read it. */
final class Act {
    /** The kinds of actions, in the order of their numbers in the protocol. */
    enum Kind { LOOK, TOUCH, KEY, TYPE, SET_TEXT, ROTATE, WAIT }

    /** A point on the path of a finger. */
    static final class TouchPoint {
        int x;
        int y;
        /** When the finger is there, in milliseconds since it went down. */
        long millis;
        /** In thousandths of a normal touch. */
        int pressure;
    }

    private static final Kind[] KINDS = Kind.values();

    Kind kind;
    /** Of a touch: the path. */
    TouchPoint[] path = {};
    /** Of a key: its code and the meta keys held down. */
    int code;
    int meta;
    /** Of a text: the text, and where the field is. */
    String text;
    int x;
    int y;
    /** Of a rotation: the quarter turns. */
    int quarters;
    /** Of a wait: its length. */
    long waitMillis;

    long quietMillis;
    long limitMillis;
    /** The time from which on the log is wanted; empty for now, null for no log. */
    String logFrom;
    boolean pictureHash;

    static Act read(WireReader in) throws WireException {
        Act act = new Act();
        int kind = in.u8("the kind of the action");
        if (kind >= KINDS.length) {
            throw WireException.unexpected("the kind of the action", "0 to 6", kind);
        }
        act.kind = KINDS[kind];
        act.readAction(in);
        act.quietMillis = in.u32("the quiet span");
        act.limitMillis = in.u32("the limit");
        act.logFrom = in.optionalText("the time of the log");
        act.pictureHash = in.flag("the wish for a checksum");
        return act;
    }

    private void readAction(WireReader in) throws WireException {
        switch (kind) {
            case LOOK:
                break;
            case TOUCH:
                readPath(in);
                break;
            case KEY:
                code = in.i32("the key");
                meta = in.i32("the meta keys");
                break;
            case TYPE:
                text = in.text("the text");
                break;
            case SET_TEXT:
                x = in.i32("the field");
                y = in.i32("the field");
                text = in.text("the text");
                break;
            case ROTATE:
                quarters = in.u8("the rotation");
                if (quarters > 3) {
                    throw WireException.unexpected("the rotation", "0 to 3", quarters);
                }
                break;
            case WAIT:
                waitMillis = in.u32("the wait");
                break;
        }
    }

    private void readPath(WireReader in) throws WireException {
        int count = in.count("the path");
        List<TouchPoint> points = new ArrayList<TouchPoint>();
        for (int left = count; left > 0; left--) {
            TouchPoint point = new TouchPoint();
            point.x = in.i32("a point");
            point.y = in.i32("a point");
            point.millis = in.u32("a time");
            point.pressure = in.u16("a pressure");
            points.add(point);
        }
        path = points.toArray(path);
    }
}
