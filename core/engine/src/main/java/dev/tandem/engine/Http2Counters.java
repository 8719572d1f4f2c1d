package dev.tandem.engine;

import dev.tandem.http.h2.DefenceLedger;
import dev.tandem.http.h2.ErrorCode;
import dev.tandem.net.NanoClock;
import dev.tandem.net.RateLimitedLog;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/// What a server counts of its HTTP/2 connections. Safe for use by any thread.
public final class Http2Counters {

    /// How a stream has ended.
    public enum Result {
        /// Its response was sent to its end.
        COMPLETED,
        /// The client has reset it, or its connection has closed.
        CANCELLED,
        /// It was refused before it started: the client can repeat it.
        REFUSED,
        /// This server has reset it, for an error of the client or of its handler.
        RESET
    }

    private final LongAdder connections = new LongAdder();
    private final LongAdder openConnections = new LongAdder();
    private final LongAdder openStreams = new LongAdder();
    private final LongAdder[] streams = adders(Result.values().length);
    private final LongAdder[] goAways = adders(ErrorCode.values().length);
    private final LongAdder[] costs = adders(DefenceLedger.Cost.values().length);
    private final RateLimitedLog floods =
            new RateLimitedLog(NanoClock.SYSTEM, line -> Log.LOG.log(Level.WARNING, line));

    private static LongAdder[] adders(int count) {
        return Stream.generate(LongAdder::new).limit(count).toArray(LongAdder[]::new);
    }

    public void connectionOpened() {
        connections.increment();
        openConnections.increment();
    }

    /// @param ledger what it has cost
    public void connectionClosed(DefenceLedger ledger) {
        openConnections.decrement();
        for (DefenceLedger.Cost cost : DefenceLedger.Cost.values()) {
            long charged = ledger.charged(cost);
            if (charged > 0) {
                costs[cost.ordinal()].add(charged);
            }
        }
    }

    public void streamOpened() {
        openStreams.increment();
    }

    public void streamClosed(Result result) {
        openStreams.decrement();
        streams[result.ordinal()].increment();
    }

    /// Counts a GOAWAY frame.
    public void goAway(ErrorCode code) {
        goAways[code.ordinal()].increment();
    }

    /// Logs that a connection is closed because its client costs more than it uses.
    public void flood(Object client, String cause) {
        floods.log(
                "closed an HTTP/2 connection of "
                        + client
                        + " that costs more than it uses: "
                        + cause);
    }

    /// Returns how many connections there were.
    public long connections() {
        return connections.sum();
    }

    public long openConnections() {
        return openConnections.sum();
    }

    public long openStreams() {
        return openStreams.sum();
    }

    public long streams(Result result) {
        return streams[result.ordinal()].sum();
    }

    public long goAways(ErrorCode code) {
        return goAways[code.ordinal()].sum();
    }

    /// Returns what closed connections were charged, in units of [DefenceLedger].
    public long charged(DefenceLedger.Cost cost) {
        return costs[cost.ordinal()].sum();
    }
}
