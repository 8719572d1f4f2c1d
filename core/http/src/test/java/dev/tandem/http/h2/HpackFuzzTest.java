package dev.tandem.http.h2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Compares with other implementations. `-Dtandem.fuzz.rounds` sets how many connections are tried
/// with each seed.
class HpackFuzzTest {
    private static final int ROUNDS = Integer.getInteger("tandem.fuzz.rounds", 3_000);

    @ParameterizedTest
    @ValueSource(longs = {1, 7541, 9113})
    void smoke(long seed) {
        HpackFuzz.run(seed, ROUNDS, HpackPeers::ours);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void othersDecodeWhatWeEncode(long seed) {
        var random = new Random(seed);
        for (int i = 0; i < ROUNDS / 10; i++) {
            HpackPeers.Encoder encoder = HpackPeers.oursEncoding();
            List<HpackPeers.Decoder> decoders =
                    List.of(HpackPeers.netty(), HpackPeers.jetty(), HpackPeers.ours());
            for (List<Map.Entry<String, String>> list : HpackFuzz.lists(random)) {
                byte[] block = encoder.encode(list);
                for (HpackPeers.Decoder decoder : decoders) {
                    assertEquals(text(list), decoder.decode(block));
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void weDecodeWhatOthersEncode(long seed) {
        var random = new Random(seed);
        for (int i = 0; i < ROUNDS / 10; i++) {
            for (HpackPeers.Encoder encoder :
                    List.of(HpackPeers.nettyEncoding(), HpackPeers.jettyEncoding())) {
                HpackPeers.Decoder decoder = HpackPeers.ours();
                for (List<Map.Entry<String, String>> list : HpackFuzz.lists(random)) {
                    assertEquals(text(list), decoder.decode(encoder.encode(list)));
                }
            }
        }
    }

    /// Tests the fuzzer itself: it must find injected bugs.
    @Test
    void fuzzerFindsDecoderThatAcceptsLateSizeUpdates() {
        assertFinds(
                () -> {
                    HpackPeers.Decoder decoder = HpackPeers.ours();
                    return block ->
                            block.length > 0 && block[block.length - 1] == 0x20
                                    ? decoder.decode(Arrays.copyOf(block, block.length - 1))
                                    : decoder.decode(block);
                });
    }

    @Test
    void fuzzerFindsDecoderThatForgetsItsTable() {
        assertFinds(() -> block -> HpackPeers.ours().decode(block));
    }

    @Test
    void failureNamesItsSeed() {
        HpackFuzz.Subject broken = () -> block -> HpackPeers.ours().decode(block);
        Matcher seed = Pattern.compile("seed (-?[0-9]+)L").matcher(assertFinds(broken));
        assertTrue(seed.find());
        long found = Long.parseLong(seed.group(1));
        assertThrows(AssertionError.class, () -> HpackFuzz.one(found, broken));
    }

    private static String assertFinds(HpackFuzz.Subject broken) {
        var failure = assertThrows(AssertionError.class, () -> HpackFuzz.run(1, 3_000, broken));
        return String.valueOf(failure.getMessage());
    }

    private static List<String> text(List<Map.Entry<String, String>> list) {
        return list.stream().map(header -> header.getKey() + ": " + header.getValue()).toList();
    }
}
