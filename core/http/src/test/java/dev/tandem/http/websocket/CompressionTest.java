package dev.tandem.http.websocket;

import static dev.tandem.http.websocket.Frames.frame;
import static dev.tandem.http.websocket.Frames.hex;
import static dev.tandem.http.websocket.Frames.join;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.zip.Inflater;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CompressionTest {
    private static String events(byte[] input, int... cuts) {
        return Recorder.events(input, MessageLimits.DEFAULT, true, cuts);
    }

    /// RFC 7692, sections 7.2.3.1 to 7.2.3.6: in one frame, in two, without compression, with a
    /// final block, and in two blocks.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "f248cdc9c90700",
                "000500faff48656c6c6f00",
                "f348cdc9c9070000",
                "f248050000 00ffffcac9c90700"
            })
    void hellosOfTheRfc(String hex) {
        byte[] input = frame(0xC1, hex(hex));
        assertEquals("text 'Hello'\nbetween\n", events(input));
        for (int cut = 1; cut < input.length; cut++) {
            assertEquals("text 'Hello'\nbetween\n", events(input, cut));
            assertEquals("text 'Hello'\nbetween\n", streamEvents(input, cut));
        }
    }

    /// Each takes a microsecond for two bytes.
    @Test
    void messageOfManyFinalBlocksIsRefused() {
        byte[] blocks = hex("0300".repeat(5_000));
        assertEquals("failed 1007 not deflated\n", events(frame(0xC2, blocks)));
        assertEquals("failed 1007 not deflated\n", streamEvents(frame(0xC2, blocks)));
        byte[] some = hex("f348cdc9c90700".repeat(900) + "00");
        assertTrue(events(frame(0xC1, some)).startsWith("text '4500 bytes"));
    }

    private static String streamEvents(byte[] input, int... cuts) {
        return Recorder.streamEvents(input, MessageLimits.DEFAULT, cuts);
    }

    /// Of a bomb that is read as a stream, no call passes on more than a piece.
    @Test
    void streamIsDecompressedInPieces() {
        byte[] deflated = deflate(new byte[1 << 20], 15);
        ByteBuffer in = ByteBuffer.wrap(join(frame(0xC2, deflated), frame(0x89, "")));
        var pieces = new ArrayList<Integer>();
        try (var tools = new Inflation.Tools()) {
            var decoder =
                    new MessageDecoder(true, MessageLimits.DEFAULT, new Inflation(() -> tools));
            var listener =
                    new IgnoringListener() {
                        @Override
                        public boolean isStream(boolean isText) {
                            return true;
                        }

                        @Override
                        public void content(ByteBuffer piece) {
                            pieces.add(piece.remaining());
                        }
                    };
            assertTrue(decoder.decode(in, listener));
            assertTrue(decoder.isBeforeStreamContent());
            int calls = 0;
            while (decoder.decode(in, listener)) {
                assertTrue(pieces.size() <= ++calls, "several pieces by one call");
            }
            assertTrue(decoder.isBetweenMessages());
            assertEquals(0, decoder.heldBytes());
        }
        assertTrue(pieces.stream().allMatch(length -> length <= 8192));
        assertEquals(1 << 20, pieces.stream().mapToInt(length -> length).sum());
    }

    @Test
    void bombThatIsReadAsAStreamIsTooLarge() {
        byte[] bomb = frame(0xC2, deflate(new byte[100_000], 15));
        MessageLimits limits = MessageLimits.DEFAULT.withStreamMax(50_000);
        assertEquals("failed 1009 message too large\n", Recorder.streamEvents(bomb, limits));
        assertEquals(
                "failed 1009 message too large\n",
                Recorder.streamEvents(bomb, limits, bomb.length - 1));
    }

    /// What is not decompressed is not checked either; the next message is.
    @Test
    void restOfAStreamIsSkippedWhereverItIsDiscarded() {
        byte[] first = frame(0x42, Arrays.copyOf(deflate(new byte[20_000], 15), 20));
        byte[] input = join(first, frame(0x80, "rest"), frame(0x82, "next"));
        for (int after = 1; after < 8; after++) {
            assertEquals("next", afterDiscarding(input, after));
        }
    }

    /// @param calls of the decoder before the rest is discarded
    private static String afterDiscarding(byte[] input, int calls) {
        var last = new ByteArrayOutputStream();
        var listener =
                new IgnoringListener() {
                    @Override
                    public boolean isStream(boolean isText) {
                        return true;
                    }

                    @Override
                    public void begin(boolean isText) {
                        last.reset();
                    }

                    @Override
                    public void content(ByteBuffer piece) {
                        last.writeBytes(Frames.bytes(piece));
                    }

                    @Override
                    public void failed(CloseReason reason) {
                        last.writeBytes(reason.text().getBytes());
                    }
                };
        try (var tools = new Inflation.Tools()) {
            var decoder =
                    new MessageDecoder(true, MessageLimits.DEFAULT, new Inflation(() -> tools));
            ByteBuffer in = ByteBuffer.wrap(input.clone());
            for (int i = 0; i < calls; i++) {
                assertTrue(decoder.decode(in, listener));
            }
            decoder.discardStream();
            while (decoder.decode(in, listener)) {}
        }
        return last.toString();
    }

    /// Neither is their content checked. The rest of a message in fragments, compressed ones, one
    /// that is no UTF-8, and one that is not complete.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void onlyControlFramesAreReportedWhereAllMessagesAreDiscarded(boolean isStream) {
        byte[] first = frame(0x42, Arrays.copyOf(deflate(new byte[20_000], 15), 20));
        byte[] input =
                join(
                        first,
                        frame(0x89, ""),
                        frame(0x80, "rest"),
                        frame(0xC1, hex("ffffffff")),
                        frame(0x81, hex("c328")),
                        frame(0x02, "begun"),
                        frame(0x88, ""));
        for (int after = 0; after < 4; after++) {
            assertEquals("ping closed ", afterDiscardingAll(input, isStream, after));
        }
    }

    /// @param calls of the decoder before all are discarded
    private static String afterDiscardingAll(byte[] input, boolean isStream, int calls) {
        var events = new StringBuilder();
        var listener =
                new IgnoringListener() {
                    @Override
                    public boolean isStream(boolean isText) {
                        return isStream;
                    }

                    @Override
                    public void end() {
                        events.append("end ");
                    }

                    @Override
                    public void ping(byte[] payload) {
                        events.append("ping ");
                    }

                    @Override
                    public void closed(CloseReason reason) {
                        events.append("closed ");
                    }

                    @Override
                    public void failed(CloseReason reason) {
                        events.append(reason.text());
                    }
                };
        try (var tools = new Inflation.Tools()) {
            var decoder =
                    new MessageDecoder(true, MessageLimits.DEFAULT, new Inflation(() -> tools));
            ByteBuffer in = ByteBuffer.wrap(input.clone());
            for (int i = 0; i < calls; i++) {
                assertTrue(decoder.decode(in, listener));
            }
            decoder.discardMessages();
            assertEquals(0, decoder.heldBytes());
            while (decoder.decode(in, listener)) {
                assertFalse(decoder.isBeforeStreamContent() || decoder.isMessageDeflated());
            }
        }
        return events.toString();
    }

    @Test
    void fragmentsAreOneCompressedMessage() {
        byte[] input =
                join(frame(0x41, hex("f248cd")), frame(0x89, ""), frame(0x80, hex("c9c90700")));
        assertEquals("ping ''\ntext 'Hello'\nbetween\n", events(input));
    }

    @Test
    void messageMayBeUncompressedAllTheSame() {
        assertEquals("text 'Hello'\nbetween\n", events(frame(0x81, "Hello")));
    }

    @Test
    void reservedBitOfAContinuationIsAnError() {
        byte[] input = join(frame(0x41, hex("f248cd")), frame(0xC0, hex("c9c90700")));
        assertTrue(events(input).startsWith("failed 1002"), events(input));
    }

    @Test
    void contentThatIsNotDeflatedIsAnError() {
        String events = events(frame(0xC1, hex("ffffffff")));
        assertTrue(events.startsWith("failed 1007"), events);
    }

    @Test
    void decompressedTextMustBeUtf8() {
        byte[] deflated = deflate(hex("61c328"), 15);
        String events = events(frame(0xC1, deflated));
        assertTrue(events.startsWith("failed 1007"), events);
    }

    /// Decompression may take long: the caller chooses the thread.
    @Test
    void messageIsDecompressedByACallOfItsOwn() {
        ByteBuffer in = ByteBuffer.wrap(join(frame(0xC1, hex("f248cdc9c90700")), frame(0x89, "")));
        try (var tools = new Inflation.Tools()) {
            var decoder =
                    new MessageDecoder(true, MessageLimits.DEFAULT, new Inflation(() -> tools));
            var nothing = new IgnoringListener();
            while (!decoder.isMessageDeflated()) {
                assertTrue(decoder.decode(in, nothing));
            }
            int left = in.remaining();
            assertTrue(left > 0, "it has decoded the ping, too");
            assertTrue(decoder.heldBytes() > 0);
            assertTrue(decoder.decode(in, nothing));
            assertEquals(left, in.remaining());
            assertEquals(0, decoder.heldBytes());
            assertTrue(decoder.isBetweenMessages());
        }
    }

    /// 100 MB of zeros in 100 KB: the session ends at the limit, and no more is decompressed.
    @Test
    void bombIsStoppedAtTheLimit() {
        byte[] bomb = deflate(new byte[100_000_000], 15);
        assertTrue(bomb.length < 500_000, bomb.length + " bytes");
        String events = events(frame(0xC2, bomb));
        assertTrue(events.startsWith("failed 1009"), events);
    }

    private static byte[] deflate(byte[] message, int windowBits) {
        try (var deflation = new Deflation(6)) {
            return deflation.deflate(ByteBuffer.wrap(message), windowBits);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "0, 15",
        "1, 15",
        "100, 15",
        "70000, 15",
        "70000, 10",
        "70000, 8",
        "256, 8",
        "257, 8"
    })
    void compressedMessageComesBack(int length, int windowBits) {
        var message = new byte[length];
        var random = new Random(length);
        for (int i = 0; i < length; i++) {
            message[i] = (byte) (random.nextInt(4) + 'a');
        }
        byte[] deflated = deflate(message, windowBits);
        assertArrayEquals(message, inflate(deflated));
        assertTrue(length < 100 || deflated.length < length, deflated.length + " bytes");
        var joined = new ByteArrayOutputStream();
        try (var tools = new Inflation.Tools()) {
            var inflation = new Inflation(() -> tools);
            inflation.add(ByteBuffer.wrap(deflated));
            inflation.inflate(
                    100_000,
                    piece -> {
                        joined.writeBytes(Frames.bytes(piece));
                        return true;
                    });
        }
        assertArrayEquals(message, joined.toByteArray());
    }

    /// By the JDK alone.
    private static byte[] inflate(byte[] deflated) {
        var inflater = new Inflater(true);
        inflater.setInput(join(deflated, hex("0000ffff")));
        var out = new ByteArrayOutputStream();
        var buffer = new byte[1000];
        try {
            for (int count = inflater.inflate(buffer);
                    count > 0;
                    count = inflater.inflate(buffer)) {
                out.write(buffer, 0, count);
            }
        } catch (java.util.zip.DataFormatException e) {
            throw new AssertionError(e);
        } finally {
            inflater.end();
        }
        return out.toByteArray();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "permessage-deflate | 15",
                "permessage-deflate; client_max_window_bits | 15",
                "permessage-deflate; client_max_window_bits=10 | 15",
                "permessage-deflate; server_max_window_bits=10 | 10",
                "permessage-deflate; server_max_window_bits=15 | 15",
                "permessage-deflate; server_max_window_bits=\"9\" | 9",
                "permessage-deflate; server_no_context_takeover; client_no_context_takeover | 15",
                "x-webkit-deflate-frame, permessage-deflate | 15",
                "permessage-deflate; server_max_window_bits=16, permessage-deflate | 15",
            })
    void offerIsAccepted(String offers, int windowBits) {
        DeflateTerms terms = Objects.requireNonNull(DeflateTerms.of(offers));
        assertEquals(windowBits, terms.windowBits());
        // Only what was offered, and 15 too if it was (section 7.1.2.1).
        boolean isNamed = terms.response().endsWith("; server_max_window_bits=" + windowBits);
        boolean isOffered = terms.windowBits() < 15 || offers.endsWith("server_max_window_bits=15");
        assertEquals(isOffered, isNamed, terms.response());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x-webkit-deflate-frame",
                "permessage-deflate; server_max_window_bits",
                "permessage-deflate; server_max_window_bits=7",
                "permessage-deflate; server_max_window_bits=08",
                "permessage-deflate; client_max_window_bits=99",
                "permessage-deflate; server_no_context_takeover=1",
                "permessage-deflate; server_no_context_takeover; server_no_context_takeover",
                "permessage-deflate; unknown",
            })
    void offerIsDeclined(String offers) {
        assertNull(DeflateTerms.of(offers));
    }
}
