package dev.tandem.http.h2;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/// Records events as text, one line each. The pieces of a DATA frame, and of adjacent DATA frames
/// of a stream, are one event, so that the record does not depend on how input is split.
final class Recorder implements FrameListener {
    private final List<String> events = new ArrayList<>();
    private int dataStream;
    private final StringBuilder content = new StringBuilder();
    private int flowControlled;
    private boolean isEnd;

    /// Returns all events, separated by line breaks.
    @Override
    public String toString() {
        return String.join("\n", events());
    }

    List<String> events() {
        finishData();
        return events;
    }

    private void record(String event) {
        finishData();
        events.add(event);
    }

    private void finishData() {
        if (dataStream != 0) {
            events.add(
                    "DATA %d '%s' %d%s"
                            .formatted(dataStream, content, flowControlled, isEnd ? " end" : ""));
            content.setLength(0);
            dataStream = 0;
            flowControlled = 0;
            isEnd = false;
        }
    }

    @Override
    public void headers(int streamId, HeaderList headers, boolean isEndStream) {
        var list = new StringBuilder();
        for (int i = 0; i < headers.count(); i++) {
            list.append(' ').append(headers.name(i)).append('=').append(headers.value(i));
        }
        record(
                "HEADERS "
                        + streamId
                        + list
                        + (headers.isTooLarge() ? " too large" : "")
                        + (isEndStream ? " end" : ""));
    }

    @Override
    public void data(int streamId, ByteBuffer piece, int length, boolean isEndStream) {
        if (streamId != dataStream || isEnd) {
            finishData();
        }
        dataStream = streamId;
        content.append(StandardCharsets.ISO_8859_1.decode(piece));
        flowControlled += length;
        isEnd = isEndStream;
    }

    @Override
    public void resetStream(int streamId, int errorCode) {
        record("RST_STREAM " + streamId + " " + errorCode);
    }

    @Override
    public void settings(SettingsChange change) {
        record("SETTINGS " + change.parameters() + " " + change.after());
    }

    @Override
    public void settingsAcknowledged() {
        record("SETTINGS ack");
    }

    @Override
    public void ping(long opaqueData, boolean isAck) {
        record("PING " + Long.toHexString(opaqueData) + (isAck ? " ack" : ""));
    }

    @Override
    public void goAway(int lastStreamId, int errorCode) {
        record("GOAWAY " + lastStreamId + " " + errorCode);
    }

    @Override
    public void windowUpdate(int streamId, int increment) {
        record("WINDOW_UPDATE " + streamId + " " + increment);
    }

    @Override
    public void priority(int streamId) {
        record("PRIORITY " + streamId);
    }

    @Override
    public void priorityUpdate(int streamId, Priority priority) {
        record("PRIORITY_UPDATE " + streamId + " " + priority);
    }

    @Override
    public void continuation(int streamId, int length) {
        record("CONTINUATION " + streamId + " " + length);
    }

    @Override
    public void unknownFrame(int type, int length) {
        record("UNKNOWN " + type + " " + length);
    }

    @Override
    public void streamError(int streamId, ErrorCode code, String reason) {
        record("error of stream " + streamId + " " + code + ": " + reason);
    }

    @Override
    public void connectionError(ErrorCode code, String reason) {
        record("error " + code + ": " + reason);
    }
}
