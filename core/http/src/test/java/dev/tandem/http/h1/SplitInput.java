package dev.tandem.http.h1;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.http.MalformedMessage;
import dev.tandem.http.h1.RequestHeadDecoder.Result;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Decodes what tests write as strings, one character a byte, and each in every way that it can
/// come: in one piece, in two cut at every point, and byte by byte. All must come to the same.
final class SplitInput {
    private static final Http1Limits LIMITS = Http1Limits.DEFAULT;

    private SplitInput() {}

    static byte[] bytes(String wire) {
        return wire.getBytes(StandardCharsets.ISO_8859_1);
    }

    static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    /// `wire` with its controls in sight, on one line.
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

    /// The head of `wire`, which is accepted.
    static Http1RequestHead head(String wire) {
        return head(LIMITS, wire);
    }

    static Http1RequestHead head(Http1Limits limits, String wire) {
        RequestHeadDecoder decoder = decode(limits, wire);
        assertEquals(Result.COMPLETE, result(decoder), () -> description(decoder));
        return decoder.head();
    }

    /// Why the head of `wire` is refused.
    static MalformedMessage bad(String wire) {
        return bad(LIMITS, wire);
    }

    static MalformedMessage bad(Http1Limits limits, String wire) {
        RequestHeadDecoder decoder = decode(limits, wire);
        assertEquals(Result.MALFORMED, result(decoder), () -> description(decoder));
        return decoder.error();
    }

    /// A request of HTTP/1.1 with those field lines, each ended by CRLF, and a Host.
    static String request(String fieldLines) {
        return "POST /form HTTP/1.1\r\nHost: a.example\r\n" + fieldLines + "\r\n";
    }

    /// What a decoder made of `wire`: the same however it is cut.
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

    /// In two pieces, the second time in another array at another place, with what the first call
    /// left in the one before.
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

    /// Everything that the decoder says, to be compared and read.
    static String description(RequestHeadDecoder decoder) {
        return switch (result(decoder)) {
            case INCOMPLETE -> "MORE";
            case MALFORMED -> decoder.error().toString();
            case COMPLETE -> description(decoder.head());
        };
    }

    static String description(Http1RequestHead head) {
        return ParsedHead.of(head).toString();
    }

    /// What a chunked body came to: its bytes, or why it is refused, and how much input it took.
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
    /// @param end `done`, `more`, or the refusal's status and reason
    /// @param trailers a line each
    /// @param consumed how many bytes of input, when done
    record BodyReading(String content, String end, String trailers, int consumed) {

        /// Decodes `bytes` in pieces that end at the `cuts` and at the end, into arrays with room
        /// for `room` bytes.
        static BodyReading of(BodyDecoder decoder, int room, byte[] bytes, int... cuts) {
            var content = new StringBuilder();
            int consumed = 0;
            for (int i = 0; i <= cuts.length; i++) {
                int to = i < cuts.length ? cuts[i] : bytes.length;
                ByteBuffer in = ByteBuffer.wrap(bytes, consumed, to - consumed);
                drain(decoder, in, room, content);
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

        private static void drain(BodyDecoder decoder, ByteBuffer in, int room, StringBuilder out) {
            var to = new byte[room + 2];
            int taken;
            do {
                taken = decoder.decode(in, to, 1, room);
                out.append(text(to, 1, 1 + taken));
            } while (taken > 0);
            assertEquals(0, to[0] + to[room + 1], "written beyond the room");
        }
    }
}
