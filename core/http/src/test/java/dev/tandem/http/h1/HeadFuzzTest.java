package dev.tandem.http.h1;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HeadFuzzTest {

    @ParameterizedTest
    @MethodSource("seeds")
    void smoke(long seed) {
        HeadFuzz.run(seed, FuzzSeeds.ROUNDS, HeadFuzz::decode);
    }

    @ParameterizedTest
    @MethodSource("inputs")
    void knownInputs(String input) {
        HeadFuzz.check(input, new Random(1), HeadFuzz::decode);
    }

    /// Tests the fuzzer itself: it must find injected bugs.
    @Test
    void fuzzerFindsDecoderThatAcceptsSignInLength() {
        assertFinds(planted("(?i)(\r\nContent-Length: *)\\+([0-9]+)\r\n", "$1$2 \r\n"));
    }

    @Test
    void fuzzerFindsDecoderThatAcceptsBlankBeforeColon() {
        assertFinds(planted("(\r\n[A-Za-z-]+)[ \t]:", "$1: "));
    }

    @Test
    void fuzzerFindsDecoderThatAcceptsLineFeedAlone() {
        assertFinds((wire, cuts) -> HeadFuzz.decode(wire.replaceAll("(?<!\r)\n", "\r\n"), cuts));
    }

    @Test
    void fuzzerFindsDecoderThatLosesStateAtSplit() {
        assertFinds(
                (wire, cuts) ->
                        cuts.length > 0 && wire.startsWith("\r", cuts[0])
                                ? "INCOMPLETE"
                                : HeadFuzz.decode(wire, cuts));
    }

    @Test
    void failureNamesItsSeed() {
        HeadFuzz.Subject broken = planted("(?i)(Content-Length: *)\\+", "$1");
        Matcher seed = Pattern.compile("seed (-?[0-9]+)L").matcher(assertFinds(broken));
        assertTrue(seed.find());
        long found = Long.parseLong(seed.group(1));
        assertThrows(AssertionError.class, () -> HeadFuzz.one(found, broken));
    }

    /// The decoder with a bug: it treats input that matches `wrong` as `right`.
    private static HeadFuzz.Subject planted(String wrong, String right) {
        return (wire, cuts) -> {
            String read = wire.replaceAll(wrong, right);
            return read.length() == wire.length()
                    ? HeadFuzz.decode(read, cuts)
                    : HeadFuzz.decode(read);
        };
    }

    private static String assertFinds(HeadFuzz.Subject broken) {
        var failure = assertThrows(AssertionError.class, () -> HeadFuzz.run(1, 3_000, broken));
        return String.valueOf(failure.getMessage());
    }

    private static List<Long> seeds() {
        return FuzzSeeds.numbers("head-seeds.txt");
    }

    private static List<String> inputs() {
        return FuzzSeeds.inputs("head-inputs.txt");
    }
}
