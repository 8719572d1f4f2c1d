package dev.tandem.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ReplyDecoderTest {
    private static final int BODY_MAX = 1_000;

    /// A decoder's result for one response.
    private record Decoded(int status, String body, boolean isKept, String fault) {}

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String crlf(String lines) {
        return lines.replace("\n", "\r\n");
    }

    /// Decodes all responses in `wire`, split at the given places; the stream then ends.
    private static List<Decoded> decode(byte[] wire, Use use, int... cuts) {
        var decoder = new ReplyDecoder();
        var results = new ArrayList<Decoded>();
        decoder.begin(false, use, BODY_MAX);
        int from = 0;
        for (int i = 0; i <= cuts.length; i++) {
            int to = i < cuts.length ? cuts[i] : wire.length;
            while (from < to && decoder.fault() == null) {
                long skippable = decoder.skippable();
                if (skippable > 0) {
                    int count = (int) Math.min(skippable, to - from);
                    decoder.skipped(count);
                    from += count;
                } else {
                    from = decoder.feed(wire, from, to);
                }
                if (decoder.isDone()) {
                    results.add(decoded(decoder));
                    decoder.begin(false, use, BODY_MAX);
                }
            }
        }
        if (decoder.fault() != null || decoder.hasBegun() && decoder.end()) {
            results.add(decoded(decoder));
        } else if (decoder.hasBegun()) {
            results.add(new Decoded(0, "", false, "cut off"));
        }
        return results;
    }

    private static Decoded decoded(ReplyDecoder decoder) {
        String fault = decoder.fault() == null ? "" : decoder.fault();
        String body =
                decoder.body().length > 0
                        ? new String(decoder.body(), StandardCharsets.ISO_8859_1)
                        : "#" + decoder.contentBytes();
        return fault.isEmpty()
                ? new Decoded(decoder.status(), body, decoder.isKept(), "")
                : new Decoded(0, "", false, fault);
    }

    private static Decoded kept(int status, String body) {
        return new Decoded(status, body, true, "");
    }

    private static Decoded closed(int status, String body) {
        return new Decoded(status, body, false, "");
    }

    static Stream<Arguments> good() {
        return Stream.of(
                good("HTTP/1.1 200 OK\nContent-Length: 3\n\nabc", kept(200, "abc")),
                good("HTTP/1.1 200\nContent-Length: 0\n\n", kept(200, "#0")),
                good("HTTP/1.1 200 \ncontent-LENGTH:1 \n\na", kept(200, "a")),
                good("HTTP/1.1 204 No\n\n", kept(204, "#0")),
                good("HTTP/1.1 304 No\nContent-Length: 9\n\n", kept(304, "#0")),
                good("HTTP/1.1 200 OK\n\nuntil the end", closed(200, "until the end")),
                good("HTTP/1.0 200 OK\nContent-Length: 1\n\na", closed(200, "a")),
                good(
                        "HTTP/1.0 200 OK\nConnection: Keep-Alive\nContent-Length: 1\n\na",
                        kept(200, "a")),
                good(
                        "HTTP/1.1 200 OK\nConnection: x, Close\nContent-Length: 1\n\na",
                        closed(200, "a")),
                good(
                        "HTTP/1.1 100 More\n\nHTTP/1.1 103 Hints\nLink: a\n\n"
                                + "HTTP/1.1 404 No\nContent-Length: 2\n\nno",
                        kept(404, "no")),
                good(
                        "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n"
                                + "3\nabc\n1;a=\"b\"\nd\nA\n0123456789\n000\nX: y\n\n",
                        kept(200, "abcd0123456789")),
                good(
                        "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n0\n\n"
                                + "HTTP/1.1 500 No\nContent-Length: 1\n\nb",
                        kept(200, "#0"),
                        kept(500, "b")),
                good("HTTP/1.1 200 OK\nContent-Length: 1\nContent-Length: 1\n\na", kept(200, "a")));
    }

    private static Arguments good(String lines, Decoded... results) {
        return Arguments.of(crlf(lines), List.of(results));
    }

    @ParameterizedTest
    @MethodSource("good")
    void everyFramingIsDecodedWhereverItIsSplit(String wire, List<Decoded> results) {
        byte[] bytes = bytes(wire);
        assertEquals(results, decode(bytes, Use.BODY));
        for (int cut = 1; cut < bytes.length; cut++) {
            assertEquals(results, decode(bytes, Use.BODY, cut), "cut at " + cut);
        }
        int[] all = java.util.stream.IntStream.range(1, bytes.length).toArray();
        assertEquals(results, decode(bytes, Use.BODY, all), "cut everywhere");
    }

    @ParameterizedTest
    @MethodSource("good")
    void skippedContentIsCountedTheSame(String wire, List<Decoded> results) {
        byte[] bytes = bytes(wire);
        List<Decoded> counted =
                results.stream()
                        .map(
                                t ->
                                        new Decoded(
                                                t.status,
                                                t.body.startsWith("#")
                                                        ? t.body
                                                        : "#" + t.body.length(),
                                                t.isKept,
                                                ""))
                        .toList();
        for (int cut = 1; cut < bytes.length; cut++) {
            assertEquals(counted, decode(bytes, Use.COUNT, cut), "cut at " + cut);
        }
    }

    @ParameterizedTest
    @MethodSource("good")
    void bareLineFeedsAreAccepted(String wire, List<Decoded> results) {
        assertEquals(results, decode(bytes(wire.replace("\r\n", "\n")), Use.BODY));
    }

    static Stream<Arguments> bad() {
        String ok = "HTTP/1.1 200 OK\n";
        String chunked = ok + "Transfer-Encoding: chunked\n\n";
        return Stream.of(
                Arguments.of("<html>\n\n", "not a status line: <html>"),
                Arguments.of("HTTP/2.0 200 OK\n\n", "not a status line: HTTP/2.0 200 OK"),
                Arguments.of("HTTP/1.1 20 OK\n\n", "not a status line: HTTP/1.1 20 OK"),
                Arguments.of("HTTP/1.1 2000 OK\n\n", "not a status line: HTTP/1.1 2000 OK"),
                Arguments.of("HTTP/1.1 099 OK\n\n", "not a status line: HTTP/1.1 099 OK"),
                Arguments.of("HTTP/1.1\n\n", "not a status line: HTTP/1.1"),
                Arguments.of("\n\n", "not a status line: "),
                Arguments.of(ok + "no colon\n\n", "not a header field: no colon"),
                Arguments.of(ok + "A : b\n\n", "not a header field: A : b"),
                Arguments.of(ok + ": b\n\n", "not a header field: : b"),
                Arguments.of(ok + "A: b\n folded\n\n", "not a header field:  folded"),
                Arguments.of(ok + "Content-Length: +1\n\n", "not one length: +1"),
                Arguments.of(ok + "Content-Length: 1, 1\n\n", "not one length: 1, 1"),
                Arguments.of(ok + "Content-Length: \n\n", "not one length: "),
                Arguments.of(
                        ok + "Content-Length: 1234567890123456789\n\n",
                        "not one length: 1234567890123456789"),
                Arguments.of(ok + "Content-Length: 1\nContent-Length: 2\n\n", "not one length: 2"),
                Arguments.of(
                        ok + "Content-Length: 1\nTransfer-Encoding: chunked\n\n",
                        "both a length and a transfer coding"),
                Arguments.of(
                        ok + "Transfer-Encoding: gzip, chunked\n\n",
                        "transfer coding without a request for it: gzip, chunked"),
                Arguments.of(
                        "HTTP/1.1 101 Switching\n\n", "another protocol, without a request for it"),
                Arguments.of(chunked + "x\n", "not a chunk's size: x"),
                Arguments.of(chunked + "\n", "not a chunk's size: "),
                Arguments.of(chunked + "-1\n", "not a chunk's size: -1"),
                Arguments.of(
                        chunked + "1234567812345678\n", "not a chunk's size: 1234567812345678"),
                Arguments.of(chunked + "1\nab\n", "a chunk that is longer than its size"),
                Arguments.of(ok + "Content-Length: 3\n\nab", "cut off"),
                Arguments.of(chunked + "3\nab", "cut off"),
                Arguments.of(chunked + "0\n", "cut off"),
                Arguments.of(ok + "A: b", "cut off"),
                Arguments.of(
                        ok + "\n" + "a".repeat(BODY_MAX + 1),
                        "content of more than 1000 bytes, the most that is kept"));
    }

    @ParameterizedTest
    @MethodSource("bad")
    void invalidResponseIsAFaultWhereverItIsSplit(String lines, String fault) {
        byte[] bytes = bytes(crlf(lines));
        var results = List.of(new Decoded(0, "", false, fault));
        assertEquals(results, decode(bytes, Use.BODY));
        for (int cut = 1; cut < bytes.length; cut++) {
            assertEquals(results, decode(bytes, Use.BODY, cut), "cut at " + cut);
        }
    }

    @Test
    void endlessHeadIsAFault() {
        var decoder = new ReplyDecoder();
        decoder.begin(false, Use.COUNT, 0);
        byte[] line = bytes("A: b\r\n");
        decoder.feed(bytes("HTTP/1.1 200 OK\r\n"), 0, 17);
        for (int i = 0; i < ReplyDecoder.HEAD_MAX / line.length + 1; i++) {
            decoder.feed(line, 0, line.length);
        }
        assertEquals("a head of more than 65536 bytes", decoder.fault());
    }

    @Test
    void responseToHeadHasNoContent() {
        var decoder = new ReplyDecoder();
        decoder.begin(true, Use.HEAD, 0);
        byte[] wire = bytes("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n");
        assertEquals(wire.length, decoder.feed(wire, 0, wire.length));
        assertTrue(decoder.isDone());
        assertTrue(decoder.isKept());
        assertEquals("Content-Length: 5\r\n\r\n", decoder.fields());
        assertEquals(wire.length, decoder.headBytes());
    }

    @Test
    void trailersCountAsFooter() {
        var decoder = new ReplyDecoder();
        decoder.begin(false, Use.COUNT, 0);
        String head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        byte[] wire = bytes(head + "0\r\nX: y\r\n\r\n");
        decoder.feed(wire, 0, wire.length);
        assertTrue(decoder.isDone());
        assertEquals(head.length(), decoder.headBytes());
        assertEquals(0, decoder.contentBytes());
        assertEquals("X: y\r\n\r\n".length(), decoder.footerBytes());
    }

    /// No input makes the decoder throw, and the split makes no difference.
    @Test
    void randomBytesDecodeTheSameHoweverTheyAreSplit() {
        var random = new Random(20261122);
        List<byte[]> seeds =
                Stream.concat(good(), bad())
                        .map(a -> bytes(crlf(String.valueOf(a.get()[0]))))
                        .toList();
        for (int round = 0; round < 3_000; round++) {
            byte[] wire = seeds.get(random.nextInt(seeds.size())).clone();
            for (int i = random.nextInt(4); i > 0; i--) {
                wire[random.nextInt(wire.length)] = "\r\n :;0a\0HC".getBytes()[random.nextInt(10)];
            }
            List<Decoded> whole = decode(wire, Use.BODY);
            int cut = 1 + random.nextInt(wire.length - 1);
            assertEquals(whole, decode(wire, Use.BODY, cut), () -> new String(wire));
        }
    }

    @Test
    void decoderHasNotBegunBeforeTheFirstByte() {
        var decoder = new ReplyDecoder();
        decoder.begin(false, Use.COUNT, 0);
        assertFalse(decoder.hasBegun());
        assertFalse(decoder.isDone());
        assertFalse(decoder.end());
        assertNull(decoder.fault());
    }
}
