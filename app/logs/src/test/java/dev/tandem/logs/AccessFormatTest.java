package dev.tandem.logs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.AccessLog.Entry;
import dev.tandem.http.HttpVersion;
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
                "x1",
                remote,
                false,
                "GET",
                target,
                HttpVersion.HTTP_2,
                5,
                200,
                42,
                1_234_567,
                List.of(fields));
    }

    private static String line(AccessFormat format, Entry entry) {
        var line = new StringBuilder();
        format.write(entry, new LogTime(ZoneId.of("Europe/Berlin")).at(TIME), line);
        return line.toString();
    }

    @Test
    void commonFormatIsHttpds() throws UnknownHostException {
        assertEquals(
                "192.0.2.7 - - [22/Nov/2026:04:31:18 +0100] \"GET /a HTTP/2.0\" 200 42\n",
                line(AccessFormat.of(Style.COMMON), entry("/a")));
    }

    @Test
    void combinedFormatHasRefererAndUserAgent() throws UnknownHostException {
        assertEquals(
                "192.0.2.7 - - [22/Nov/2026:04:31:18 +0100] \"GET /a HTTP/2.0\" 200 42"
                        + " \"-\" \"cu\\\"rl\\x0a\"\n",
                line(AccessFormat.of(Style.COMBINED), entry("/a", "", "cu\"rl\n")));
    }

    @Test
    void jsonHasChosenFields() throws UnknownHostException {
        var format =
                new AccessFormat(
                        Style.JSON,
                        List.of(
                                LogField.of("time"),
                                LogField.of("stream"),
                                LogField.of("status"),
                                LogField.of("header.X-Id"),
                                LogField.of("duration_ms"),
                                LogField.of("id")));
        assertEquals(List.of("X-Id"), format.requestFields());
        String begin = "{\"time\":\"2026-11-22T03:31:18.042Z\",\"stream\":5,\"status\":200,";
        String header = "\"header.x-id\":\"a\\\"\\u000a\\u00e4\",";
        String end = "\"duration_ms\":1.234,\"id\":\"x1\"}\n";
        assertEquals(begin + header + end, line(format, entry("/a", "a\"\n\u00e4")));
    }

    @Test
    void validTraceIdIsLogged() throws UnknownHostException {
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
    void logfmtQuotesValuesWithSpaces() throws UnknownHostException {
        var format =
                new AccessFormat(
                        Style.LOGFMT, List.of(LogField.of("target"), LogField.of("user_agent")));
        assertEquals("target=/a user_agent=\"a b\"\n", line(format, entry("/a", "a b")));
    }

    @Test
    void unknownAndFixedFieldsAreRejected() {
        assertThrows(IllegalArgumentException.class, () -> LogField.of("state"));
        assertThrows(IllegalArgumentException.class, () -> LogField.of("header.a b"));
        assertThrows(
                IllegalArgumentException.class,
                () -> new AccessFormat(Style.COMMON, List.of(LogField.of("status"))));
    }

    @Test
    void commonFormatHasDashesForNoBytesAndNoRequest() throws UnknownHostException {
        var remote = new InetSocketAddress(InetAddress.ofLiteral("2001:db8::1"), 50_000);
        var malformed =
                new Entry(
                        "x1", remote, true, "", "", HttpVersion.HTTP_1_1, 0, 400, 0, 0, List.of());
        assertEquals(
                "2001:db8:0:0:0:0:0:1 - - [22/Nov/2026:04:31:18 +0100] \"-\" 400 -\n",
                line(AccessFormat.of(Style.COMMON), malformed));
    }

    @Test
    void targetCannotStartAnotherLine() throws UnknownHostException {
        String line = line(AccessFormat.of(Style.COMMON), entry("/a\r\n1.2.3.4 - - \""));
        assertEquals(1, line.lines().count());
        assertTrue(line.contains("/a\\x0d\\x0a1.2.3.4 - - \\\""), line);
    }

    @Test
    void jsonHasAllFieldsByDefault() throws UnknownHostException {
        AccessFormat format = AccessFormat.of(Style.JSON);
        assertEquals(
                List.of("traceparent", "Host", "Referer", "User-Agent"), format.requestFields());
        String line = line(format, entry("/a", "", "shop", "", "curl"));
        assertTrue(line.startsWith("{\"time\":\"2026-11-22T03:31:18.042Z\",\"id\":\"x1\","), line);
        assertTrue(line.contains("\"secure\":false,\"host\":\"shop\","), line);
        assertTrue(line.contains("\"status\":200,\"bytes\":42,\"duration_ms\":1.234,"), line);
        assertTrue(line.endsWith("\"user_agent\":\"curl\"}\n"), line);
    }

    @Test
    void logfmtHasEmptyValuesInQuotes() throws UnknownHostException {
        var format = new AccessFormat(Style.LOGFMT, List.of(LogField.HOST, LogField.STATUS));
        assertEquals("host=\"\" status=200\n", line(format, entry("/a", "")));
    }

    @Test
    void onlyJsonAndLogfmtLetFieldsBeChosen() {
        assertTrue(AccessFormat.of(Style.JSON).hasChoice());
        assertTrue(AccessFormat.of(Style.LOGFMT).hasChoice());
        assertFalse(AccessFormat.of(Style.COMMON).hasChoice());
        assertFalse(AccessFormat.DEFAULT.hasChoice());
        assertThrows(IllegalArgumentException.class, () -> new AccessFormat(Style.JSON, List.of()));
    }
}
