package dev.tandem.engine.http1;

import dev.tandem.engine.container.ContainerHead;
import dev.tandem.http.Status;
import dev.tandem.http.h1.ResponseHeadWriter;
import java.nio.charset.StandardCharsets;
import java.util.function.Supplier;

/// The head of a container's response over HTTP/1.1, written at once. Its status line has no reason
/// phrase, as Tomcat's has none.
final class Http1ContainerHead implements ContainerHead {
    private static final int STATUS_MAX = 599;

    /// Status lines by status code.
    private static final byte[][] STATUS_LINES = new byte[STATUS_MAX + 1][];

    private static final byte[] CHUNKED =
            "Transfer-Encoding: chunked\r\n".getBytes(StandardCharsets.US_ASCII);

    static {
        for (int status = 100; status <= STATUS_MAX; status++) {
            STATUS_LINES[status] = statusLine(status);
        }
    }

    private final ResponseHeadWriter writer;
    private final Supplier<byte[]> dateLine;
    private final int status;
    private boolean isChunked;
    private boolean hasLength;

    /// @param writer empty
    /// @param dateLine returns the line of this second
    Http1ContainerHead(ResponseHeadWriter writer, int status, Supplier<byte[]> dateLine) {
        this.writer = writer;
        this.status = status;
        this.dateLine = dateLine;
        byte[] line = status >= 0 && status <= STATUS_MAX ? STATUS_LINES[status] : null;
        writer.header(line == null ? statusLine(status) : line);
    }

    private static byte[] statusLine(int status) {
        return ("HTTP/1.1 " + status + " \r\n").getBytes(StandardCharsets.US_ASCII);
    }

    int status() {
        return status;
    }

    boolean isChunked() {
        return isChunked;
    }

    /// Whether content ends with the connection, if there is some.
    boolean isUnframed() {
        return !isChunked && !hasLength && Status.allowsContent(status);
    }

    /// Returns the writer, with the complete head.
    ResponseHeadWriter end() {
        return writer.end();
    }

    @Override
    public ContainerHead header(String name, String value) {
        writer.header(name, value);
        return this;
    }

    @Override
    public ContainerHead date() {
        writer.date(dateLine.get());
        return this;
    }

    @Override
    public ContainerHead contentLength(long bytes) {
        hasLength = true;
        writer.contentLength(bytes);
        return this;
    }

    @Override
    public ContainerHead chunked() {
        isChunked = true;
        writer.header(CHUNKED);
        return this;
    }

    /// Counts the empty line at its end.
    @Override
    public int length() {
        return writer.length() + 2;
    }
}
