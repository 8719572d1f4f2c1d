package dev.tandem.http.h2;

import java.nio.ByteBuffer;

/// Ignores all events; tests override those that they expect.
class IgnoringListener implements FrameListener {
    @Override
    public void headers(int streamId, HeaderList headers, boolean isEndStream) {}

    @Override
    public void data(int streamId, ByteBuffer piece, int flowControlled, boolean isEndStream) {}

    @Override
    public void resetStream(int streamId, int errorCode) {}

    @Override
    public void settings(SettingsChange change) {}

    @Override
    public void settingsAcknowledged() {}

    @Override
    public void ping(long opaqueData, boolean isAck) {}

    @Override
    public void goAway(int lastStreamId, int errorCode) {}

    @Override
    public void windowUpdate(int streamId, int increment) {}

    @Override
    public void priority(int streamId) {}

    @Override
    public void priorityUpdate(int streamId, Priority priority) {}

    @Override
    public void continuation(int streamId, int length) {}

    @Override
    public void unknownFrame(int type, int length) {}

    @Override
    public void streamError(int streamId, ErrorCode code, String reason) {}

    @Override
    public void connectionError(ErrorCode code, String reason) {}
}
