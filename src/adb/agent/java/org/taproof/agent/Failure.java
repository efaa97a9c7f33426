package org.taproof.agent;

/** Why a request could not be fulfilled. */
final class Failure extends Exception {
    private static final long serialVersionUID = 1;

    /** The kinds of failures, in the order of their numbers in the protocol. */
    enum Kind { OTHER, FORBIDDEN, MISSING, NO_LAYOUT, UNSUPPORTED, BAD_REQUEST, VERSION }

    final Kind kind;

    Failure(Kind kind, String message) {
        super(message);
        this.kind = kind;
    }

    /** The failure to report for what Android threw. */
    static Failure of(Throwable thrown) {
        if (thrown instanceof Failure) {
            return (Failure) thrown;
        }
        Kind kind = thrown instanceof SecurityException ? Kind.FORBIDDEN : Kind.OTHER;
        return new Failure(kind, thrown.toString());
    }
}
