package dev.tandem.http.websocket;

import java.nio.ByteBuffer;

/// Ignores what it does not override.
class IgnoringListener implements MessageListener {
    @Override
    public void begin(boolean isText) {}

    @Override
    public void content(ByteBuffer piece) {}

    @Override
    public void end() {}

    @Override
    public void ping(byte[] payload) {}

    @Override
    public void pong(byte[] payload) {}

    @Override
    public void closed(CloseReason reason) {}

    @Override
    public void failed(CloseReason reason) {}
}
