package dev.tandem.config;

import dev.tandem.Options;
import dev.tandem.http.HeadLimits;
import java.util.ArrayList;
import java.util.List;

/// `[limits]`: keys of [Options].
final class LimitKeys {
    private static final List<Key<Options.Threads, ?>> THREADS =
            List.of(
                    new Key<>(
                            "loops",
                            ValueTypes.NUMBER,
                            "Event loops; half the processors. 1 to 16,384.",
                            Options.Threads::loops,
                            Options.Threads::withLoops),
                    new Key<>(
                            "workers_max",
                            ValueTypes.NUMBER,
                            "Maximum number of threads for blocking handlers. 1 to 65,536.",
                            Options.Threads::workersMax,
                            Options.Threads::withWorkersMax),
                    new Key<>(
                            "workers_min",
                            ValueTypes.NUMBER,
                            "Lower bound of the search for their number; 0: the"
                                    + " number of processors. 0 to 65,536.",
                            Options.Threads::workersMin,
                            Options.Threads::withWorkersMin),
                    new Key<>(
                            "workers_nice",
                            ValueTypes.NUMBER,
                            "Nice levels by which they run below event loops and the JVM's own"
                                    + " threads. 0 to 19.",
                            Options.Threads::workersNice,
                            Options.Threads::withWorkersNice));

    private static final List<Key<Options.Limits, ?>> LIMITS =
            List.of(
                    new Key<>(
                            "connections_max",
                            ValueTypes.NUMBER,
                            "Maximum number of open connections; beyond it, a new one"
                                    + " replaces the one that is idle longest.",
                            Options.Limits::connectionsMax,
                            Options.Limits::withConnectionsMax),
                    new Key<>(
                            "backlog",
                            ValueTypes.NUMBER,
                            "New connections queued by the kernel. 1 to 65,535.",
                            Options.Limits::backlog,
                            Options.Limits::withBacklog),
                    new Key<>(
                            "event_streams_max",
                            ValueTypes.NUMBER,
                            "Maximum number of event streams. 0 to 65,536.",
                            Options.Limits::eventStreamsMax,
                            Options.Limits::withEventStreamsMax),
                    new Key<>(
                            "body_max",
                            ValueTypes.SIZE,
                            "Maximum size of a request's body, in bytes.",
                            Options.Limits::bodyMax,
                            Options.Limits::withBodyMax));

    private static final List<Key<HeadLimits, ?>> HEADS =
            List.of(
                    new Key<>(
                            "request_line_max",
                            ValueTypes.SMALL_SIZE,
                            "Maximum length of a request line, in bytes. 16 to 65,536.",
                            HeadLimits::requestLineMax,
                            HeadLimits::withRequestLineMax),
                    new Key<>(
                            "head_max",
                            ValueTypes.SMALL_SIZE,
                            "Maximum size of a request's head, in bytes. 1,024 to 65,536.",
                            HeadLimits::headMax,
                            HeadLimits::withHeadMax),
                    new Key<>(
                            "headers_max",
                            ValueTypes.NUMBER,
                            "Maximum number of a request's headers. 1 to 10,000.",
                            HeadLimits::headersMax,
                            HeadLimits::withHeadersMax));

    private static final List<Key<Options.Timeouts, ?>> TIMEOUTS =
            List.of(
                    new Key<>(
                            "idle_timeout",
                            ValueTypes.DURATION,
                            "How long a connection may be idle; 0: without limit, until connections"
                                    + " are scarce. 0 to a day.",
                            Options.Timeouts::idle,
                            Options.Timeouts::withIdle),
                    new Key<>(
                            "head_timeout",
                            ValueTypes.DURATION,
                            "Time limit for receiving a head. 1 ms to a day.",
                            Options.Timeouts::head,
                            Options.Timeouts::withHead),
                    new Key<>(
                            "handshake_timeout",
                            ValueTypes.DURATION,
                            "Time limit for a TLS handshake. 1 ms to a day.",
                            Options.Timeouts::handshake,
                            Options.Timeouts::withHandshake),
                    new Key<>(
                            "body_rate_grace",
                            ValueTypes.DURATION,
                            "Time before a body's rate is checked.",
                            Options.Timeouts::bodyGrace,
                            Options.Timeouts::withBodyGrace),
                    new Key<>(
                            "body_rate_min",
                            ValueTypes.SIZE,
                            "Minimum rate of a body after that, in bytes per second.",
                            Options.Timeouts::bodyRateMin,
                            Options.Timeouts::withBodyRateMin),
                    new Key<>(
                            "send_timeout",
                            ValueTypes.DURATION,
                            "How long a client may read nothing of its response. 1 ms to a"
                                    + " day.",
                            Options.Timeouts::writeStall,
                            Options.Timeouts::withWriteStall),
                    new Key<>(
                            "stop_grace",
                            ValueTypes.DURATION,
                            "How long a stop waits for running requests. 0 to a" + " day.",
                            Options.Timeouts::stopGrace,
                            Options.Timeouts::withStopGrace));

    private static final List<Key<Options.Http2, ?>> HTTP2 =
            List.of(
                    new Key<>(
                            "http2",
                            ValueTypes.FLAG,
                            "Whether HTTP/2 is offered.",
                            Options.Http2::isEnabled,
                            Options.Http2::withEnabled),
                    new Key<>(
                            "http2_clear_text",
                            ValueTypes.FLAG,
                            "Whether other machines may use HTTP/2 without TLS.",
                            Options.Http2::isClearTextEverywhere,
                            Options.Http2::withClearTextEverywhere),
                    new Key<>(
                            "http2_streams_max",
                            ValueTypes.NUMBER,
                            "Maximum number of concurrent streams of a connection. 1 to 65,536.",
                            Options.Http2::streamsMax,
                            Options.Http2::withStreamsMax),
                    new Key<>(
                            "http2_age_max",
                            ValueTypes.DURATION,
                            "Maximum age of an HTTP/2 connection; 0: none. At most a day.",
                            Options.Http2::ageMax,
                            Options.Http2::withAgeMax));

    static final Section<Options> SECTION = Section.of(Options.DEFAULT, keys());

    private LimitKeys() {}

    private static List<Key<Options, ?>> keys() {
        var keys = new ArrayList<Key<Options, ?>>();
        THREADS.forEach(key -> keys.add(key.within(Options::threads, Options::withThreads)));
        LIMITS.forEach(key -> keys.add(key.within(Options::limits, Options::withLimits)));
        HEADS.forEach(
                key ->
                        keys.add(
                                key.within(
                                        options -> options.limits().heads(),
                                        (options, heads) ->
                                                options.withLimits(l -> l.withHeads(heads)))));
        keys.add(
                new Key<>(
                        "session_cookies",
                        ValueTypes.TEXTS,
                        "Cookies that identify a session.",
                        Options::sessionCookies,
                        Options::withSessionCookies));
        HTTP2.forEach(key -> keys.add(key.within(Options::http2, Options::withHttp2)));
        TIMEOUTS.forEach(key -> keys.add(key.within(Options::timeouts, Options::withTimeouts)));
        return keys;
    }
}
