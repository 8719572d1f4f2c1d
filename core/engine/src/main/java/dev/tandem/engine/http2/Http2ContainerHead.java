package dev.tandem.engine.http2;

import dev.tandem.engine.ResponseHead;
import dev.tandem.engine.ResponseHeaders;
import dev.tandem.engine.container.ContainerHead;

/// The head of a container's response over HTTP/2: collected, since the loop encodes it.
final class Http2ContainerHead implements ContainerHead, ResponseHead {
    private static final int STATUS_MIN = 100;
    private static final int STATUS_MAX = 599;

    /// Has no meaning in HTTP/2 (RFC 9113, section 8.6).
    private static final int SWITCHING_PROTOCOLS = 101;

    private static final int ERROR = 500;

    /// What a header line takes in addition to its text, as over HTTP/1.1.
    private static final int OVERHEAD = 4;

    private static final int LENGTH_DIGITS = 19;

    private final ResponseHeaders headers = new ResponseHeaders();
    private final int status;
    private long contentLength = -1;
    private int length = OVERHEAD;
    private boolean isServerDated;

    Http2ContainerHead(int status) {
        boolean isValid =
                status >= STATUS_MIN && status <= STATUS_MAX && status != SWITCHING_PROTOCOLS;
        this.status = isValid ? status : ERROR;
    }

    @Override
    public ContainerHead header(String name, String value) {
        headers.addAny(name, value);
        length += name.length() + value.length() + OVERHEAD;
        return this;
    }

    /// The loop adds it.
    @Override
    public ContainerHead date() {
        isServerDated = true;
        return this;
    }

    @Override
    public ContainerHead contentLength(long bytes) {
        contentLength = bytes;
        length += "content-length".length() + LENGTH_DIGITS + OVERHEAD;
        return this;
    }

    /// Each stream shows its end.
    @Override
    public ContainerHead chunked() {
        return this;
    }

    @Override
    public int length() {
        return length;
    }

    /// Returns the Content-Length, or -1.
    long contentLength() {
        return contentLength;
    }

    // ---- For the loop.

    @Override
    public int status() {
        return status;
    }

    @Override
    public ResponseHeaders headers() {
        return headers;
    }

    @Override
    public boolean hasContent() {
        return true;
    }

    @Override
    public boolean hasDate() {
        return !isServerDated;
    }
}
