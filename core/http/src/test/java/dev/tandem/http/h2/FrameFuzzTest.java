package dev.tandem.http.h2;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// `-Dtandem.fuzz.rounds` sets how many connections are tried with each seed.
class FrameFuzzTest {
    private static final int ROUNDS = Integer.getInteger("tandem.fuzz.rounds", 3_000);

    @ParameterizedTest
    @ValueSource(longs = {1, 9113, 9218})
    void smoke(long seed) {
        FrameFuzz.run(seed, ROUNDS, FrameFuzz::decode);
    }

    /// Tests the fuzzer itself: it must find injected bugs.
    @Test
    void fuzzerFindsDecoderThatLosesPadding() {
        assertFinds(
                (input, cuts) ->
                        FrameFuzz.decode(input, cuts).replaceAll("(DATA [0-9]+ '') 1\n", "$1 0\n"));
    }

    @Test
    void fuzzerFindsDecoderThatLosesStateAtSplit() {
        assertFinds(
                (input, cuts) ->
                        cuts.length > 0 && cuts[0] % 9 == 6
                                ? FrameFuzz.decode(Arrays.copyOf(input, cuts[0]))
                                : FrameFuzz.decode(input, cuts));
    }

    @Test
    void fuzzerFindsDecoderThatAcceptsAnIncrementOfZero() {
        assertFinds(
                (input, cuts) ->
                        FrameFuzz.decode(input, cuts)
                                .replaceAll(
                                        "\nerror PROTOCOL_ERROR: WINDOW_UPDATE of 0 bytes", ""));
    }

    @Test
    void failureNamesItsSeed() {
        FrameFuzz.Subject broken = (input, cuts) -> "";
        Matcher seed = Pattern.compile("seed (-?[0-9]+)L").matcher(assertFinds(broken));
        assertTrue(seed.find());
        long found = Long.parseLong(seed.group(1));
        assertThrows(AssertionError.class, () -> FrameFuzz.one(found, broken));
    }

    private static String assertFinds(FrameFuzz.Subject broken) {
        var failure = assertThrows(AssertionError.class, () -> FrameFuzz.run(1, 3_000, broken));
        return String.valueOf(failure.getMessage());
    }
}
