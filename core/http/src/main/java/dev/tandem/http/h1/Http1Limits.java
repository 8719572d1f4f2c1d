package dev.tandem.http.h1;

/// How much of a request's framing a peer may send. Each is a hard limit, looked at before the
/// bytes beyond it are; what a refused peer gets is the status named. Immutable: each `with` method
/// returns a copy and throws [IllegalArgumentException], naming limit and value, if it is out of
/// range.
public final class Http1Limits {
    private static final int MIB = 1_048_576;

    /// The largest of 15 hexadecimal digits: no sum with it overflows.
    private static final long CHUNK_MAX = (1L << 60) - 1;

    /// What needs no change for most.
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

    /// The longest request line, in bytes without its CRLF; 8,192: RFC 9112, section 3 asks for
    /// 8,000 at least. Beyond it: 414, or 400 if the line does not even begin with a method. 16 to
    /// 65,536.
    public Http1Limits withRequestLineMax(int bytes) {
        var o = new Http1Limits(this);
        o.requestLineMax = (int) check("requestLineMax", bytes, 16, 65_536);
        check("headMax", headMax, bytes + 2, MIB);
        return o;
    }

    /// The longest head, in bytes with every CRLF and the empty lines before it; 16,384: a request
    /// line, 4 KiB of cookies and a browser's other fields, twice over. It is also the memory that
    /// a slow sender can hold. Beyond it: 431. `requestLineMax + 2` to 1,048,576.
    public Http1Limits withHeadMax(int bytes) {
        var o = new Http1Limits(this);
        o.headMax = (int) check("headMax", bytes, requestLineMax + 2, MIB);
        return o;
    }

    /// The most field lines in a head, and the most in a trailer section; 100: browsers send about
    /// 20, each proxy on the way adds a few. Beyond it: 431. 1 to 10,000.
    public Http1Limits withHeadersMax(int lines) {
        var o = new Http1Limits(this);
        o.headersMax = (int) check("fieldsMax", lines, 1, 10_000);
        return o;
    }

    /// The longest chunk-size line, in bytes without its CRLF; 256: 15 digits and an extension of
    /// a signature's length. Beyond it: 400. 16 to 65,536.
    public Http1Limits withChunkLineMax(int bytes) {
        var o = new Http1Limits(this);
        o.chunkLineMax = (int) check("chunkLineMax", bytes, 16, 65_536);
        return o;
    }

    /// The most bytes of chunk extensions in one body; 16,384: nobody uses them but floods, where a
    /// byte of content costs us a line of them. Beyond it: 400. 0 to 1,048,576.
    public Http1Limits withChunkExtensionsMax(int bytes) {
        var o = new Http1Limits(this);
        o.chunkExtensionsMax = (int) check("chunkExtensionsMax", bytes, 0, MIB);
        return o;
    }

    /// The longest trailer section, in bytes with every CRLF; 8,192: checksums and signatures.
    /// Beyond it: 431. 2 to 1,048,576.
    public Http1Limits withTrailersMax(int bytes) {
        var o = new Http1Limits(this);
        o.trailersMax = (int) check("trailersMax", bytes, 2, MIB);
        return o;
    }

    /// The largest chunk, in bytes; 2^60 - 1. A size is written with no more digits than this one
    /// has in hexadecimal, zeros in front included. Beyond it: 400. 1 to 2^60 - 1.
    public Http1Limits withChunkMax(long bytes) {
        var o = new Http1Limits(this);
        o.chunkMax = check("chunkMax", bytes, 1, CHUNK_MAX);
        return o;
    }

    /// Whether a request line or a head over a limit has a status of its own, 414 or 431; true.
    /// Without it: 400, which is what those are told who ask stock Tomcat.
    public Http1Limits withSpecificStatus(boolean isNamed) {
        var o = new Http1Limits(this);
        o.usesSpecificStatus = isNamed;
        return o;
    }

    /// Whether what old clients send is taken; false. Then a line may end with LF alone; a field
    /// may be folded into several lines, if it does not frame or route the message; tabs may
    /// stand for the spaces of a request line; up to 100 empty lines may come before it; blanks may
    /// follow a chunk extension. A body in chunks may come with a length, which is passed over, or
    /// in HTTP/1.0; the connection ends after it. `GET` and a target alone are a request of
    /// HTTP/0.9. A CR without LF stays refused, and so does LF alone in what frames chunks.
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
