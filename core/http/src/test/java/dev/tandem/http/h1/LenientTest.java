package dev.tandem.http.h1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.http.MalformedMessage;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The syntax of old clients that is accepted with [Http1Limits#isLenient()]. Each head is split at
/// every point.
class LenientTest {
    private static final Http1Limits LENIENT = Http1Limits.DEFAULT.withLenient(true);

    private static String fields(String wire) {
        return SplitInput.head(LENIENT, wire).headers().toString();
    }

    private static MalformedMessage bad(String wire) {
        return SplitInput.bad(LENIENT, wire);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\nHost: a\nX: y\n\n",
                "GET / HTTP/1.1\r\nHost: a\nX: y\r\n\n",
                "GET / HTTP/1.1\nHost: a\r\nX: y\n\r\n",
                "\n\r\n\nGET / HTTP/1.1\nHost: a\nX: y\n\n",
            })
    void lineMayEndWithLineFeedAlone(String wire) {
        assertEquals("Host: a\nX: y\n", fields(wire));
        assertEquals(wire.length(), SplitInput.head(LENIENT, wire + "\nGET").length());
        assertEquals(400, SplitInput.bad(wire).status());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\rHost: a\r\r",
                "GET / HTTP/1.1\r\nHost: a\rX: y\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: a\r\nX: y\r z\r\n\r\n",
                "GET / HTTP/1.1\nHost: a\n\rX: y\n\n",
                "GET / HTTP/\r1.1\nHost: a\n\n",
                "\rGET / HTTP/1.1\nHost: a\n\n",
            })
    void carriageReturnAloneIsRejected(String wire) {
        assertEquals(MalformedMessage.badRequest("CR without LF"), bad(wire));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "X: a\r\n b\r\n",
                "X: a\n b\n",
                "X: a  \r\n    b\r\n",
                "X:\r\n a\r\n b  \r\n",
                "X: a\r\n  \r\n b\r\n \r\n",
                "X: a\r\n\t\n b\r\n",
                "X: a b\r\n\t\r\n"
            })
    void headerMayBeFolded(String line) {
        String wire = SplitInput.request("A: 1\r\n" + line + "B: 2\r\n");
        assertEquals("Host: a.example\nA: 1\nX: a b\nB: 2\n", fields(wire));
        assertEquals(400, SplitInput.bad(wire).status());
    }

    @Test
    void foldingTabIsKept() {
        assertEquals(
                "a\tb", SplitInput.head(LENIENT, SplitInput.request("X: a\r\n\tb\r\n")).value("X"));
    }

    @Test
    void headerSyntaxInFoldIsValue() {
        Http1RequestHead head =
                SplitInput.head(LENIENT, SplitInput.request("X: y\r\n Content-Length: 30\r\n"));
        assertEquals("y Content-Length: 30", head.value("X"));
        assertEquals(-1, head.contentLength());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Transfer-Encoding:\r\n chunked",
                "Content-Length: 3\r\n ",
                "content-length:\n\t3",
                "Connection: close,\r\n x",
                "Expect:\r\n 100-continue",
                "Upgrade: a\r\n b",
            })
    void foldedFramingHeaderIsRejected(String line) {
        assertEquals(
                MalformedMessage.badRequest("folded header that frames or routes the message"),
                bad(SplitInput.request(line + "\r\n")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\n Host: a\r\n\r\n",
                "GET / HTTP/1.1\r\n\tX: y\r\nHost: a\r\n\r\n",
                " GET / HTTP/1.1\r\nHost: a\r\n\r\n",
                "\r\n GET / HTTP/1.1\r\nHost: a\r\n\r\n",
                "PUT /\r\n  HTTP/1.1\r\nHost: a\r\n\r\n"
            })
    void foldedRequestLineIsRejected(String wire) {
        assertEquals(400, bad(wire).status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"X\r\n : y", "X \r\n y: z", "X\r\n y", "X: y\r\n \0"})
    void foldingDoesNotFixInvalidLine(String line) {
        assertEquals(400, bad(SplitInput.request(line + "\r\n")).status());
    }

    @Test
    void emptyLineEndsHead() {
        String wire = SplitInput.request("X: y\r\n");
        assertEquals(wire.length(), SplitInput.head(LENIENT, wire + " z\r\n\r\n").length());
    }

    @Test
    void requestLineMayHaveTabs() {
        Http1RequestHead head = SplitInput.head(LENIENT, "GET\t/a\tHTTP/1.1\r\nHost: a\r\n\r\n");
        assertEquals("GET", head.method());
        assertEquals("/a", SplitInput.text(head.bytes(), head.targetFrom(), head.targetTo()));
        assertEquals(400, bad("GET /a\tb HTTP/1.1\r\nHost: a\r\n\r\n").status());
    }

    @Test
    void emptyLinesBeforeRequestAreIgnored() {
        String request = SplitInput.request("");
        assertEquals("POST", SplitInput.head(LENIENT, "\r\n".repeat(100) + request).method());
        assertEquals(400, bad("\n".repeat(101) + request).status());
    }

    @Test
    void limitsAreUnchanged() {
        Http1Limits limits = LENIENT.withHeads(h -> h.withRequestLineMax(20).withHeadMax(60));
        String line = "GET /234567 HTTP/1.1";
        assertEquals("GET", SplitInput.head(limits, line + "\nHost: a\n\n").method());
        assertEquals(414, SplitInput.bad(limits, line.replace("/", "/1") + "\n").status());
        String folded = line + "\r\nHost: a\r\nX: 1\r\n 2" + " ".repeat(17);
        assertEquals("1 2", SplitInput.head(limits, folded + "\r\n\r\n").value("X"));
        assertEquals(431, SplitInput.bad(limits, folded + " \r\n\r\n").status());
        assertEquals(431, SplitInput.bad(limits, line + "\nX: y" + "\n z".repeat(12)).status());
    }

    /// The bytes of a rejected request may be passed to another decoder.
    @Test
    void rejectedLineIsUnchanged() {
        String wire = SplitInput.request("Transfer-Encoding:\r\n chunked\r\n");
        byte[] bytes = SplitInput.bytes(wire);
        for (int i = 0; i < 2; i++) {
            var decoder = new RequestHeadDecoder(LENIENT);
            assertEquals(
                    RequestHeadDecoder.Result.MALFORMED, decoder.decode(bytes, 0, bytes.length));
        }
        assertEquals(wire, SplitInput.text(bytes, 0, bytes.length));
    }

    /// Input that the strict decoder accepts has the same result.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void strictInputHasSameResult(long seed) {
        var random = new Random(seed);
        Http1Limits lenient = HeadFuzz.LIMITS.withLenient(true);
        int taken = 0;
        for (int i = 0; i < 3_000; i++) {
            String wire = HeadFuzz.wire(random);
            String strict = HeadFuzz.decode(wire);
            String read = HeadFuzz.decode(lenient, wire);
            if (strict.startsWith("ParsedHead")) {
                assertEquals(strict, read, () -> SplitInput.visible(wire));
                taken++;
            }
            for (int n = 0; n < 3; n++) {
                int[] cuts = random.ints(1 + n, 0, wire.length() + 1).sorted().toArray();
                assertEquals(
                        read, HeadFuzz.decode(lenient, wire, cuts), () -> SplitInput.visible(wire));
            }
        }
        assertTrue(taken > 150, "taken: " + taken);
    }

    /// Other accepted input has the result of the strict decoder for the same lines in strict
    /// syntax.
    @ParameterizedTest
    @ValueSource(longs = {4, 5, 6})
    void lenientInputEqualsStrictEquivalent(long seed) {
        var random = new Random(seed);
        Http1Limits lenient = HeadFuzz.LIMITS.withLenient(true);
        Http1Limits wide = HeadFuzz.LIMITS.withHeads(h -> h.withHeadMax(1000));
        int taken = 0;
        for (int i = 0; i < 3_000; i++) {
            String wire = loosened(HeadFuzz.wire(random), random);
            String read = HeadFuzz.decode(lenient, wire);
            if (read.startsWith("ParsedHead") && !SplitInput.head(lenient, wire).isHttp09()) {
                int end = SplitInput.head(lenient, wire).length();
                String strict = HeadFuzz.decode(wide, proper(wire.substring(0, end)));
                if (strict.matches(".*(both Content-Length and Transfer-Encoding|in HTTP/1.0)]")) {
                    assertTrue(read.matches("(?s).*flags=\\[chunked(, continue)?].*"), read);
                } else {
                    assertEquals(
                            withoutLength(strict),
                            withoutLength(read),
                            () -> SplitInput.visible(wire));
                    taken++;
                }
            }
        }
        assertTrue(taken > 150, "taken: " + taken);
    }

    private static String loosened(String wire, Random random) {
        var loose = new StringBuilder();
        for (String line : wire.split("(?<=\r\n)", -1)) {
            loose.append(random.nextInt(4) == 0 ? line.replace("\r\n", "\n") : line);
            if (random.nextInt(10) == 0) {
                loose.append(random.nextBoolean() ? " x\r\n" : "\t\n");
            }
        }
        return loose.toString();
    }

    private static String proper(String head) {
        String unfolded = head.replaceAll("[ \t]*(?:\r?\n[ \t]+)*\r?\n([ \t])[ \t]*", "$1");
        String lines = unfolded.replaceAll("\r?\n", "\r\n").replaceAll("^(\r\n)+", "");
        int first = lines.indexOf("\r\n");
        return lines.substring(0, first).replace('\t', ' ') + lines.substring(first);
    }

    private static String withoutLength(String reading) {
        return reading.replaceFirst(" length=[0-9]+,", "");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked",
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 1",
                "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 0",
                "POST / HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked",
            })
    void chunkedCodingOverridesLengthAndClosesConnection(String wire) {
        Http1RequestHead head = SplitInput.head(LENIENT, wire + "\r\n\r\n");
        assertTrue(head.isChunked());
        assertEquals(-1, head.contentLength());
        assertFalse(head.isKeepAlive());
        assertFalse(head.copy().isKeepAlive());
        assertEquals(400, SplitInput.bad(wire + "\r\n\r\n").status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET /a\r\n", "GET /a\n", "\n\r\nGET\t/a\n", "GET *\n"})
    void getWithoutVersionIsHttp09Request(String line) {
        Http1RequestHead head = SplitInput.head(LENIENT, line + "X: y\r\n\r\n");
        assertTrue(head.isHttp09());
        assertTrue(head.copy().isHttp09());
        assertEquals(line.length(), head.length());
        assertEquals(0, head.minorVersion());
        assertEquals(0, head.headerCount());
        assertFalse(head.isKeepAlive());
        assertEquals(400, SplitInput.bad(line).status());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / \r\n",
                "GET  /\r\n",
                "GET \r\n",
                "GET\r\n",
                "POST /\r\n",
                "get /\r\n",
                "GET /\u00e9\r\n",
                "GET /\r \n",
                "GET / x\n",
                "GET / HTTP/1.\n",
                "GETT /\r\n"
            })
    void otherLinesAreNotHttp09Requests(String line) {
        assertEquals(400, bad(line).status());
    }

    @Test
    void nextRequestIsNotHttp09() {
        var decoder = new RequestHeadDecoder(LENIENT);
        byte[] simple = SplitInput.bytes("GET /\n");
        decoder.decode(simple, 0, simple.length);
        decoder.reset();
        byte[] next = SplitInput.bytes(SplitInput.request(""));
        assertEquals(RequestHeadDecoder.Result.COMPLETE, decoder.decode(next, 0, next.length));
        assertFalse(decoder.head().isHttp09());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked",
                "Transfer-Encoding: chunked\r\nContent-Length: 1\r\nContent-Length: 1",
                "Transfer-Encoding: chunked\r\nContent-Length: x",
                "Content-Length: -1\r\nTransfer-Encoding: chunked",
                "Content-Length: 1\r\nTransfer-Encoding: xchunked",
                "Content-Length: 1\r\nTransfer-Encoding: identity",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\nContent-Length: 1",
            })
    void otherLengthErrorsAreRejected(String lines) {
        int status = bad(SplitInput.request(lines + "\r\n")).status();
        assertTrue(status == 400 || status == 501, "status: " + status);
    }

    @ParameterizedTest
    @ValueSource(strings = {"5; a = b \r\nhello\r\n", "5; a = \"b\" \t\r\nhello\r\n"})
    void blanksMayFollowExtension(String chunk) {
        assertEquals("hello", SplitInput.chunked(LENIENT, chunk + "0\r\n\r\n").content());
        assertEquals("400", SplitInput.chunked(chunk).end().substring(0, 3));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "5\nhello\r\n0\r\n\r\n",
                "5\r\nhello\n0\r\n\r\n",
                "5\r\nhello\r\n0\n\r\n",
                "5\r\nhello\r\n0\r\nX: y\n\r\n",
                "5\r\nhello\r\n0\r\nX: y\r\n z\r\n\r\n",
                "5 \r\nhello\r\n0\r\n\r\n",
                "5; \r\nhello\r\n0\r\n\r\n",
                "5;a= \r\nhello\r\n0\r\n\r\n",
            })
    void chunkFramingIsStrict(String body) {
        assertEquals("400", SplitInput.chunked(LENIENT, body).end().substring(0, 3));
    }
}
