package dev.tandem.http.h2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Arrays;
import java.util.List;

/// Fuzz target: the header blocks of a connection (RFC 7541), each after a byte with its length.
/// Ours has the same result for each as Netty's decoder.
public final class HeaderBlocksTarget {
    private HeaderBlocksTarget() {}

    public static void fuzzerTestOneInput(byte[] input) {
        HpackPeers.Decoder ours = HpackPeers.ours();
        HpackPeers.Decoder other = HpackPeers.netty();
        List<String> result = List.of();
        for (int at = 0; at < input.length && !result.equals(HpackPeers.MALFORMED); ) {
            int from = at + 1;
            at = Math.min(input.length, from + (input[at] & 0xff));
            byte[] block = Arrays.copyOfRange(input, from, at);
            result = ours.decode(block);
            List<String> expected = other.decode(block);
            if (expected.equals(HpackPeers.BROKEN)) {
                return;
            }
            assertEquals(comparable(expected), comparable(result));
        }
    }

    /// In one order: Netty lists pseudo headers first. A name of a colon and a space looks like an
    /// empty name, but is a pseudo header to Netty; where one is, order is not compared.
    private static List<String> comparable(List<String> list) {
        boolean isAmbiguous = list.stream().anyMatch(header -> header.startsWith(": "));
        return isAmbiguous ? list.stream().sorted().toList() : HpackPeers.pseudoFirst(list);
    }
}
