package dev.tandem.http;

/// Responds to clients that begin a WebSocket session ([Exchange#webSocket]).
@FunctionalInterface
public interface WebSocketHandler {
    /// Called once for each session, before its first message, on a worker: it may block. Registers
    /// what is to be called for messages, and may send some itself.
    ///
    /// @throws Exception on any failure: the session is closed with 1011
    void open(WebSocket session) throws Exception;
}
