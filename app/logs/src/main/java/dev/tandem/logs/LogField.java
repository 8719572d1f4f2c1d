package dev.tandem.logs;

import dev.tandem.AccessLog;
import dev.tandem.http.TraceParent;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/// A field of the access log.
///
/// @param name in configuration and in lines
/// @param header the request header whose value it is; empty if it is not one
public record LogField(String name, String header) {
    static final LogField TIME = new LogField("time", "");
    static final LogField ID = new LogField("id", "");
    static final LogField REMOTE = new LogField("remote", "");
    static final LogField SECURE = new LogField("secure", "");
    static final LogField METHOD = new LogField("method", "");
    static final LogField TARGET = new LogField("target", "");
    static final LogField PROTOCOL = new LogField("protocol", "");

    /// The identifier of the stream in a connection of HTTP/2; 0 for HTTP/1. Not a default.
    static final LogField STREAM = new LogField("stream", "");

    /// Method, target and protocol, as in the request line.
    static final LogField REQUEST = new LogField("request", "");

    static final LogField STATUS = new LogField("status", "");
    static final LogField BYTES = new LogField("bytes", "");

    /// In milliseconds, with three decimal places.
    static final LogField DURATION = new LogField("duration_ms", "");

    /// The trace that the request belongs to, 32 hexadecimal digits, if its client sent one.
    static final LogField TRACE = new LogField("trace", TraceParent.HEADER);

    static final LogField HOST = new LogField("host", "Host");
    static final LogField REFERER = new LogField("referer", "Referer");
    static final LogField USER_AGENT = new LogField("user_agent", "User-Agent");

    private static final String HEADER = "header.";
    private static final Pattern HEADER_NAME = Pattern.compile("[A-Za-z0-9-]{1,64}");

    /// All fields with fixed names.
    private static final List<LogField> KNOWN =
            List.of(
                    TIME,
                    ID,
                    TRACE,
                    REMOTE,
                    SECURE,
                    HOST,
                    METHOD,
                    TARGET,
                    PROTOCOL,
                    STREAM,
                    REQUEST,
                    STATUS,
                    BYTES,
                    DURATION,
                    REFERER,
                    USER_AGENT);

    /// Returns the field of a name: one of those above, or `header.NAME` for any request header.
    ///
    /// @throws IllegalArgumentException if there is none; lists the names
    public static LogField of(String title) {
        for (LogField field : KNOWN) {
            if (field.name.equals(title)) {
                return field;
            }
        }
        if (title.startsWith(HEADER)) {
            String name = title.substring(HEADER.length());
            if (HEADER_NAME.matcher(name).matches()) {
                return new LogField(HEADER + name.toLowerCase(Locale.ROOT), name);
            }
        }
        throw new IllegalArgumentException(
                "no such field: '" + title + "'; there are " + String.join(", ", names()));
    }

    private static List<String> names() {
        var names = new ArrayList<>(KNOWN.stream().map(LogField::name).toList());
        names.add(HEADER + "NAME");
        return names;
    }

    /// Returns all fields except the stream and the request line, whose parts are fields, too.
    static List<LogField> defaults() {
        return KNOWN.stream().filter(field -> field != REQUEST && field != STREAM).toList();
    }

    boolean isNumber() {
        return this == STREAM
                || this == STATUS
                || this == BYTES
                || this == DURATION
                || this == SECURE;
    }

    /// @param value of the header
    String text(AccessLog.Entry entry, LogTime time, String value) {
        return switch (name) {
            case "time" -> time.iso();
            case "id" -> entry.id();
            case "trace" -> trace(value);
            case "remote" -> remote(entry.remote());
            case "secure" -> Boolean.toString(entry.isSecure());
            case "method" -> entry.method();
            case "target" -> entry.target();
            case "protocol" -> protocol(entry);
            case "stream" -> Integer.toString(entry.streamId());
            case "request" -> request(entry);
            case "status" -> Integer.toString(entry.status());
            case "bytes" -> Long.toString(entry.bodyBytes());
            case "duration_ms" -> millis(entry.durationNanos());
            default -> value;
        };
    }

    private static String trace(String field) {
        TraceParent trace = TraceParent.parse(field);
        return trace == null ? "" : trace.traceId();
    }

    private static String remote(SocketAddress remote) {
        return remote instanceof InetSocketAddress inet && inet.getAddress() != null
                ? inet.getAddress().getHostAddress()
                : "-";
    }

    private static String protocol(AccessLog.Entry entry) {
        return entry.version().protocol();
    }

    private static String request(AccessLog.Entry entry) {
        return entry.method().isEmpty()
                ? "-"
                : entry.method() + " " + entry.target() + " " + protocol(entry);
    }

    private static String millis(long nanos) {
        long micros = Math.max(0, nanos / 1000);
        String fraction = Long.toString(1000 + micros % 1000).substring(1);
        return micros / 1000 + "." + fraction;
    }
}
