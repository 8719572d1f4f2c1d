package dev.tandem.logs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.AccessLog.Entry;
import dev.tandem.http.HttpVersion;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Fields of the access log, their times and their escapes.
class LogFieldTest {
    private static final SocketAddress CLIENT = new InetSocketAddress("192.0.2.7", 50_000);

    private static String text(String name, SocketAddress remote, String method, String value) {
        var entry =
                new Entry(
                        "x1",
                        remote,
                        true,
                        method,
                        "/a?b",
                        HttpVersion.HTTP_1_0,
                        0,
                        404,
                        42,
                        12_345_678,
                        List.of());
        return LogField.of(name).text(entry, new LogTime(ZoneOffset.UTC).at(1_042), value);
    }

    @ParameterizedTest
    @CsvSource({
        "time, 1970-01-01T00:00:01.042Z",
        "id, x1",
        "remote, 192.0.2.7",
        "secure, true",
        "method, GET",
        "target, /a?b",
        "protocol, HTTP/1.0",
        "request, GET /a?b HTTP/1.0",
        "status, 404",
        "bytes, 42",
        "duration_ms, 12.345",
        "host, value",
        "referer, value",
        "user_agent, value",
        "header.x-id, value"
    })
    void fieldHasItsValue(String name, String value) {
        assertEquals(value, text(name, CLIENT, "GET", "value"));
    }

    @Test
    void malformedRequestAndUnixClientAreDashes() {
        assertEquals("-", text("request", CLIENT, "", ""));
        assertEquals("-", text("remote", UnixDomainSocketAddress.of("/t.sock"), "GET", ""));
    }

    @Test
    void headerFieldIsNamedInLowerCase() {
        LogField field = LogField.of("header.X-Request-Id");
        assertEquals("header.x-request-id", field.name());
        assertEquals("X-Request-Id", field.header());
    }

    @Test
    void unknownFieldIsReportedWithTheKnownOnes() {
        for (String name :
                List.of("", "Time", "header.", "header.a:b", "header." + "x".repeat(65))) {
            var e = assertThrows(IllegalArgumentException.class, () -> LogField.of(name));
            String message = String.valueOf(e.getMessage());
            assertTrue(message.contains("time, id, trace, remote"), message);
            assertTrue(message.endsWith("header.NAME"), message);
        }
    }

    @Test
    void defaultsHaveNoRequestLine() {
        assertFalse(LogField.defaults().contains(LogField.REQUEST));
        assertTrue(LogField.defaults().contains(LogField.TARGET));
    }

    @Test
    void textIsEscaped() {
        assertEquals("a\\\"b\\\\c\\x0a\\xe4", quoted("a\"b\\c\n\u00e4"));
        assertEquals("a\\\"b\\\\c\\u000a\\u00e4\\u20ac", json("a\"b\\c\n\u00e4\u20ac"));
        assertTrue(Escapes.isPlain("/a?b&c"));
        for (String text : List.of("", "a b", "a=b", "a\"b", "a\\b", "\u00e4", "a\n")) {
            assertFalse(Escapes.isPlain(text), text);
        }
    }

    private static String quoted(String text) {
        var to = new StringBuilder();
        Escapes.quoted(text, to);
        return to.toString();
    }

    private static String json(String text) {
        var to = new StringBuilder();
        Escapes.json(text, to);
        return to.toString();
    }

    @Test
    void timeChangesWithTheSecond() {
        var time = new LogTime(ZoneOffset.ofHours(2));
        assertEquals("1970-01-01T00:00:00.999Z", time.at(999).iso());
        assertEquals("01/Jan/1970:02:00:00 +0200", time.common());
        assertEquals("1970-01-01T00:00:01.000Z", time.at(1_000).iso());
        assertEquals("01/Jan/1970:02:00:01 +0200", time.common());
        assertEquals("1969-12-31T23:59:59.999Z", time.at(-1).iso());
    }
}
