package dev.tandem.load;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/// The counts of one of the generator's threads. Confined to that thread; other threads read them
/// after it has ended.
final class Tally {
    /// The maximum number of pages with figures of their own; calls of further ones are counted as
    /// [#OTHERS].
    static final int PAGES_MAX = 500;

    static final String OTHERS = "others";

    /// Sessions with so many responses and more are counted together.
    static final int LENGTHS_MAX = 1_000;

    private static final int STATUSES = 600;

    long connectionsBegun;
    long connectionsOpened;
    long connectionsClosedIdle;
    long connectionsUsed;
    long connectionsReplies;
    final Moments connect = new Moments(true);
    final Moments lives = new Moments(true);

    /// The time of all HTTP/1 connections in each [Phase].
    final long[] phaseNanos = new long[Phase.values().length];

    long handshakesFull;
    long handshakesResumed;
    long handshakesFailed;
    final Moments handshakes = new Moments(true);

    long requests;
    long retries;
    long requestBytes;

    long http2Refused;
    long http2Reset;
    long http2GoAways;
    long http2Errors;
    long http2Repeated;

    final long[] statuses = new long[STATUSES];
    long replies;
    long headBytes;
    long contentBytes;
    long footerBytes;
    final Moments responses = new Moments(false);
    final Moments transfers = new Moments(false);
    final Histogram measured = Times.fine();
    final Histogram corrected = Times.fine();

    long sessionsBegun;
    long sessionsUnfinished;
    long sessionConnections;
    final Moments completed = new Moments(false);
    final Moments failed = new Moments(false);
    final long[] lengths = new long[LENGTHS_MAX + 1];

    long errorCount;
    final Map<Outcome, Long> errors = new EnumMap<>(Outcome.class);
    final Map<String, PageTally> pages = new HashMap<>();
    final Histogram lags = Times.coarse();
    long waitedNanos;
    long wallNanos;

    /// The counts of a page.
    static final class PageTally {
        long replies;
        long errors;
        final Histogram measured = Times.coarse();

        private void add(PageTally other) {
            replies += other.replies;
            errors += other.errors;
            measured.add(other.measured);
        }
    }

    private PageTally page(String name) {
        PageTally page = pages.get(name);
        if (page == null) {
            page = pages.computeIfAbsent(named(name), _ -> new PageTally());
        }
        return page;
    }

    private String named(String page) {
        return pages.size() < PAGES_MAX ? page : OTHERS;
    }

    /// Counts a complete response, including one whose status counts as failure.
    ///
    /// @param heads bytes of its head, or of its frames without their content
    /// @param footers bytes of its trailers
    void replied(Reply reply, long heads, long footers, long correctedNanos) {
        replies++;
        connectionsReplies++;
        statuses[reply.status()]++;
        headBytes += heads;
        contentBytes += reply.length();
        footerBytes += footers;
        responses.add(reply.responseNanos());
        transfers.add(reply.transferNanos());
        Times.record(measured, reply.nanos());
        Times.record(corrected, correctedNanos);
        PageTally page = page(reply.call().page());
        page.replies++;
        Times.record(page.measured, reply.nanos());
    }

    void error(Outcome outcome) {
        errorCount++;
        errors.merge(outcome, 1L, Long::sum);
    }

    /// Counts a call that failed for good.
    void failed(Call call) {
        page(call.page()).errors++;
    }

    void sessionEnded(boolean isComplete, long nanos, int replies, int connections) {
        (isComplete ? completed : failed).add(nanos);
        sessionConnections += isComplete ? connections : 0;
        lengths[Math.min(replies, LENGTHS_MAX)]++;
    }

    void add(Tally o) {
        connectionsBegun += o.connectionsBegun;
        connectionsOpened += o.connectionsOpened;
        connectionsClosedIdle += o.connectionsClosedIdle;
        connectionsUsed += o.connectionsUsed;
        connectionsReplies += o.connectionsReplies;
        connect.add(o.connect);
        lives.add(o.lives);
        add(phaseNanos, o.phaseNanos);
        handshakesFull += o.handshakesFull;
        handshakesResumed += o.handshakesResumed;
        handshakesFailed += o.handshakesFailed;
        handshakes.add(o.handshakes);
        requests += o.requests;
        retries += o.retries;
        requestBytes += o.requestBytes;
        http2Refused += o.http2Refused;
        http2Reset += o.http2Reset;
        http2GoAways += o.http2GoAways;
        http2Errors += o.http2Errors;
        http2Repeated += o.http2Repeated;
        addReplies(o);
        sessionsBegun += o.sessionsBegun;
        sessionsUnfinished += o.sessionsUnfinished;
        sessionConnections += o.sessionConnections;
        completed.add(o.completed);
        failed.add(o.failed);
        add(lengths, o.lengths);
        o.errors.forEach((outcome, count) -> errors.merge(outcome, count, Long::sum));
        o.pages.forEach((name, page) -> page(name).add(page));
        lags.add(o.lags);
    }

    private void addReplies(Tally o) {
        add(statuses, o.statuses);
        replies += o.replies;
        headBytes += o.headBytes;
        contentBytes += o.contentBytes;
        footerBytes += o.footerBytes;
        responses.add(o.responses);
        transfers.add(o.transfers);
        measured.add(o.measured);
        corrected.add(o.corrected);
    }

    private static void add(long[] to, long[] from) {
        for (int i = 0; i < to.length; i++) {
            to[i] += from[i];
        }
    }

    Map<Integer, Long> statusCounts() {
        var counts = new TreeMap<Integer, Long>();
        for (int i = 0; i < STATUSES; i++) {
            if (statuses[i] > 0) {
                counts.put(i, statuses[i]);
            }
        }
        return counts;
    }
}
