package dev.tandem.logs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tandem.AccessLog.Entry;
import dev.tandem.logs.AccessFormat.Style;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.ZoneId;
import java.util.List;
import org.junit.jupiter.api.Test;

class AccessFormatTest {
    private static final long TIME = 1_795_318_278_042L;

    private static Entry entry(String target, String... fields) throws UnknownHostException {
        var remote = new InetSocketAddress(InetAddress.ofLiteral("192.0.2.7"), 50_000);
        return new Entry(
                "x1", remote, false, "GET", target, 1, 200, 42, 1_234_567, List.of(fields));
    }

    private static String line(AccessFormat format, Entry entry) {
        var line = new StringBuilder();
        format.write(entry, new LogTime(ZoneId.of("Europe/Berlin")).at(TIME), line);
        return line.toString();
    }

    @Test
    void commonIsHttpds() throws UnknownHostException {
        assertEquals(
                "192.0.2.7 - - [22/Nov/2026:04:31:18 +0100] \"GET /a HTTP/1.1\" 200 42\n",
                line(AccessFormat.of(Style.COMMON), entry("/a")));
    }

    @Test
    void combinedHasRefererAndUserAgent() throws UnknownHostException {
        assertEquals(
                "192.0.2.7 - - [22/Nov/2026:04:31:18 +0100] \"GET /a HTTP/1.1\" 200 42"
                        + " \"-\" \"cu\\\"rl\\x0a\"\n",
                line(AccessFormat.of(Style.COMBINED), entry("/a", "", "cu\"rl\n")));
    }

    @Test
    void jsonHasTheFieldsThatWereChosen() throws UnknownHostException {
        var format =
                new AccessFormat(
                        Style.JSON,
                        List.of(
                                LogField.of("time"),
                                LogField.of("status"),
                                LogField.of("header.X-Id"),
                                LogField.of("duration_ms"),
                                LogField.of("id")));
        assertEquals(List.of("X-Id"), format.requestFields());
        String begin = "{\"time\":\"2026-11-22T03:31:18.042Z\",\"status\":200,";
        String header = "\"header.x-id\":\"a\\\"\\u000a\\u00e4\",";
        String end = "\"duration_ms\":1.234,\"id\":\"x1\"}\n";
        assertEquals(begin + header + end, line(format, entry("/a", "a\"\n\u00e4")));
    }

    @Test
    void aTraceIsNamedIfItIsOne() throws UnknownHostException {
        var format =
                new AccessFormat(Style.LOGFMT, List.of(LogField.of("id"), LogField.of("trace")));
        assertEquals(List.of("traceparent"), format.requestFields());
        String trace = "4bf92f3577b34da6a3ce929d0e0e4736";
        String field = "00-" + trace + "-00f067aa0ba902b7-01";
        assertEquals("id=x1 trace=" + trace + "\n", line(format, entry("/a", field)));
        for (String none : List.of("", "x", field + "x", "00-" + "0".repeat(32) + "-1-01")) {
            assertEquals("id=x1 trace=\"\"\n", line(format, entry("/a", none)), none);
        }
    }

    @Test
    void logfmtQuotesWhatHasSpaces() throws UnknownHostException {
        var format =
                new AccessFormat(
                        Style.LOGFMT, List.of(LogField.of("target"), LogField.of("user_agent")));
        assertEquals("target=/a user_agent=\"a b\"\n", line(format, entry("/a", "a b")));
    }

    @Test
    void fieldsThatAreNoneAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> LogField.of("state"));
        assertThrows(IllegalArgumentException.class, () -> LogField.of("header.a b"));
        assertThrows(
                IllegalArgumentException.class,
                () -> new AccessFormat(Style.COMMON, List.of(LogField.of("status"))));
    }
}
