package dev.tandem.http.h1;

/// How much of a request's framing a peer may send. Each is a hard limit, looked at before the
/// bytes beyond it are; what a refused peer gets is the status named.
///
/// @param requestLineMax longest request line, in bytes without its CRLF; 16 to 65,536. Beyond it:
///     414, or 400 if the line does not even begin with a method
/// @param headMax longest head, in bytes with every CRLF and the empty lines before it;
///     `requestLineMax + 2` to 1,048,576. Beyond it: 431
/// @param fieldsMax most field lines in a head, and most in a trailer section, in lines; 1 to
///     10,000. Beyond it: 431
/// @param chunkLineMax longest chunk-size line, in bytes without its CRLF; 16 to 8,192. Beyond it:
///     400
/// @param chunkExtensionsMax most bytes of chunk extensions in one body, in bytes; 0 to 1,048,576.
///     Beyond it: 400
/// @param trailersMax longest trailer section, in bytes with every CRLF; 2 to 1,048,576. Beyond it:
///     431
public record H1Limits(
        int requestLineMax,
        int headMax,
        int fieldsMax,
        int chunkLineMax,
        int chunkExtensionsMax,
        int trailersMax) {

    /// The smallest and largest limit of each kind, and why these defaults:
    ///
    /// - `requestLineMax` 8,192: RFC 9112, section 3 asks for 8,000 at least.
    /// - `headMax` 16,384: a request line, 4 KiB of cookies and a browser's other fields, twice
    ///   over; it is also the memory that a slow sender can hold.
    /// - `fieldsMax` 100: browsers send about 20, each proxy on the way adds a few.
    /// - `chunkLineMax` 256: 15 digits and an extension of a signature's length.
    /// - `chunkExtensionsMax` 16,384: nobody uses them but floods, where a byte of content costs us
    ///   a line of them.
    /// - `trailersMax` 8,192: checksums and signatures.
    public static final H1Limits DEFAULT = new H1Limits(8_192, 16_384, 100, 256, 16_384, 8_192);

    private static final int MIB = 1_048_576;

    /// @throws IllegalArgumentException if a limit is out of range; names the limit and its value
    public H1Limits {
        check("requestLineMax", requestLineMax, 16, 65_536);
        check("headMax", headMax, requestLineMax + 2, MIB);
        check("fieldsMax", fieldsMax, 1, 10_000);
        check("chunkLineMax", chunkLineMax, 16, 8_192);
        check("chunkExtensionsMax", chunkExtensionsMax, 0, MIB);
        check("trailersMax", trailersMax, 2, MIB);
    }

    public H1Limits withRequestLineMax(int requestLineMax) {
        return new H1Limits(
                requestLineMax, headMax, fieldsMax, chunkLineMax, chunkExtensionsMax, trailersMax);
    }

    public H1Limits withHeadMax(int headMax) {
        return new H1Limits(
                requestLineMax, headMax, fieldsMax, chunkLineMax, chunkExtensionsMax, trailersMax);
    }

    public H1Limits withFieldsMax(int fieldsMax) {
        return new H1Limits(
                requestLineMax, headMax, fieldsMax, chunkLineMax, chunkExtensionsMax, trailersMax);
    }

    public H1Limits withChunkLineMax(int chunkLineMax) {
        return new H1Limits(
                requestLineMax, headMax, fieldsMax, chunkLineMax, chunkExtensionsMax, trailersMax);
    }

    public H1Limits withChunkExtensionsMax(int chunkExtensionsMax) {
        return new H1Limits(
                requestLineMax, headMax, fieldsMax, chunkLineMax, chunkExtensionsMax, trailersMax);
    }

    public H1Limits withTrailersMax(int trailersMax) {
        return new H1Limits(
                requestLineMax, headMax, fieldsMax, chunkLineMax, chunkExtensionsMax, trailersMax);
    }

    private static void check(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    name + " must be " + least + ".." + most + ", was " + value);
        }
    }
}
