package dev.tandem.http;

import dev.tandem.http.websocket.CloseReason;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;

/// A WebSocket session (RFC 6455). Begun by [Exchange#webSocket], whose handler registers what is
/// called for the client's messages:
///
/// ```java
/// Tandem.listen(8080)
///       .webSocket("/echo", session -> session.onText(session::send))
///       .start();
/// ```
///
/// Messages of one session are handled one after the other, on workers, so what is registered may
/// block; while one is handled, no further input of the client is read. A silent session has no
/// thread and no buffer. Any thread may send, and close.
public interface WebSocket {

    /// Handles a text message.
    @FunctionalInterface
    interface TextHandler {
        /// @throws Exception on any failure: the session is closed with 1011
        void handle(String text) throws Exception;
    }

    /// Handles a binary message.
    @FunctionalInterface
    interface BinaryHandler {
        /// @throws Exception on any failure: the session is closed with 1011
        void handle(byte[] content) throws Exception;
    }

    /// Handles a text message while it is received.
    @FunctionalInterface
    interface TextStreamHandler {
        /// @param text blocks until more was received; ends with the message. Throws an
        ///     [IOException] if the session ends, or the client sends too slowly, before that. For
        ///     the calling thread, until this method returns; what it has not read then is skipped
        /// @throws Exception on any failure: the session is closed with 1011
        void handle(Reader text) throws Exception;
    }

    /// Handles a binary message while it is received.
    @FunctionalInterface
    interface BinaryStreamHandler {
        /// @param content as the reader of a [TextStreamHandler]
        /// @throws Exception on any failure: the session is closed with 1011
        void handle(InputStream content) throws Exception;
    }

    /// Handles the end of a session.
    @FunctionalInterface
    interface CloseHandler {
        /// @param reason with [CloseReason#ABNORMAL] if the connection ended without one
        void handle(CloseReason reason) throws Exception;
    }

    /// Returns the request that began the session. Only until the handler that was given to
    /// [Exchange#webSocket] returns: an open session does not keep it.
    ///
    /// @throws IllegalStateException if that has returned
    Exchange exchange();

    /// Returns the decoded value of a path parameter, as long as [#exchange()] may be called.
    default String pathParam(String name) {
        return exchange().pathParam(name);
    }

    /// Returns the subprotocol that was chosen; empty if there is none.
    String protocol();

    /// Sets what is called for each text message. Without it, a session whose client sends one is
    /// closed with 1003.
    void onText(TextHandler handler);

    /// Sets what is called for each binary message. Without it, a session whose client sends one is
    /// closed with 1003.
    void onBinary(BinaryHandler handler);

    /// Sets what is called for each text message when the first of its content was received, to
    /// read it as it comes: for messages that are too large for memory
    /// ([dev.tandem.http.websocket.MessageLimits#streamMax]). In place of [#onText].
    void onTextStream(TextStreamHandler handler);

    /// As [#onTextStream], for binary messages, in place of [#onBinary].
    void onBinaryStream(BinaryStreamHandler handler);

    /// Sets what is called once, on a worker, when the session has ended, by either side. A server
    /// that stops waits for it.
    void onClose(CloseHandler handler);

    /// Sends a message, and waits while too much waits for the client
    /// ([WebSocketOptions#unsentMax]).
    ///
    /// @throws IOException if the session has ended, or the client reads nothing for too long: then
    ///     it is closed
    void send(WebSocketMessage message) throws IOException;

    default void send(String text) throws IOException {
        send(WebSocketMessage.text(text));
    }

    default void send(byte[] content) throws IOException {
        send(WebSocketMessage.binary(content));
    }

    /// Sends a message unless too much waits for the client, or the session has ended. Never waits,
    /// so a slow client delays no other.
    ///
    /// @return whether it is sent, or will be
    boolean trySend(WebSocketMessage message);

    /// Closes the session: the client gets the reason, after what was sent before. Messages of the
    /// client that are not handled yet are dropped. Does nothing if it is closing already.
    void close(CloseReason reason);

    /// Whether messages can be sent.
    boolean isOpen();
}
