package dev.tandem.http.h1;

import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ChunkFuzzTest {

    @ParameterizedTest
    @MethodSource("seeds")
    void smoke(long seed) {
        ChunkFuzz.run(seed, FuzzSeeds.ROUNDS, ChunkFuzz::decode);
    }

    @ParameterizedTest
    @MethodSource("inputs")
    void knownInputs(String input) {
        ChunkFuzz.check(input, new Random(1), ChunkFuzz::decode);
    }

    /// Tests the fuzzer itself: it must find injected bugs.
    @Test
    void fuzzerFindsDecoderThatAcceptsSignInSize() {
        assertFinds(
                (wire, capacity, cuts) ->
                        ChunkFuzz.decode(wire.replaceFirst("^\\+", ""), capacity));
    }

    @Test
    void fuzzerFindsDecoderThatAcceptsBlankAfterSize() {
        assertFinds(
                (wire, capacity, cuts) ->
                        ChunkFuzz.decode(wire.replaceFirst("^([0-9a-f]+) \r", "$1\r"), capacity));
    }

    @Test
    void fuzzerFindsDecoderThatConsumesOneByteTooMany() {
        assertFinds(
                (wire, capacity, cuts) -> {
                    SplitInput.BodyReading read = ChunkFuzz.decode(wire, capacity, cuts);
                    boolean isFollowed = read.consumed() >= 0 && read.consumed() < wire.length();
                    return new SplitInput.BodyReading(
                            read.content(),
                            read.end(),
                            read.trailers(),
                            read.consumed() + (isFollowed ? 1 : 0));
                });
    }

    private static void assertFinds(ChunkFuzz.Subject broken) {
        assertThrows(AssertionError.class, () -> ChunkFuzz.run(1, 3_000, broken));
    }

    private static List<Long> seeds() {
        return FuzzSeeds.numbers("chunk-seeds.txt");
    }

    private static List<String> inputs() {
        return FuzzSeeds.inputs("chunk-inputs.txt");
    }
}
