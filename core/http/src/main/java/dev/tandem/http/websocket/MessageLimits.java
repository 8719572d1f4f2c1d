package dev.tandem.http.websocket;

/// What a peer may send.
///
/// @param messageMax largest message, uncompressed, in bytes; 1 or more. Beyond it the session is
///     closed with 1009
/// @param fragmentsMax most frames of one message; 1 or more. Beyond it the session is closed with
///     1008: a frame costs about a microsecond, however little it contains
public record MessageLimits(long messageMax, int fragmentsMax) {
    /// 1 MiB, in 1,024 frames: browsers send a message in one frame up to 128 KiB, and in frames of
    /// that size beyond it.
    public static final MessageLimits DEFAULT = new MessageLimits(1 << 20, 1024);

    public MessageLimits {
        if (messageMax < 1 || fragmentsMax < 1) {
            throw new IllegalArgumentException(
                    "messageMax and fragmentsMax must be 1 or more, were "
                            + messageMax
                            + " and "
                            + fragmentsMax);
        }
    }
}
