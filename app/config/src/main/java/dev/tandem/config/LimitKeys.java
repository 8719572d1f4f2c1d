package dev.tandem.config;

import dev.tandem.Options;
import java.time.Duration;
import java.util.List;

/// `[limits]`: keys of [Options].
final class LimitKeys {
    static final Section<Options> SECTION =
            Section.of(
                    Options.DEFAULT,
                    List.of(
                            new Key<>(
                                    "loops",
                                    ValueTypes.NUMBER,
                                    "Event loops; half the processors. 1 to 16,384.",
                                    Options::loops,
                                    Options::withLoops),
                            new Key<>(
                                    "workers_max",
                                    ValueTypes.NUMBER,
                                    "Maximum number of threads for blocking handlers. 1 to 65,536.",
                                    Options::workersMax,
                                    Options::withWorkersMax),
                            new Key<>(
                                    "workers_min",
                                    ValueTypes.NUMBER,
                                    "Lower bound of the search for their number; 0: the"
                                            + " number of processors. 0 to 65,536.",
                                    Options::workersMin,
                                    Options::withWorkersMin),
                            new Key<>(
                                    "connections_max",
                                    ValueTypes.NUMBER,
                                    "Maximum number of open connections; beyond it, a new one"
                                            + " replaces the one that is idle longest.",
                                    Options::connectionsMax,
                                    Options::withConnectionsMax),
                            new Key<>(
                                    "backlog",
                                    ValueTypes.NUMBER,
                                    "New connections queued by the kernel. 1 to 65,535.",
                                    Options::backlog,
                                    Options::withBacklog),
                            new Key<>(
                                    "event_streams_max",
                                    ValueTypes.NUMBER,
                                    "Maximum number of event streams. 0 to 65,536.",
                                    Options::eventStreamsMax,
                                    Options::withEventStreamsMax),
                            new Key<>(
                                    "session_cookies",
                                    ValueTypes.TEXTS,
                                    "Cookies that identify a session.",
                                    Options::sessionCookies,
                                    (o, names) ->
                                            o.withSessionCookies(names.toArray(String[]::new))),
                            new Key<>(
                                    "request_line_max",
                                    ValueTypes.SMALL_SIZE,
                                    "Maximum length of a request line, in bytes. 16 to 65,536.",
                                    Options::requestLineMax,
                                    Options::withRequestLineMax),
                            new Key<>(
                                    "head_max",
                                    ValueTypes.SMALL_SIZE,
                                    "Maximum size of a request's head, in bytes. 1,024 to 65,536.",
                                    Options::headMax,
                                    Options::withHeadMax),
                            new Key<>(
                                    "fields_max",
                                    ValueTypes.NUMBER,
                                    "Maximum number of a request's headers. 1 to 10,000.",
                                    Options::fieldsMax,
                                    Options::withFieldsMax),
                            new Key<>(
                                    "body_max",
                                    ValueTypes.SIZE,
                                    "Maximum size of a request's body, in bytes.",
                                    Options::bodyMax,
                                    Options::withBodyMax),
                            new Key<>(
                                    "head_timeout",
                                    ValueTypes.DURATION,
                                    "Time limit for receiving a head. 1 ms to a day.",
                                    o -> Duration.ofNanos(o.headTimeoutNanos()),
                                    Options::withHeadTimeout),
                            new Key<>(
                                    "handshake_timeout",
                                    ValueTypes.DURATION,
                                    "Time limit for a TLS handshake. 1 ms to a day.",
                                    o -> Duration.ofNanos(o.handshakeTimeoutNanos()),
                                    Options::withHandshakeTimeout),
                            new Key<>(
                                    "body_grace",
                                    ValueTypes.DURATION,
                                    "Time before a body's rate is checked.",
                                    o -> Duration.ofNanos(o.bodyGraceNanos()),
                                    (o, grace) -> o.withBodyPace(grace, o.bodyRateMin())),
                            new Key<>(
                                    "body_rate_min",
                                    ValueTypes.SIZE,
                                    "Minimum rate of a body after that, in bytes per second.",
                                    Options::bodyRateMin,
                                    (o, rate) ->
                                            o.withBodyPace(
                                                    Duration.ofNanos(o.bodyGraceNanos()), rate)),
                            new Key<>(
                                    "write_stall",
                                    ValueTypes.DURATION,
                                    "How long a client may read nothing of its response. 1 ms to a"
                                            + " day.",
                                    o -> Duration.ofNanos(o.writeStallNanos()),
                                    Options::withWriteStall),
                            new Key<>(
                                    "stop_grace",
                                    ValueTypes.DURATION,
                                    "How long a stop waits for running requests. 0 to a" + " day.",
                                    Options::stopGrace,
                                    Options::withStopGrace)));

    private LimitKeys() {}

    /// Compares options by their values: they have no `equals`.
    static boolean areSame(Options some, Options others) {
        return some == others || text(some).equals(text(others));
    }

    private static String text(Options options) {
        var text = new StringBuilder();
        SECTION.write(options, "", text);
        return text.toString();
    }
}
