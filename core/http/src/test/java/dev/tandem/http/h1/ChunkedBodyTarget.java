package dev.tandem.http.h1;

import dev.tandem.testkit.FuzzCorpus;
import java.nio.charset.StandardCharsets;

/// Fuzz target: a chunked body, with the invariants of [ChunkFuzz].
public final class ChunkedBodyTarget {
    private ChunkedBodyTarget() {}

    public static void fuzzerTestOneInput(byte[] input) {
        String wire = new String(input, StandardCharsets.ISO_8859_1);
        ChunkFuzz.check(wire, FuzzCorpus.random(input), ChunkFuzz::decode);
    }
}
