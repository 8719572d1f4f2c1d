package dev.tandem.tomcat;

import dev.tandem.engine.container.ContainerExchange;
import dev.tandem.http.FieldSyntax;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import org.apache.coyote.ActionCode;
import org.apache.coyote.Response;
import org.apache.coyote.http11.HttpOutputBuffer;
import org.apache.coyote.http11.filters.GzipOutputFilter;
import org.jspecify.annotations.Nullable;

/// A response's content, framed as its head says. Reused for the next response.
final class ResponseOutput implements HttpOutputBuffer {

    /// How the client finds the end of the content.
    enum Framing {
        /// No content is sent.
        NONE,
        /// By its length, or by the end of the connection.
        PLAIN,
        CHUNKED
    }

    /// Chunks of up to this many bytes are sent in one write: 16 KiB, more than Catalina's buffers
    /// hold.
    private static final int SINGLE_WRITE_MAX = 16_384;

    private static final byte[] CRLF = {'\r', '\n'};
    private static final byte[] LAST_CHUNK = {'0', '\r', '\n', '\r', '\n'};

    private final Response response;
    private final GzipOutputFilter gzip = new GzipOutputFilter();
    private @Nullable ContainerExchange exchange;
    private Framing framing = Framing.PLAIN;

    /// Bytes of the announced content that have not been written; -1 if no length was announced.
    private long remaining;

    private long written;
    private boolean isCompressed;

    /// No more content is sent.
    private boolean isEnded;

    ResponseOutput(Response response) {
        this.response = response;
        gzip.setBuffer(new FramedBuffer());
    }

    void start(ContainerExchange exchange) {
        this.exchange = exchange;
        framing = Framing.PLAIN;
        remaining = -1;
        written = 0;
        isCompressed = false;
        isEnded = false;
    }

    void recycle() {
        exchange = null;
        gzip.recycle();
    }

    /// Sets the framing once the head has been sent.
    ///
    /// @param length of the content, or -1
    void setFraming(Framing newFraming, long length, boolean isCompressed) {
        framing = newFraming;
        remaining = length;
        this.isCompressed = isCompressed;
    }

    boolean isChunked() {
        return framing == Framing.CHUNKED;
    }

    /// Discards whatever is written from now on.
    void discardContent() {
        isEnded = true;
    }

    /// Returns whether less content was written than announced: what follows would be taken for the
    /// rest.
    boolean isIncomplete() {
        return framing == Framing.PLAIN && remaining > 0;
    }

    boolean isWriteBlocked() {
        ContainerExchange open = exchange;
        return open != null && open.isHeldUp();
    }

    private ContainerExchange exchange() {
        return Objects.requireNonNull(exchange, "the response has ended");
    }

    private boolean isBlocking() {
        return response.getWriteListener() == null;
    }

    @Override
    public int doWrite(ByteBuffer chunk) throws IOException {
        if (!response.isCommitted()) {
            response.action(ActionCode.COMMIT, null);
        }
        int length = chunk.remaining();
        try {
            write(chunk);
        } catch (IOException e) {
            // Catalina notifies the listeners of an async request.
            response.action(ActionCode.CLOSE_NOW, e);
            throw e;
        }
        return length;
    }

    private void write(ByteBuffer chunk) throws IOException {
        if (isEnded || framing == Framing.NONE) {
            chunk.position(chunk.limit());
        } else if (isCompressed) {
            gzip.doWrite(chunk);
        } else {
            writeFramed(chunk);
        }
    }

    private void writeFramed(ByteBuffer chunk) throws IOException {
        int length = chunk.remaining();
        if (length == 0) {
            return;
        }
        if (framing == Framing.CHUNKED) {
            writeChunk(chunk);
        } else if (remaining < 0) {
            BufferWriter.write(exchange(), chunk, isBlocking());
        } else {
            length = (int) Math.min(length, remaining);
            remaining -= length;
            int end = chunk.limit();
            BufferWriter.write(exchange(), chunk.limit(chunk.position() + length), isBlocking());
            chunk.limit(end).position(end);
        }
        written += length;
        exchange().sent(length);
    }

    private void writeChunk(ByteBuffer content) throws IOException {
        int length = content.remaining();
        String size = Integer.toHexString(length) + "\r\n";
        byte[] head = size.getBytes(StandardCharsets.US_ASCII);
        if (exchange().isShared() && length <= SINGLE_WRITE_MAX) {
            // What threads other than workers write is sent at once: so it is one write, not four.
            byte[] whole = Arrays.copyOf(head, head.length + length + CRLF.length);
            content.get(whole, head.length, length);
            System.arraycopy(CRLF, 0, whole, head.length + length, CRLF.length);
            exchange().write(whole, 0, whole.length, isBlocking());
            return;
        }
        exchange().write(head, 0, head.length, isBlocking());
        BufferWriter.write(exchange(), content, isBlocking());
        exchange().write(CRLF, 0, CRLF.length, isBlocking());
    }

    @Override
    public long getBytesWritten() {
        return written;
    }

    @Override
    public void flush() throws IOException {
        if (isCompressed && !isEnded) {
            gzip.flush();
        } else {
            exchange().flush(isBlocking());
        }
    }

    @Override
    public void end() throws IOException {
        if (isEnded) {
            return;
        }
        if (isCompressed) {
            gzip.end();
        }
        isEnded = true;
        if (framing == Framing.CHUNKED) {
            String trailers = trailers();
            byte[] lastChunk =
                    trailers.isEmpty()
                            ? LAST_CHUNK
                            : ("0\r\n" + trailers + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
            exchange().write(lastChunk, 0, lastChunk.length, isBlocking());
        }
    }

    private String trailers() {
        var supplier = response.getTrailerFields();
        Map<String, String> headers = supplier == null ? null : supplier.get();
        if (headers == null) {
            return "";
        }
        var lines = new StringBuilder();
        for (Map.Entry<String, String> trailer : headers.entrySet()) {
            String value = HeaderText.sanitize(trailer.getValue());
            if (value != null && FieldSyntax.isToken(trailer.getKey())) {
                lines.append(trailer.getKey()).append(": ").append(value).append("\r\n");
            }
        }
        return lines.toString();
    }

    /// The output of the compressor.
    private final class FramedBuffer implements HttpOutputBuffer {
        @Override
        public int doWrite(ByteBuffer chunk) throws IOException {
            int length = chunk.remaining();
            writeFramed(chunk);
            return length;
        }

        @Override
        public long getBytesWritten() {
            return written;
        }

        @Override
        public void end() {
            // The response is ended by [#end()] of the outer class.
        }

        @Override
        public void flush() throws IOException {
            exchange().flush(isBlocking());
        }
    }
}
