package dev.tandem.tomcat;

import dev.tandem.engine.container.ContainerExchange;
import dev.tandem.http.FieldSyntax;
import dev.tandem.http.Headers;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Map;
import java.util.Objects;
import org.apache.coyote.ActionCode;
import org.apache.coyote.Response;
import org.apache.coyote.http11.HttpOutputBuffer;
import org.apache.coyote.http11.filters.GzipOutputFilter;
import org.jspecify.annotations.Nullable;

/// A response's content, as much of it as its head says. Reused for the next response.
final class ResponseOutput implements HttpOutputBuffer {

    /// How the client finds the end of the content.
    enum Framing {
        /// No content is sent.
        NONE,
        /// By its length, or by the end of the connection.
        PLAIN,
        /// By chunks, or by the end of the stream.
        CHUNKED,
        /// A file is sent in place of written content.
        FILE
    }

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
        // The compressor would write its header and trailer even if there is no content.
        this.isCompressed = isCompressed && newFraming != Framing.NONE;
    }

    boolean isChunked() {
        return framing == Framing.CHUNKED;
    }

    boolean isEnded() {
        return isEnded;
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
        } catch (IOException | RuntimeException | Error e) {
            cut(e);
            throw e;
        }
        return length;
    }

    /// Some of the content is missing, perhaps after an error such as a lack of memory: what would
    /// follow would take its place. Catalina notifies the listeners of an async request.
    private void cut(Throwable failure) {
        if (exchange != null) { // else the failure is that the response has ended
            response.action(ActionCode.CLOSE_NOW, failure);
        }
    }

    private void write(ByteBuffer chunk) throws IOException {
        if (isEnded || framing == Framing.NONE || framing == Framing.FILE) {
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
        if (framing == Framing.CHUNKED || remaining < 0) {
            BufferWriter.write(exchange(), chunk, isBlocking());
        } else {
            length = (int) Math.min(length, remaining);
            remaining -= length;
            int end = chunk.limit();
            BufferWriter.write(exchange(), chunk.limit(chunk.position() + length), isBlocking());
            chunk.limit(end).position(end);
        }
        written += length;
    }

    @Override
    public long getBytesWritten() {
        return written;
    }

    @Override
    public void flush() throws IOException {
        try {
            if (isCompressed && !isEnded) {
                gzip.flush();
            } else {
                exchange().flush(isBlocking());
            }
        } catch (RuntimeException | Error e) {
            cut(e);
            throw e;
        }
    }

    @Override
    public void end() throws IOException {
        if (isEnded) {
            return;
        }
        try {
            if (isCompressed) {
                gzip.end();
            }
            isEnded = true;
            if (framing != Framing.FILE && !isIncomplete()) {
                exchange().endContent(trailers(), isBlocking());
            }
        } catch (RuntimeException | Error e) {
            cut(e);
            throw e;
        }
    }

    private Headers trailers() {
        var supplier = response.getTrailerFields();
        Map<String, String> headers = supplier == null ? null : supplier.get();
        if (headers == null) {
            return Headers.EMPTY;
        }
        var pairs = new ArrayList<String>();
        for (Map.Entry<String, String> trailer : headers.entrySet()) {
            String value = HeaderText.sanitize(trailer.getValue());
            if (value != null && FieldSyntax.isToken(trailer.getKey())) {
                pairs.add(trailer.getKey());
                pairs.add(value);
            }
        }
        return Headers.of(pairs.toArray(String[]::new));
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
