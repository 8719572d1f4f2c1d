package dev.tandem.http.h2;

import dev.tandem.testkit.FuzzCorpus;

/// Fuzz target: a connection's input after the preface, with the invariants of [FrameFuzz].
public final class FramesTarget {
    private FramesTarget() {}

    public static void fuzzerTestOneInput(byte[] input) {
        byte[] connection = Frames.preface().raw(input).bytes();
        FrameFuzz.check(connection, FuzzCorpus.random(input), FrameFuzz::decode);
    }
}
