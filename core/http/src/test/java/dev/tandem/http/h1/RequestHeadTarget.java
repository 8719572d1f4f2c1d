package dev.tandem.http.h1;

import dev.tandem.testkit.FuzzCorpus;
import java.nio.charset.StandardCharsets;

/// Fuzz target: a request head, with the invariants of [HeadFuzz].
public final class RequestHeadTarget {
    private RequestHeadTarget() {}

    public static void fuzzerTestOneInput(byte[] input) {
        String wire = new String(input, StandardCharsets.ISO_8859_1);
        HeadFuzz.check(wire, FuzzCorpus.random(input), HeadFuzz::decode);
    }
}
