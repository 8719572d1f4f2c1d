package dev.tandem.http.h1;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.http.MalformedMessage;
import dev.tandem.http.h1.RequestHeadDecoder.Result;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Decodes input that tests specify as strings, one character per byte, in every way that it can be
/// split: in one piece, in two pieces split at every point, and byte by byte. All results must be
/// equal.
final class SplitInput {
    private static final Http1Limits LIMITS = Http1Limits.DEFAULT;

    private SplitInput() {}

    static byte[] bytes(String wire) {
        return wire.getBytes(StandardCharsets.ISO_8859_1);
    }

    static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    /// Returns `wire` on one line, with visible control characters.
    static String visible(String wire) {
        var line = new StringBuilder();
        for (char c : wire.toCharArray()) {
            switch (c) {
                case '\r' -> line.append("\\r");
                case '\n' -> line.append("\\n");
                default -> {
                    if (c >= ' ' && c < 0x7F) {
                        line.append(c);
                    } else {
                        line.append("\\x%02x".formatted((int) c));
                    }
                }
            }
        }
        return line.toString();
    }

    /// Returns the head of `wire`, which must be accepted.
    static Http1RequestHead head(String wire) {
        return head(LIMITS, wire);
    }

    static Http1RequestHead head(Http1Limits limits, String wire) {
        RequestHeadDecoder decoder = decode(limits, wire);
        assertEquals(Result.COMPLETE, result(decoder), () -> description(decoder));
        return decoder.head();
    }

    /// Returns the error in the head of `wire`.
    static MalformedMessage bad(String wire) {
        return bad(LIMITS, wire);
    }

    static MalformedMessage bad(Http1Limits limits, String wire) {
        RequestHeadDecoder decoder = decode(limits, wire);
        assertEquals(Result.MALFORMED, result(decoder), () -> description(decoder));
        return decoder.error();
    }

    /// Returns an HTTP/1.1 request with the given header lines, each terminated by CRLF, and a
    /// Host.
    static String request(String fieldLines) {
        return "POST /form HTTP/1.1\r\nHost: a.example\r\n" + fieldLines + "\r\n";
    }

    /// Returns the decoder's result for `wire`, which is the same for every split.
    static RequestHeadDecoder decode(Http1Limits limits, String wire) {
        byte[] bytes = bytes(wire);
        var whole = new RequestHeadDecoder(limits);
        whole.decode(bytes.clone(), 0, bytes.length);
        String expected = description(whole);
        for (int cut = 0; cut <= bytes.length; cut++) {
            assertEquals(expected, inTwo(limits, bytes, cut), "cut at " + cut);
        }
        assertEquals(expected, byteByByte(limits, bytes), "byte by byte");
        return whole;
    }

    /// Decodes in two pieces, the second call with another array and position.
    static String inTwo(Http1Limits limits, byte[] bytes, int cut) {
        var decoder = new RequestHeadDecoder(limits);
        var first = Arrays.copyOf(bytes, cut);
        decoder.decode(first, 0, cut);
        int shift = 1 + cut % 7;
        var moved = new byte[shift + bytes.length];
        System.arraycopy(first, 0, moved, shift, cut);
        System.arraycopy(bytes, cut, moved, shift + cut, bytes.length - cut);
        decoder.decode(moved, shift, moved.length);
        return description(decoder);
    }

    static String byteByByte(Http1Limits limits, byte[] bytes) {
        var decoder = new RequestHeadDecoder(limits);
        var kept = bytes.clone();
        for (int to = 1; to <= bytes.length; to++) {
            decoder.decode(kept, 0, to);
        }
        return description(decoder);
    }

    private static Result result(RequestHeadDecoder decoder) {
        return decoder.decode(new byte[0], 0, 0);
    }

    /// Returns the complete state of the decoder, for comparison and messages.
    static String description(RequestHeadDecoder decoder) {
        return switch (result(decoder)) {
            case INCOMPLETE -> "INCOMPLETE";
            case MALFORMED -> decoder.error().toString();
            case COMPLETE -> description(decoder.head());
        };
    }

    static String description(Http1RequestHead head) {
        return ParsedHead.of(head).toString();
    }

    /// The result for a chunked body: its bytes or the error, and the number of consumed bytes.
    static BodyReading chunked(String wire) {
        return chunked(LIMITS, wire);
    }

    static BodyReading chunked(Http1Limits limits, String wire) {
        byte[] bytes = bytes(wire);
        BodyReading expected = BodyReading.of(new ChunkedDecoder(limits), 64, bytes);
        for (int cut = 0; cut <= bytes.length; cut++) {
            var inTwo = BodyReading.of(new ChunkedDecoder(limits), 64, bytes, cut);
            assertEquals(expected, inTwo, "cut at " + cut);
        }
        int[] everywhere = new int[bytes.length];
        Arrays.setAll(everywhere, i -> i);
        assertEquals(expected, BodyReading.of(new ChunkedDecoder(limits), 64, bytes, everywhere));
        assertEquals(expected, BodyReading.of(new ChunkedDecoder(limits), 1, bytes), "room for 1");
        return expected;
    }

    /// @param content the bytes decoded
    /// @param end `done`, `more`, or the status and reason of the error
    /// @param trailers a line each
    /// @param consumed how many bytes of input, when done
    record BodyReading(String content, String end, String trailers, int consumed) {

        /// Decodes `bytes` in pieces that end at the `cuts` and at the end, into arrays with
        /// `capacity` bytes.
        static BodyReading of(BodyDecoder decoder, int capacity, byte[] bytes, int... cuts) {
            var content = new StringBuilder();
            int consumed = 0;
            for (int i = 0; i <= cuts.length; i++) {
                int to = i < cuts.length ? cuts[i] : bytes.length;
                ByteBuffer in = ByteBuffer.wrap(bytes, consumed, to - consumed);
                drain(decoder, in, capacity, content);
                consumed = in.position();
                if (decoder.isDone() || decoder.error() != null) {
                    break;
                }
            }
            MalformedMessage error = decoder.error();
            String open = decoder.isDone() ? "done" : "more";
            return new BodyReading(
                    content.toString(),
                    error == null ? open : error.status() + " " + error.reason(),
                    decoder.trailers().toString(),
                    decoder.isDone() ? consumed : -1);
        }

        private static void drain(
                BodyDecoder decoder, ByteBuffer in, int capacity, StringBuilder out) {
            var to = new byte[capacity + 2];
            int taken;
            do {
                taken = decoder.decode(in, to, 1, capacity);
                out.append(text(to, 1, 1 + taken));
            } while (taken > 0);
            assertEquals(0, to[0] + to[capacity + 1], "written beyond the room");
        }
    }
}
