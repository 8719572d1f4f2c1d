package dev.tandem.http.h2;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.util.List;

/// Decodes frames in every way that the input can be split: in one piece, in two pieces split at
/// every point, and byte by byte, from arrays and direct buffers. All events must be equal.
final class SplitFrames {
    private final Role role;
    private final Settings own;
    private final Http2Limits limits;

    SplitFrames(Role role) {
        this(role, role == Role.SERVER ? Settings.SERVER : Settings.CLIENT, Http2Limits.DEFAULT);
    }

    SplitFrames(Role role, Settings own, Http2Limits limits) {
        this.role = role;
        this.own = own;
        this.limits = limits;
    }

    /// Returns the events of input to a server with default settings, without the first SETTINGS.
    static String toServer(Frames frames) {
        return new SplitFrames(Role.SERVER).afterSettings(frames);
    }

    static String toClient(Frames frames) {
        return new SplitFrames(Role.CLIENT).afterSettings(frames);
    }

    String afterSettings(Frames frames) {
        List<String> events = events(frames.bytes()).lines().toList();
        return String.join("\n", events.subList(1, events.size()));
    }

    /// Returns the events of all input.
    String events(byte[] bytes) {
        String expected = decode(bytes);
        for (int cut = 0; cut <= bytes.length; cut++) {
            assertEquals(expected, decode(bytes, cut), "cut at " + cut);
        }
        int[] everywhere = new int[bytes.length];
        for (int i = 0; i < everywhere.length; i++) {
            everywhere[i] = i;
        }
        assertEquals(expected, decode(bytes, everywhere), "byte by byte");
        return expected;
    }

    /// Decodes input in pieces that end at the cuts and at the end.
    String decode(byte[] bytes, int... cuts) {
        var decoder = new FrameDecoder(role, own, limits);
        var recorder = new Recorder();
        int from = 0;
        for (int i = 0; i <= cuts.length; i++) {
            int to = i < cuts.length ? cuts[i] : bytes.length;
            decode(decoder, piece(bytes, from, to, i % 2 == 1), recorder);
            from = to;
        }
        return recorder.toString();
    }

    private static void decode(FrameDecoder decoder, ByteBuffer piece, Recorder recorder) {
        // A list of its own for each piece: a loop shares it between connections.
        var headers = new HeaderList();
        while (decoder.decode(piece, headers, recorder)) {
            assertEquals(0, headers.count(), "headers are kept after their event");
        }
        if (!decoder.hasFailed()) {
            assertEquals(0, piece.remaining(), "input is not consumed");
        }
    }

    /// A piece with other bytes around it, in an array or a direct buffer.
    private static ByteBuffer piece(byte[] bytes, int from, int to, boolean isDirect) {
        int shift = 3;
        int length = shift + to - from;
        ByteBuffer buffer =
                isDirect
                        ? ByteBuffer.allocateDirect(length + 2)
                        : ByteBuffer.allocate(length + 5).slice(2, length + 2);
        return buffer.put(shift, bytes, from, to - from).position(shift).limit(length);
    }
}
