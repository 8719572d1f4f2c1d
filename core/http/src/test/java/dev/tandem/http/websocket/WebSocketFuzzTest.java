package dev.tandem.http.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Random conversations: valid ones give what was sent; changed ones anything but a failure of the
/// decoder, and the same however they are cut. `-Dtandem.fuzz.rounds` sets how many are tried with
/// each seed.
class WebSocketFuzzTest {
    private static final int ROUNDS = Integer.getInteger("tandem.fuzz.rounds", 3_000) / 4;
    private static final MessageLimits LIMITS = new MessageLimits(3_000, 8);

    private static final MessageLimits STREAM_LIMITS = LIMITS.withStreamMax(3_000);

    private Random random = new Random(0);
    private final StringBuilder expected = new StringBuilder();

    /// What is tested: events of an input that is cut into pieces.
    @FunctionalInterface
    private interface Subject {
        String events(byte[] input, int... cuts);
    }

    private Subject subject = WebSocketFuzzTest::decode;

    private static String decode(byte[] input, int... cuts) {
        return Recorder.events(input, LIMITS, true, cuts);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 6455, 7692})
    void smoke(long seed) {
        run(seed, ROUNDS);
    }

    private void run(long seed, int rounds) {
        for (int round = 0; round < rounds; round++) {
            long own = seed * 1_000_003 + round;
            random = new Random(own);
            one("seed " + own + "L");
        }
    }

    // ---- Tests of the fuzzer itself: it must find injected bugs.

    private void assertFinds(Subject broken) {
        subject = broken;
        assertThrows(AssertionError.class, () -> run(1, 3_000));
    }

    @Test
    void fuzzerFindsDecoderThatLosesStateAtSplit() {
        assertFinds(
                (input, cuts) ->
                        cuts.length > 0 && cuts[0] % 9 == 6
                                ? decode(Arrays.copyOf(input, cuts[0]))
                                : decode(input, cuts));
    }

    @Test
    void fuzzerFindsDecoderThatLosesPings() {
        assertFinds((input, cuts) -> decode(input, cuts).replaceAll("ping 'p3'\n", ""));
    }

    @Test
    void fuzzerFindsDecoderThatTakesTextForBinary() {
        assertFinds((input, cuts) -> decode(input, cuts).replaceAll("text '€'", "binary '€'"));
    }

    @Test
    void fuzzerFindsDecoderThatThrows() {
        assertFinds(
                (input, cuts) -> {
                    String events = decode(input, cuts);
                    if (events.contains("failed 1007")) {
                        throw new AssertionError("as a test wants");
                    }
                    return events;
                });
    }

    // ----

    private void one(String name) {
        expected.setLength(0);
        byte[] input = {};
        for (int i = random.nextInt(5); i >= 0; i--) {
            input = Frames.join(input, message());
        }
        if (random.nextInt(4) == 0) {
            input = Frames.join(input, Frames.frame(0x88, Frames.hex("03e8")));
            expected.append("closed 1000 ''\n");
        } else {
            expected.append("between\n");
        }
        assertEquals(expected.toString(), subject.events(input, cuts(input)), name);
        assertEquals(expected.toString(), stream(input, cuts(input)), name);
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            input[random.nextInt(input.length)] = (byte) random.nextInt(256);
        }
        String whole = subject.events(input);
        assertEquals(whole, subject.events(input, cuts(input)), name);
        assertEquals(stream(input), stream(input, cuts(input)), name);
    }

    /// Of messages that are read as streams. Which error is found first in one that is neither
    /// deflated nor text depends on the cuts.
    private static String stream(byte[] input, int... cuts) {
        return Recorder.streamEvents(input, STREAM_LIMITS, cuts)
                .replaceAll("failed 1007 .*", "failed 1007");
    }

    private int[] cuts(byte[] input) {
        return random.ints(random.nextInt(6), 0, input.length + 1).sorted().toArray();
    }

    /// Returns the frames of a message, perhaps compressed, with pings among them.
    private byte[] message() {
        boolean isText = random.nextBoolean();
        boolean isCompressed = random.nextBoolean();
        byte[] content = content(isText);
        byte[] sent = isCompressed ? compressed(content) : content;
        int count = 1 + random.nextInt(4);
        byte[] all = {};
        int from = 0;
        for (int i = 1; i <= count; i++) {
            int to = sent.length * i / count;
            int first = i > 1 ? 0 : (isCompressed ? 0x40 : 0) | (isText ? 1 : 2);
            byte[] payload = Arrays.copyOfRange(sent, from, to);
            all = Frames.join(all, Frames.frame(i == count ? first | 0x80 : first, payload));
            if (i < count && random.nextInt(3) == 0) {
                all = Frames.join(all, Frames.frame(0x89, "p" + i));
                expected.append("ping 'p").append(i).append("'\n");
            }
            from = to;
        }
        var recorder = new String(content, StandardCharsets.UTF_8);
        expected.append(isText ? "text '" : "binary '")
                .append(
                        content.length > 200
                                ? content.length + " bytes, " + Arrays.hashCode(content)
                                : recorder)
                .append("'\n");
        return all;
    }

    private byte[] content(boolean isText) {
        int length = random.nextInt(8) == 0 ? random.nextInt(700) : random.nextInt(30);
        if (!isText) {
            var bytes = new byte[length];
            random.nextBytes(bytes);
            return bytes;
        }
        var text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.appendCodePoint(new int[] {'a', 'ü', '€', 0x1D11E}[random.nextInt(4)]);
        }
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    private byte[] compressed(byte[] content) {
        try (var deflation = new Deflation(1)) {
            return deflation.deflate(ByteBuffer.wrap(content), 8 + random.nextInt(8));
        }
    }
}
