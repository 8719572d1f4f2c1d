package dev.tandem.config;

import dev.tandem.Options;
import java.time.Duration;
import java.util.List;

/// `[limits]`: what [Options] has.
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
                                    "The most threads for handlers that block. 1 to 65,536.",
                                    Options::workersMax,
                                    Options::withWorkersMax),
                            new Key<>(
                                    "workers_min",
                                    ValueTypes.NUMBER,
                                    "The fewest that the search for their number ends with; 0: the"
                                            + " number of processors. 0 to 65,536.",
                                    Options::workersMin,
                                    Options::withWorkersMin),
                            new Key<>(
                                    "connections_max",
                                    ValueTypes.NUMBER,
                                    "The most open connections; a newcomer takes the longest idle"
                                            + " one's place.",
                                    Options::connectionsMax,
                                    Options::withConnectionsMax),
                            new Key<>(
                                    "backlog",
                                    ValueTypes.NUMBER,
                                    "Newcomers that the kernel holds. 1 to 65,535.",
                                    Options::backlog,
                                    Options::withBacklog),
                            new Key<>(
                                    "event_streams_max",
                                    ValueTypes.NUMBER,
                                    "The most event streams at once. 0 to 65,536.",
                                    Options::eventStreamsMax,
                                    Options::withEventStreamsMax),
                            new Key<>(
                                    "session_cookies",
                                    ValueTypes.TEXTS,
                                    "Cookies by which a visitor's session is known.",
                                    Options::sessionCookies,
                                    (o, names) ->
                                            o.withSessionCookies(names.toArray(String[]::new))),
                            new Key<>(
                                    "request_line_max",
                                    ValueTypes.SMALL_SIZE,
                                    "The longest request line, in bytes. 16 to 65,536.",
                                    Options::requestLineMax,
                                    Options::withRequestLineMax),
                            new Key<>(
                                    "head_max",
                                    ValueTypes.SMALL_SIZE,
                                    "The longest head of a request, in bytes. 1,024 to 65,536.",
                                    Options::headMax,
                                    Options::withHeadMax),
                            new Key<>(
                                    "fields_max",
                                    ValueTypes.NUMBER,
                                    "The most header fields of a request. 1 to 10,000.",
                                    Options::fieldsMax,
                                    Options::withFieldsMax),
                            new Key<>(
                                    "body_max",
                                    ValueTypes.SIZE,
                                    "The longest body of a request, in bytes.",
                                    Options::bodyMax,
                                    Options::withBodyMax),
                            new Key<>(
                                    "head_timeout",
                                    ValueTypes.DURATION,
                                    "How long a head may take to come. 1 ms to a day.",
                                    o -> Duration.ofNanos(o.headTimeoutNanos()),
                                    Options::withHeadTimeout),
                            new Key<>(
                                    "handshake_timeout",
                                    ValueTypes.DURATION,
                                    "How long a TLS handshake may take. 1 ms to a day.",
                                    o -> Duration.ofNanos(o.handshakeTimeoutNanos()),
                                    Options::withHandshakeTimeout),
                            new Key<>(
                                    "body_grace",
                                    ValueTypes.DURATION,
                                    "How long a body may take before its pace is looked at.",
                                    o -> Duration.ofNanos(o.bodyGraceNanos()),
                                    (o, grace) -> o.withBodyPace(grace, o.bodyRateMin())),
                            new Key<>(
                                    "body_rate_min",
                                    ValueTypes.SIZE,
                                    "The slowest pace of a body then, in bytes a second.",
                                    Options::bodyRateMin,
                                    (o, rate) ->
                                            o.withBodyPace(
                                                    Duration.ofNanos(o.bodyGraceNanos()), rate)),
                            new Key<>(
                                    "write_stall",
                                    ValueTypes.DURATION,
                                    "How long a client may take none of its answer. 1 ms to a day.",
                                    o -> Duration.ofNanos(o.writeStallNanos()),
                                    Options::withWriteStall),
                            new Key<>(
                                    "stop_grace",
                                    ValueTypes.DURATION,
                                    "How long what runs may take when the server stops. 0 to a"
                                            + " day.",
                                    Options::stopGrace,
                                    Options::withStopGrace)));

    private LimitKeys() {}

    /// Options have no equality of their own.
    static boolean areSame(Options some, Options others) {
        return some == others || text(some).equals(text(others));
    }

    private static String text(Options options) {
        var text = new StringBuilder();
        SECTION.write(options, "", text);
        return text.toString();
    }
}
