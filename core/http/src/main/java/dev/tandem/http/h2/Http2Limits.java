package dev.tandem.http.h2;

/// Limits on header blocks that are not announced to the peer; [Settings] has those that are.
/// Immutable; checked when constructed.
///
/// @param headersMax maximum number of headers in a header list, pseudo-headers and each cookie
///     crumb included; 1 to 10,000. A request with more gets 431
/// @param headerBlockMax maximum length of an encoded header block in bytes; 16,384 to 16,777,215.
///     It is also the memory that a slow sender can occupy. A longer block ends the connection with
///     ENHANCE_YOUR_CALM, because the tables of the two endpoints would differ without it
/// @param continuationsMax maximum number of CONTINUATION frames in a header block, empty ones
///     included; 0 to 10,000. More end the connection with ENHANCE_YOUR_CALM
public record Http2Limits(int headersMax, int headerBlockMax, int continuationsMax)
        implements Http2LimitsWith {
    private static final int FRAME_SIZE_MIN = 16_384;
    private static final int BLOCK_MAX = 0xFF_FFFF;
    private static final int COUNT_MAX = 10_000;

    /// 200 headers: the 100 of HTTP/1, and as many cookie crumbs. A block of 64 KiB: three times
    /// the header list of [Settings#SERVER], so that requests with too many cookies get 431.
    /// 16 CONTINUATION frames: a block of 64 KiB needs 3 at the smallest maximum frame size, and
    /// clients that split at 4 KiB send 15.
    public static final Http2Limits DEFAULT = new Http2Limits(200, 65_536, 16);

    /// @throws IllegalArgumentException if a limit is out of range; names the limit and its value
    public Http2Limits {
        check("headersMax", headersMax, 1, COUNT_MAX);
        check("headerBlockMax", headerBlockMax, FRAME_SIZE_MIN, BLOCK_MAX);
        check("continuationsMax", continuationsMax, 0, COUNT_MAX);
    }

    private static void check(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    name + " must be " + least + ".." + most + ", was " + value);
        }
    }
}
