package dev.tandem.http.h2;

import java.nio.ByteBuffer;

/// Receives the events of a [FrameDecoder], in the order of the frames. Each frame is well-formed
/// by itself; whether it is allowed in the state of its stream is for [StreamTable] to say.
///
/// Called by the thread that calls the decoder, within that call. Arguments that are not immutable
/// are valid only during the call.
public interface FrameListener {

    /// A complete header block: HEADERS, and CONTINUATION if there was any. It is decoded whatever
    /// the state of the stream, so that the tables of the two endpoints stay equal.
    ///
    /// @param streamId not 0; odd and even ones are not yet distinguished
    /// @param headers the decoded list, not yet validated; perhaps
    ///     [too large][HeaderList#isTooLarge()]
    void headers(int streamId, HeaderList headers, boolean isEndStream);

    /// A part of a DATA frame, in the order received. An empty frame has one event with an empty
    /// piece.
    ///
    /// @param piece the content between position and limit, without padding: the decoder's input
    ///     itself, not a copy. Need not be read completely
    /// @param flowControlled what the part takes from the windows of the stream and the connection,
    ///     in bytes: the piece, with padding and its length. The sum over the events of a frame is
    ///     the length of the frame
    /// @param isEndStream whether the stream has no content after this piece
    void data(int streamId, ByteBuffer piece, int flowControlled, boolean isEndStream);

    /// RST_STREAM.
    ///
    /// @param errorCode see [ErrorCode#of(int)]
    void resetStream(int streamId, int errorCode);

    /// SETTINGS, which must be acknowledged.
    void settings(SettingsChange change);

    /// The acknowledgement of the own settings.
    void settingsAcknowledged();

    /// PING.
    ///
    /// @param isAck whether it responds to the own PING; otherwise it must be acknowledged
    void ping(long opaqueData, boolean isAck);

    /// GOAWAY; its debug data is ignored.
    ///
    /// @param lastStreamId the last own stream that the peer may have processed
    /// @param errorCode see [ErrorCode#of(int)]
    void goAway(int lastStreamId, int errorCode);

    /// WINDOW_UPDATE.
    ///
    /// @param streamId 0 for the connection's window
    /// @param increment 1 to 2^31 - 1 bytes
    void windowUpdate(int streamId, int increment);

    /// PRIORITY, deprecated (RFC 9113, section 5.3.2): to be counted and ignored.
    void priority(int streamId);

    /// PRIORITY_UPDATE (RFC 9218, section 7.1). Only servers receive it.
    void priorityUpdate(int streamId, Priority priority);

    /// CONTINUATION, before the event of its header block: to be counted.
    ///
    /// @param length of the fragment in bytes; perhaps 0
    void continuation(int streamId, int length);

    /// A frame of an unknown type, to be counted and ignored (RFC 9113, section 5.5).
    ///
    /// @param type 0 to 255
    /// @param length of the payload in bytes
    void unknownFrame(int type, int length);

    /// A frame that is an error of its stream (RFC 9113, section 5.4.2): RST_STREAM is to be sent.
    /// An error of an idle stream is one of the connection.
    void streamError(int streamId, ErrorCode code, String reason);

    /// An error that ends the connection (RFC 9113, section 5.4.1): GOAWAY is to be sent. The last
    /// event: the decoder accepts no more input.
    void connectionError(ErrorCode code, String reason);
}
