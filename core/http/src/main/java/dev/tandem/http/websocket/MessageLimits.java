package dev.tandem.http.websocket;

/// What a peer may send.
///
/// @param messageMax largest message, uncompressed, in bytes; 1 or more. Beyond it the session is
///     closed with 1009
/// @param frameMax largest frame, as it is sent, in bytes; 1 or more. Beyond it the session is
///     closed with 1009
/// @param fragmentsMax most frames of one message; 1 or more. Beyond it the session is closed with
///     1008: a frame costs about a microsecond, however little it contains. Of a message that is
///     read as a stream, one more for each KiB
/// @param streamMax largest message that is read as a stream, uncompressed, in bytes; 1 or more.
///     Beyond it the session is closed with 1009. It takes no memory, however large: so messageMax
///     and frameMax do not hold for it
public record MessageLimits(long messageMax, long frameMax, int fragmentsMax, long streamMax)
        implements MessageLimitsWith {
    /// As the body of a request.
    private static final long STREAM_MAX = 16L << 20;

    /// 1 MiB, and 16 MiB as a stream, in 1,024 frames: browsers send a message in one frame up to
    /// 128 KiB, and in frames of that size beyond it. Many programs send it in one frame, whatever
    /// its length.
    public static final MessageLimits DEFAULT = new MessageLimits(1 << 20, 1024);

    /// With frames as large as messages.
    public MessageLimits(long messageMax, int fragmentsMax) {
        this(messageMax, messageMax, fragmentsMax);
    }

    /// With streams of 16 MiB.
    public MessageLimits(long messageMax, long frameMax, int fragmentsMax) {
        this(messageMax, frameMax, fragmentsMax, STREAM_MAX);
    }

    public MessageLimits {
        if (messageMax < 1 || frameMax < 1 || fragmentsMax < 1 || streamMax < 1) {
            throw new IllegalArgumentException(
                    "messageMax, frameMax, fragmentsMax and streamMax must be 1 or more, were "
                            + messageMax
                            + ", "
                            + frameMax
                            + ", "
                            + fragmentsMax
                            + " and "
                            + streamMax);
        }
    }
}
