package org.taproof.agent;

import java.io.IOException;

/** A message that cannot be read. */
final class WireException extends IOException {
    private static final long serialVersionUID = 1;

    WireException(String message) {
        super(message);
    }

    /** A value that the protocol does not know. */
    static WireException unexpected(String field, String expected, Object found) {
        return new WireException(field + " is " + found + ", expected " + expected);
    }
}
