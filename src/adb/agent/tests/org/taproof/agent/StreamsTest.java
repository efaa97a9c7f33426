package org.taproof.agent;

import static org.taproof.agent.Tests.equal;

final class StreamsTest {
    private StreamsTest() {
    }

    private static Streams streams() {
        return new Streams(1000, 60, 1800);
    }

    public static void anAgentThatNobodyGreetsEnds() {
        equal(60L, streams().left(1000));
        equal(0L, streams().left(1060));
    }

    public static void theAgentEndsWithItsLastStream() {
        Streams streams = streams();
        streams.opened();
        streams.opened();
        streams.closed();
        equal(true, streams.left(1100) > 0);
        streams.closed();
        equal(0L, streams.left(1100));
    }

    public static void theIdleTimeIsCountedFromTheLastAnswer() {
        Streams streams = streams();
        streams.opened();
        streams.requested();
        equal(true, streams.left(999999) > 0);
        streams.answered(2000);
        equal(1800L, streams.left(2000));
        equal(0L, streams.left(3800));
    }

    public static void aClientCanEndTheAgent() {
        Streams streams = streams();
        streams.opened();
        streams.requested();
        streams.end();
        equal(0L, streams.left(1001));
    }
}
