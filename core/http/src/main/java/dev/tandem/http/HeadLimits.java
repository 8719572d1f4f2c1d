package dev.tandem.http;

/// Limits on the heads of messages, in any version of HTTP. Each is checked before the bytes beyond
/// it are parsed.
///
/// @param requestLineMax maximum length of the request line, in bytes without its CRLF; default
///     8,192: RFC 9112, section 3 recommends at least 8,000. A longer line gets 414, or 400 if it
///     does not begin with a method. 16 to 65,536
/// @param headMax maximum length of a head, in bytes with every CRLF and the empty lines before it;
///     default 16,384: twice the size of a request line, 4 KiB of cookies and the other headers of
///     a browser. It is also the memory that a slow sender can occupy. A longer head gets 431.
///     `requestLineMax + 2` to 1 MiB
/// @param headersMax maximum number of field lines in a head, and in a trailer section; default
///     100: browsers send about 20, and each proxy adds a few. More get 431. 1 to 10,000
/// @param trailersMax maximum length of a trailer section, in bytes with every CRLF; default 8,192:
///     checksums and signatures. A longer section gets 431. 2 to 1 MiB
public record HeadLimits(int requestLineMax, int headMax, int headersMax, int trailersMax)
        implements HeadLimitsWith {
    private static final int MIB = 1 << 20;

    public static final HeadLimits DEFAULT = new HeadLimits(8_192, 16_384, 100, 8_192);

    /// @throws IllegalArgumentException if a limit is out of range; names the limit and its value
    public HeadLimits {
        Bounds.check("requestLineMax", requestLineMax, 16, 65_536);
        Bounds.check("headMax", headMax, requestLineMax + 2, MIB);
        Bounds.check("headersMax", headersMax, 1, 10_000);
        Bounds.check("trailersMax", trailersMax, 2, MIB);
    }
}
