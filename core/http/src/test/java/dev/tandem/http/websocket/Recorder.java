package dev.tandem.http.websocket;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// Writes down what a decoder reports; pieces of content are joined.
final class Recorder implements MessageListener {
    private final StringBuilder events = new StringBuilder();
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();
    private String kind = "";
    private boolean isOver;
    private boolean isStream;

    /// As [#events(byte[], MessageLimits, boolean, int...)], of messages that are read as streams.
    static String streamEvents(byte[] input, MessageLimits limits, int... cuts) {
        var recorder = new Recorder();
        recorder.isStream = true;
        return recorder.record(input, limits, true, cuts);
    }

    /// Decodes input in pieces, and returns the events, one a line.
    static String events(byte[] input, MessageLimits limits, boolean isCompressed, int... cuts) {
        return new Recorder().record(input, limits, isCompressed, cuts);
    }

    private String record(byte[] input, MessageLimits limits, boolean isCompressed, int... cuts) {
        try (var tools = new Inflation.Tools()) {
            var decoder =
                    new MessageDecoder(
                            true, limits, isCompressed ? new Inflation(() -> tools) : null);
            int from = 0;
            for (int i = 0; i <= cuts.length; i++) {
                int to = i < cuts.length ? cuts[i] : input.length;
                byte[] piece = java.util.Arrays.copyOfRange(input, from, to);
                ByteBuffer in = ByteBuffer.wrap(piece);
                while (decoder.decode(in, this)) {}
                if (!decoder.isOver() && in.hasRemaining()) {
                    throw new AssertionError(in.remaining() + " bytes are left");
                }
                from = to;
            }
            events.append(decoder.isBetweenMessages() ? "between\n" : "");
        }
        return events.toString();
    }

    static String events(byte[] input, int... cuts) {
        return events(input, MessageLimits.DEFAULT, false, cuts);
    }

    private void line(String line) {
        if (isOver) {
            throw new AssertionError(line + " after the end");
        }
        events.append(line).append('\n');
    }

    @Override
    public boolean isStream(boolean isText) {
        return isStream;
    }

    @Override
    public void begin(boolean isText) {
        kind = isText ? "text" : "binary";
        content.reset();
    }

    @Override
    public void content(ByteBuffer piece) {
        if (!piece.hasRemaining()) {
            throw new AssertionError("empty piece");
        }
        content.writeBytes(Frames.bytes(piece));
    }

    @Override
    public void end() {
        line(kind + " '" + shown(content.toByteArray()) + "'");
    }

    @Override
    public void ping(byte[] payload) {
        line("ping '" + shown(payload) + "'");
    }

    @Override
    public void pong(byte[] payload) {
        line("pong '" + shown(payload) + "'");
    }

    @Override
    public void closed(CloseReason reason) {
        line("closed " + reason.code() + " '" + reason.text() + "'");
        isOver = true;
    }

    @Override
    public void failed(CloseReason reason) {
        line("failed " + reason.code() + " " + reason.text());
        isOver = true;
    }

    private static String shown(byte[] bytes) {
        return bytes.length > 200
                ? bytes.length + " bytes, " + java.util.Arrays.hashCode(bytes)
                : new String(bytes, StandardCharsets.UTF_8);
    }
}
