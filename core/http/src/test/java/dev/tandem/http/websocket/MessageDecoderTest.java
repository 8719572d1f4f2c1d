package dev.tandem.http.websocket;

import static dev.tandem.http.websocket.Frames.frame;
import static dev.tandem.http.websocket.Frames.hex;
import static dev.tandem.http.websocket.Frames.join;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageDecoderTest {
    private static final int TEXT = 0x81;
    private static final int BINARY = 0x82;
    private static final int CLOSE = 0x88;
    private static final int PING = 0x89;

    /// RFC 6455, section 5.7.
    @Test
    void maskedTextOfTheRfc() {
        assertEquals("text 'Hello'\nbetween\n", Recorder.events(hex("818537fa213d7f9f4d5158")));
    }

    /// RFC 6455, section 5.7: a server's frames, as a client receives them.
    @Test
    void clientTakesFramesWithoutMask() {
        var recorded = new StringBuilder();
        var decoder = new MessageDecoder(false, MessageLimits.DEFAULT, null);
        ByteBuffer in = ByteBuffer.wrap(hex("01 03 48656c 80 02 6c6f"));
        var listener =
                new IgnoringListener() {
                    @Override
                    public void content(ByteBuffer piece) {
                        recorded.append(new String(Frames.bytes(piece)));
                    }

                    @Override
                    public void end() {
                        recorded.append('.');
                    }
                };
        while (decoder.decode(in, listener)) {}
        assertEquals("Hello.", recorded.toString());
    }

    static Stream<Arguments> conversations() {
        return Stream.of(
                Arguments.of(frame(TEXT, "Grüße €𝄞"), "text 'Grüße €𝄞'\nbetween\n"),
                Arguments.of(frame(TEXT, ""), "text ''\nbetween\n"),
                Arguments.of(
                        join(frame(TEXT, "a"), frame(BINARY, "b")),
                        "text 'a'\nbinary 'b'\nbetween\n"),
                Arguments.of(
                        join(
                                frame(0x01, "fr"),
                                frame(PING, "p"),
                                frame(0x00, ""),
                                frame(0x80, "x")),
                        "ping 'p'\ntext 'frx'\nbetween\n"),
                Arguments.of(join(frame(0x01, "in a message")), ""),
                Arguments.of(frame(0x8A, "late"), "pong 'late'\nbetween\n"),
                Arguments.of(
                        frame(CLOSE, join(hex("03e8"), "bye".getBytes())), "closed 1000 'bye'\n"),
                Arguments.of(frame(CLOSE, ""), "closed 1005 ''\n"),
                Arguments.of(
                        join(frame(CLOSE, hex("0bb8")), frame(TEXT, "after")), "closed 3000 ''\n"),
                Arguments.of(
                        frame(BINARY, new byte[126]),
                        "binary '" + "\0".repeat(126) + "'\nbetween\n"),
                Arguments.of(
                        frame(BINARY, new byte[70_000]),
                        "binary '70000 bytes, "
                                + java.util.Arrays.hashCode(new byte[70_000])
                                + "'\nbetween\n"));
    }

    @ParameterizedTest
    @MethodSource("conversations")
    void eventsDoNotDependOnWhereTheInputIsCut(byte[] input, String expected) {
        String whole = Recorder.events(input);
        assertEquals(expected, whole);
        for (int cut = 1; cut < Math.min(input.length, 200); cut++) {
            assertEquals(whole, Recorder.events(input, cut), "cut at " + cut);
        }
        if (input.length < 60) {
            for (int first = 1; first < input.length; first++) {
                for (int second = first; second < input.length; second++) {
                    assertEquals(whole, Recorder.events(input, first, second));
                }
            }
        }
    }

    static Stream<Arguments> violations() {
        return Stream.of(
                Arguments.of("frame without a mask", hex("810548656c6c6f"), 1002),
                Arguments.of("unknown opcode 3", frame(0x83, ""), 1002),
                Arguments.of("unknown opcode 11", frame(0x8B, ""), 1002),
                Arguments.of("reserved bit 1", frame(0xC1, "a"), 1002),
                Arguments.of("reserved bit 2", frame(0xA1, "a"), 1002),
                Arguments.of("reserved bit 3", frame(0x91, "a"), 1002),
                Arguments.of("reserved bit in ping", frame(0xC9, "a"), 1002),
                Arguments.of("fragmented ping", frame(0x09, "a"), 1002),
                Arguments.of("long ping", frame(PING, new byte[126]), 1002),
                Arguments.of("continuation of nothing", frame(0x80, "a"), 1002),
                Arguments.of("text in text", join(frame(0x01, "a"), frame(TEXT, "b")), 1002),
                Arguments.of("length 5 in 2 bytes", hex("81fe0005 00000000 4142434445"), 1002),
                Arguments.of("length 5 in 8 bytes", hex("81ff0000000000000005 00000000"), 1002),
                Arguments.of("negative length", hex("82ff8000000000000000 00000000"), 1002),
                Arguments.of("huge length", hex("82ff7fffffffffffffff 00000000"), 1009),
                Arguments.of("close code of 1 byte", frame(CLOSE, "a"), 1002),
                Arguments.of("close code 1005", frame(CLOSE, hex("03ed")), 1002),
                Arguments.of("close code 999", frame(CLOSE, hex("03e7")), 1002),
                Arguments.of("close code 5000", frame(CLOSE, hex("1388")), 1002),
                Arguments.of("close text", frame(CLOSE, hex("03e8ff")), 1007),
                Arguments.of("text not UTF-8", frame(TEXT, hex("c328")), 1007),
                Arguments.of("text ends in a character", frame(TEXT, hex("e282")), 1007),
                Arguments.of(
                        "fragments end in a character",
                        join(frame(0x01, "a"), frame(0x80, hex("f09d"))),
                        1007));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("violations")
    void violationClosesTheSession(String name, byte[] input, int code) {
        String events = Recorder.events(join(input, frame(TEXT, "never")));
        String last =
                events.lines().filter(line -> line.startsWith("failed")).findFirst().orElse("");
        assertEquals("failed " + code, last.substring(0, Math.min(11, last.length())), events);
    }

    /// Text that is not UTF-8 is found as soon as it is received.
    @Test
    void invalidTextIsFoundBeforeItsMessageEnds() {
        byte[] input = frame(0x01, hex("61ff62636465"));
        byte[] begun = java.util.Arrays.copyOf(input, input.length - 3);
        assertEquals(
                "failed 1007 text is not UTF-8\n", Recorder.events(begun).replace("between\n", ""));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 5})
    void messageOfTheLongestSizeIsTaken(int frames) {
        var limits = new MessageLimits(10, 10);
        assertEquals(
                "text '0123456789'\nbetween\n",
                Recorder.events(inFrames(frames, "0123456789"), limits, false));
        assertEquals(
                "failed 1009 message too large\n",
                Recorder.events(inFrames(frames, "01234567890"), limits, false)
                        .replace("between\n", ""));
    }

    private static byte[] inFrames(int frames, String text) {
        byte[] all = {};
        int from = 0;
        for (int i = 1; i <= frames; i++) {
            int to = text.length() * i / frames;
            int first = (i == 1 ? 1 : 0) | (i == frames ? 0x80 : 0);
            all = join(all, frame(first, text.substring(from, to)));
            from = to;
        }
        return all;
    }

    @Test
    void framesAreBounded() {
        var limits = new MessageLimits(20, 10, 5);
        byte[] two = join(frame(0x01, "0123456789"), frame(0x80, "0123456789"));
        assertEquals("text '01234567890123456789'\nbetween\n", Recorder.events(two, limits, false));
        assertEquals(
                "failed 1009 frame too large\n",
                Recorder.events(frame(0x81, "01234567890"), limits, false)
                        .replace("between\n", ""));
    }

    @Test
    void fragmentsAreBounded() {
        var limits = new MessageLimits(10, 3);
        byte[] empty = frame(0x00, "");
        byte[] three = join(frame(0x01, ""), empty, frame(0x80, ""));
        assertEquals("text ''\nbetween\n", Recorder.events(three, limits, false));
        byte[] four = join(frame(0x01, ""), empty, empty, frame(0x80, ""));
        assertEquals(
                "failed 1008 too many fragments\n",
                Recorder.events(four, limits, false).replace("between\n", ""));
    }
}
