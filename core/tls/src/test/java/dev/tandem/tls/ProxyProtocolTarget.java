package dev.tandem.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.FuzzCorpus;
import java.nio.ByteBuffer;

/// Fuzz target: the header of a proxy. The result does not depend on how the input is split, and no
/// byte after the header is consumed.
public final class ProxyProtocolTarget {
    private ProxyProtocolTarget() {}

    public static void fuzzerTestOneInput(byte[] input) {
        assertEquals(read(input), read(input, FuzzCorpus.cuts(input)));
    }

    private static String read(byte[] input, int... cuts) {
        var reader = new ProxyProtocolReader();
        var bytes = ByteBuffer.wrap(input);
        for (int cut : cuts) {
            if (cut > bytes.position()) {
                reader.read(bytes.limit(cut));
                bytes.limit(input.length);
            }
        }
        ProxyProtocolReader.Status status = reader.read(bytes);
        int consumed = bytes.position();
        assertTrue(consumed <= ProxyProtocolReader.HEADER_MAX, "consumed " + consumed);
        return status + " " + reader.source() + " " + reader.destination() + " " + consumed;
    }
}
