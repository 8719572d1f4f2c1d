package dev.tandem.http.websocket;

import java.nio.ByteBuffer;

/// What a [MessageDecoder] reports. After [#closed] or [#failed] nothing else is.
public interface MessageListener {
    /// Returns whether a message that begins is read as a stream: then
    /// [MessageLimits#streamMax] holds for it, and if it is compressed, it is decompressed as it
    /// comes.
    default boolean isStream(boolean isText) {
        return false;
    }

    /// A message begins.
    ///
    /// @param isText whether it is text in UTF-8, else binary
    void begin(boolean isText);

    /// Some of the message's content, uncompressed. A character may be cut between two pieces.
    ///
    /// @param piece not empty; valid until this method returns
    void content(ByteBuffer piece);

    /// The message is complete.
    void end();

    /// The peer expects a pong with the same payload.
    ///
    /// @param payload at most 125 bytes
    void ping(byte[] payload);

    /// @param payload at most 125 bytes
    void pong(byte[] payload);

    /// The peer has sent a close frame, its last one.
    ///
    /// @param reason with [CloseReason#NONE] if it has none
    void closed(CloseReason reason);

    /// The peer has broken the protocol or a limit: the session has to be closed with this reason.
    void failed(CloseReason reason);
}
