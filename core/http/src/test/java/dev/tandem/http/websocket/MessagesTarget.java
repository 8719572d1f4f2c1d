package dev.tandem.http.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.testkit.FuzzCorpus;

/// Fuzz target: what a WebSocket client sends, with and without compression. The events do not
/// depend on how the input is split.
public final class MessagesTarget {
    private static final MessageLimits LIMITS = new MessageLimits(3_000, 8);
    private static final MessageLimits STREAM_LIMITS = LIMITS.withStreamMax(3_000);

    private MessagesTarget() {}

    public static void fuzzerTestOneInput(byte[] input) {
        int[] cuts = FuzzCorpus.cuts(input);
        for (boolean isCompressed : new boolean[] {false, true}) {
            assertEquals(
                    Recorder.events(input, LIMITS, isCompressed),
                    Recorder.events(input, LIMITS, isCompressed, cuts));
        }
        assertEquals(stream(input), stream(input, cuts));
    }

    /// Which error is found first in a message that is read as a stream depends on the cuts.
    private static String stream(byte[] input, int... cuts) {
        return Recorder.streamEvents(input, STREAM_LIMITS, cuts)
                .replaceAll("failed (1007|1009) .*", "failed");
    }
}
