package dev.tandem.http.h1;

/// Limits on the framing of messages. Each is a hard limit that is checked before the bytes beyond
/// it are parsed; a request that exceeds it gets the specified status. Immutable: each `with`
/// method returns a copy and throws [IllegalArgumentException], which names limit and value, if the
/// value is out of range.
public final class Http1Limits {
    private static final int MIB = 1_048_576;

    /// The largest number with 15 hexadecimal digits: no sum with it overflows.
    private static final long CHUNK_MAX = (1L << 60) - 1;

    /// The default limits.
    public static final Http1Limits DEFAULT = new Http1Limits();

    private int requestLineMax = 8_192;
    private int headMax = 16_384;
    private int headersMax = 100;
    private int chunkLineMax = 256;
    private int chunkExtensionsMax = 16_384;
    private int trailersMax = 8_192;
    private long chunkMax = CHUNK_MAX;
    private boolean usesSpecificStatus = true;
    private boolean isLenient;

    private Http1Limits() {}

    private Http1Limits(Http1Limits o) {
        requestLineMax = o.requestLineMax;
        headMax = o.headMax;
        headersMax = o.headersMax;
        chunkLineMax = o.chunkLineMax;
        chunkExtensionsMax = o.chunkExtensionsMax;
        trailersMax = o.trailersMax;
        chunkMax = o.chunkMax;
        usesSpecificStatus = o.usesSpecificStatus;
        isLenient = o.isLenient;
    }

    /// Sets the maximum length of the request line, in bytes without its CRLF; default 8,192: RFC
    /// 9112, section 3 recommends at least 8,000. A longer line gets 414, or 400 if it does not
    /// begin with a method. 16 to 65,536.
    public Http1Limits withRequestLineMax(int bytes) {
        var o = new Http1Limits(this);
        o.requestLineMax = (int) check("requestLineMax", bytes, 16, 65_536);
        check("headMax", headMax, bytes + 2, MIB);
        return o;
    }

    /// Sets the maximum length of a head, in bytes with every CRLF and the empty lines before it;
    /// default 16,384: twice the size of a request line, 4 KiB of cookies and the other headers of
    /// a browser. It is also the memory that a slow sender can occupy. A longer head gets 431.
    /// `requestLineMax + 2` to 1,048,576.
    public Http1Limits withHeadMax(int bytes) {
        var o = new Http1Limits(this);
        o.headMax = (int) check("headMax", bytes, requestLineMax + 2, MIB);
        return o;
    }

    /// Sets the maximum number of field lines in a head, and in a trailer section; default 100:
    /// browsers send about 20, and each proxy adds a few. More get 431. 1 to 10,000.
    public Http1Limits withHeadersMax(int lines) {
        var o = new Http1Limits(this);
        o.headersMax = (int) check("fieldsMax", lines, 1, 10_000);
        return o;
    }

    /// Sets the maximum length of a chunk-size line, in bytes without its CRLF; default 256: 15
    /// digits and an extension with the length of a signature. A longer line gets 400. 16 to
    /// 65,536.
    public Http1Limits withChunkLineMax(int bytes) {
        var o = new Http1Limits(this);
        o.chunkLineMax = (int) check("chunkLineMax", bytes, 16, 65_536);
        return o;
    }

    /// Sets the maximum total length of the chunk extensions of a body, in bytes; default 16,384:
    /// they are used only by floods, in which each byte of content has a line of extensions. More
    /// get 400. 0 to 1,048,576.
    public Http1Limits withChunkExtensionsMax(int bytes) {
        var o = new Http1Limits(this);
        o.chunkExtensionsMax = (int) check("chunkExtensionsMax", bytes, 0, MIB);
        return o;
    }

    /// Sets the maximum length of a trailer section, in bytes with every CRLF; default 8,192:
    /// checksums and signatures. A longer section gets 431. 2 to 1,048,576.
    public Http1Limits withTrailersMax(int bytes) {
        var o = new Http1Limits(this);
        o.trailersMax = (int) check("trailersMax", bytes, 2, MIB);
        return o;
    }

    /// Sets the maximum size of a chunk, in bytes; default 2^60 - 1. A size must not have more
    /// hexadecimal digits, including leading zeros, than this limit. A larger one gets 400. 1 to
    /// 2^60 - 1.
    public Http1Limits withChunkMax(long bytes) {
        var o = new Http1Limits(this);
        o.chunkMax = check("chunkMax", bytes, 1, CHUNK_MAX);
        return o;
    }

    /// Sets whether a request line or a head over its limit gets the specific status 414 or 431;
    /// default true. Otherwise it gets 400, as from unmodified Tomcat.
    public Http1Limits withSpecificStatus(boolean isNamed) {
        var o = new Http1Limits(this);
        o.usesSpecificStatus = isNamed;
        return o;
    }

    /// Sets whether the syntax of old clients is accepted; default false. If true, a line may end
    /// with LF only; a header may be folded into several lines, unless it frames or routes the
    /// message; tabs may replace the spaces of a request line; up to 100 empty lines may precede
    /// it; blanks may follow a chunk extension. A chunked body may have a length, which is ignored,
    /// or be sent in HTTP/1.0; the connection is closed after it. `GET` and a target alone are an
    /// HTTP/0.9 request. A CR without LF is still rejected, as is LF alone in the framing of
    /// chunks.
    public Http1Limits withLenient(boolean isLenient) {
        var o = new Http1Limits(this);
        o.isLenient = isLenient;
        return o;
    }

    private static long check(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    name + " must be " + least + ".." + most + ", was " + value);
        }
        return value;
    }

    public int requestLineMax() {
        return requestLineMax;
    }

    public int headMax() {
        return headMax;
    }

    public int headersMax() {
        return headersMax;
    }

    public int chunkLineMax() {
        return chunkLineMax;
    }

    public int chunkExtensionsMax() {
        return chunkExtensionsMax;
    }

    public int trailersMax() {
        return trailersMax;
    }

    public long chunkMax() {
        return chunkMax;
    }

    public boolean usesSpecificStatus() {
        return usesSpecificStatus;
    }

    public boolean isLenient() {
        return isLenient;
    }
}
