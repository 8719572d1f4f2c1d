package dev.tandem.tls;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ClientHelloFuzzTest {
    /// The number of messages per seed in a smoke run; `-Dtandem.fuzz.rounds` sets another.
    private static final int ROUNDS = Integer.getInteger("tandem.fuzz.rounds", 3_000);

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 20261122, -7046029254386353131L, 8446})
    void smoke(long seed) {
        ClientHelloFuzz.run(seed, ROUNDS, ClientHelloFuzz::read);
    }

    /// Tests the fuzzer itself: it must find injected bugs.
    @Test
    void fuzzerFindsReaderThatLosesStateAtSplit() {
        assertFinds(
                (wire, cuts) ->
                        cuts.length > 0 && cuts[0] == 5
                                ? "INCOMPLETE"
                                : ClientHelloFuzz.read(wire, cuts));
    }

    @Test
    void fuzzerFindsReaderThatConsumesTooMuch() {
        assertFinds((wire, cuts) -> ClientHelloFuzz.read(wire, cuts).replaceAll("in .*", "in 1"));
    }

    @Test
    void fuzzerFindsReaderThatMissesResumption() {
        assertFinds(
                (wire, cuts) ->
                        ClientHelloFuzz.read(wire, cuts)
                                .replace("hasPreSharedKey=true", "hasPreSharedKey=false"));
    }

    @Test
    void fuzzerFindsReaderThatThrows() {
        assertFinds(
                (wire, cuts) -> {
                    String read = ClientHelloFuzz.read(wire, cuts);
                    if (read.endsWith("DECODE_ERROR")) {
                        throw new IndexOutOfBoundsException();
                    }
                    return read;
                });
    }

    @Test
    void fuzzerFindsReaderThatNeedsCompleteRecords() {
        assertFinds(
                (wire, cuts) ->
                        ClientHelloFuzz.read(
                                        wire, Arrays.stream(cuts).filter(c -> c != 7).toArray())
                                + (Arrays.stream(cuts).anyMatch(c -> c == 7) ? "!" : ""));
    }

    @Test
    void failureNamesItsSeed() {
        ClientHelloFuzz.Subject broken = (wire, cuts) -> "INCOMPLETE";
        Matcher seed = Pattern.compile("seed (-?[0-9]+)L").matcher(assertFinds(broken));
        assertTrue(seed.find());
        long found = Long.parseLong(seed.group(1));
        assertThrows(AssertionError.class, () -> ClientHelloFuzz.one(found, broken));
    }

    private static String assertFinds(ClientHelloFuzz.Subject broken) {
        var failure =
                assertThrows(AssertionError.class, () -> ClientHelloFuzz.run(1, 3_000, broken));
        return String.valueOf(failure.getMessage());
    }
}
