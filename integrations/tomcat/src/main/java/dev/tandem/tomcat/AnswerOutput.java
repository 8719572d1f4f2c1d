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

/// An answer's content, framed as its head says. Used again for the next answer.
final class AnswerOutput implements HttpOutputBuffer {

    /// How it is told where the content ends.
    enum Framing {
        /// There is none to send.
        NONE,
        /// It has a length, or goes on until the connection's end.
        PLAIN,
        CHUNKED
    }

    /// Chunks of up to that many bytes are sent as a whole: 16 KiB, more than Catalina's
    /// buffers have.
    private static final int WHOLE_MAX = 16_384;

    private static final byte[] CRLF = {'\r', '\n'};
    private static final byte[] LAST = {'0', '\r', '\n', '\r', '\n'};

    private final Response response;
    private final GzipOutputFilter gzip = new GzipOutputFilter();
    private @Nullable ContainerExchange wire;
    private Framing framing = Framing.PLAIN;

    /// Of the content that was announced; -1 if it was not.
    private long left;

    private long written;
    private boolean isZipped;

    /// Nothing more is to be sent.
    private boolean isOver;

    AnswerOutput(Response response) {
        this.response = response;
        gzip.setBuffer(new Framed());
    }

    void begin(ContainerExchange wire) {
        this.wire = wire;
        framing = Framing.PLAIN;
        left = -1;
        written = 0;
        isZipped = false;
        isOver = false;
    }

    void recycle() {
        wire = null;
        gzip.recycle();
    }

    /// The head is sent.
    ///
    /// @param length of the content, or -1
    void frame(Framing how, long length, boolean isZipped) {
        framing = how;
        left = length;
        this.isZipped = isZipped;
    }

    boolean isChunked() {
        return framing == Framing.CHUNKED;
    }

    /// Has what is written from now on passed over.
    void drop() {
        isOver = true;
    }

    /// Whether there is less content than was announced: what follows would pass for the rest.
    boolean isShort() {
        return framing == Framing.PLAIN && left > 0;
    }

    boolean isHeldUp() {
        ContainerExchange open = wire;
        return open != null && open.isHeldUp();
    }

    private ContainerExchange wire() {
        return Objects.requireNonNull(wire, "the answer is over");
    }

    private boolean waits() {
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
            // For async requests Catalina has its listeners told.
            response.action(ActionCode.CLOSE_NOW, e);
            throw e;
        }
        return length;
    }

    private void write(ByteBuffer chunk) throws IOException {
        if (isOver || framing == Framing.NONE) {
            chunk.position(chunk.limit());
        } else if (isZipped) {
            gzip.doWrite(chunk);
        } else {
            framed(chunk);
        }
    }

    private void framed(ByteBuffer chunk) throws IOException {
        int length = chunk.remaining();
        if (length == 0) {
            return;
        }
        if (framing == Framing.CHUNKED) {
            chunk(chunk);
        } else if (left < 0) {
            Pieces.write(wire(), chunk, waits());
        } else {
            length = (int) Math.min(length, left);
            left -= length;
            int end = chunk.limit();
            Pieces.write(wire(), chunk.limit(chunk.position() + length), waits());
            chunk.limit(end).position(end);
        }
        written += length;
        wire().sent(length);
    }

    private void chunk(ByteBuffer content) throws IOException {
        int length = content.remaining();
        String size = Integer.toHexString(length) + "\r\n";
        byte[] head = size.getBytes(StandardCharsets.US_ASCII);
        if (wire().isShared() && length <= WHOLE_MAX) {
            // What threads that are no workers write is sent at once: not in four pieces.
            byte[] whole = Arrays.copyOf(head, head.length + length + CRLF.length);
            content.get(whole, head.length, length);
            System.arraycopy(CRLF, 0, whole, head.length + length, CRLF.length);
            wire().write(whole, 0, whole.length, waits());
            return;
        }
        wire().write(head, 0, head.length, waits());
        Pieces.write(wire(), content, waits());
        wire().write(CRLF, 0, CRLF.length, waits());
    }

    @Override
    public long getBytesWritten() {
        return written;
    }

    @Override
    public void flush() throws IOException {
        if (isZipped && !isOver) {
            gzip.flush();
        } else {
            wire().flush(waits());
        }
    }

    @Override
    public void end() throws IOException {
        if (isOver) {
            return;
        }
        if (isZipped) {
            gzip.end();
        }
        isOver = true;
        if (framing == Framing.CHUNKED) {
            String trailers = trailers();
            byte[] last =
                    trailers.isEmpty()
                            ? LAST
                            : ("0\r\n" + trailers + "\r\n").getBytes(StandardCharsets.ISO_8859_1);
            wire().write(last, 0, last.length, waits());
        }
    }

    private String trailers() {
        var supplier = response.getTrailerFields();
        Map<String, String> fields = supplier == null ? null : supplier.get();
        if (fields == null) {
            return "";
        }
        var lines = new StringBuilder();
        for (Map.Entry<String, String> field : fields.entrySet()) {
            String value = FieldText.safe(field.getValue());
            if (value != null && FieldSyntax.isToken(field.getKey())) {
                lines.append(field.getKey()).append(": ").append(value).append("\r\n");
            }
        }
        return lines.toString();
    }

    /// What the compressed content goes to.
    private final class Framed implements HttpOutputBuffer {
        @Override
        public int doWrite(ByteBuffer chunk) throws IOException {
            int length = chunk.remaining();
            framed(chunk);
            return length;
        }

        @Override
        public long getBytesWritten() {
            return written;
        }

        @Override
        public void end() {
            // Whoever ends the answer does.
        }

        @Override
        public void flush() throws IOException {
            wire().flush(waits());
        }
    }
}
