package dev.tandem.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.testkit.FuzzCorpus;

/// Fuzz target: the first bytes of a TLS connection. The result does not depend on how the input is
/// split.
public final class ClientHelloTarget {
    private ClientHelloTarget() {}

    public static void fuzzerTestOneInput(byte[] input) {
        assertEquals(
                ClientHelloFuzz.read(input), ClientHelloFuzz.read(input, FuzzCorpus.cuts(input)));
    }
}
