package org.taproof.agent;

/** Decides when the agent has to end, by the streams that it serves. */
final class Streams {
    private final long idleLimitMillis;
    private long limitMillis;
    private int open;
    private int busy;
    private boolean over;
    private long last;

    /** For an agent that ends if no client comes within the one time, or no request within the other. */
    Streams(long now, long limitMillis, long idleLimitMillis) {
        this.limitMillis = limitMillis;
        this.idleLimitMillis = idleLimitMillis;
        last = now;
    }

    /** A client has greeted. */
    synchronized void opened() {
        open++;
        limitMillis = idleLimitMillis;
    }

    /** The stream of a client that had greeted is closed. The agent ends with the last of them. */
    synchronized void closed() {
        open--;
        over |= open == 0;
        notifyAll();
    }

    /** A client asked the agent to end, and has the answer. */
    synchronized void end() {
        over = true;
        notifyAll();
    }

    synchronized void requested() {
        busy++;
    }

    synchronized void answered(long now) {
        busy--;
        last = now;
    }

    /** For how long the agent has to stay at least, in milliseconds; 0 if it has to end. */
    synchronized long left(long now) {
        if (over) {
            return 0;
        }
        return busy > 0 ? limitMillis : Math.max(0, last + limitMillis - now);
    }

    /** Waits for this long, or until a stream is closed. */
    synchronized void await(long millis) throws InterruptedException {
        wait(millis);
    }
}
