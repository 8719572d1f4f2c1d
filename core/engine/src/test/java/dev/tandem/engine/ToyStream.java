package dev.tandem.engine;

import dev.tandem.engine.site.Resolved;
import dev.tandem.http.RequestHead;
import dev.tandem.http.TlsSessionInfo;
import dev.tandem.http.UpgradedConnection;
import dev.tandem.net.IoBuffer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/// One exchange on a [ToyConnection]: everything that the engine requires of a protocol.
final class ToyStream implements QueuedRequest, ExchangeIo {
    private static final SocketAddress ANYWHERE =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);

    private final ToyConnection connection;
    private final String id;
    private final ToyHead head;
    private final ToyBody body = new ToyBody();
    private final RequestAdmission admission;
    private final ServerExchange exchange;
    private volatile boolean isCancelled;
    private boolean isDone;

    ToyStream(ToyConnection connection, String id, ToyHead head, Resolved resolved) {
        this.connection = connection;
        this.id = id;
        this.head = head;
        Engine engine = connection.engine();
        this.admission = new RequestAdmission(engine.dispatcher(), this, false, false);
        this.exchange = new ServerExchange(engine, this, resolved, admission, System.nanoTime());
    }

    /// Returns what frames of content are added to.
    ToyBody content() {
        return body;
    }

    RequestAdmission admission() {
        return admission;
    }

    ServerExchange exchange() {
        return exchange;
    }

    /// The client resets the stream: one that is queued never runs.
    void cancel() {
        isCancelled = true;
        if (admission.cancel()) {
            admission.connectionClosed();
        }
    }

    // ---- The queue.

    @Override
    public void run(IoContext context) {
        try {
            admission.run(() -> exchange, context);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            admission.connectionClosed();
            connection.engine().dispatcher().startNextAtEnd();
        }
    }

    @Override
    public void reject(int retryAfterSeconds) {
        try {
            connection.reject(this, retryAfterSeconds);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        connection.send(id, "CUT");
    }

    // ---- The request.

    @Override
    public RequestHead head() {
        return head;
    }

    @Override
    public @Nullable ToyBody body() {
        return head.method().equals("POST") ? body : null;
    }

    @Override
    public SocketAddress remote() {
        return ANYWHERE;
    }

    @Override
    public SocketAddress local() {
        return ANYWHERE;
    }

    @Override
    public boolean isSecure() {
        return false;
    }

    @Override
    public @Nullable TlsSessionInfo security() {
        return null;
    }

    @Override
    public void attach(IoContext context) {
        // Frames are not gathered.
    }

    // ---- The response.

    private void head(ResponseHead response, long length) {
        var fields = new StringJoiner(",", "", "");
        ResponseHeaders headers = response.headers();
        for (int i = 0; i < headers.size(); i++) {
            fields.add(headers.name(i) + "=" + headers.value(i));
        }
        if (length >= 0) {
            fields.add("length=" + length);
        }
        connection.send(id, "HEAD " + response.status() + " " + fields);
    }

    private void data(byte[] bytes, int length) {
        connection.send(id, "DATA " + new String(bytes, 0, length, StandardCharsets.UTF_8));
    }

    private void checkClient() throws IOException {
        if (isCancelled) {
            throw new IOException("the stream was reset");
        }
    }

    @Override
    public void send(ResponseHead response, long length, byte[] content, int count)
            throws IOException {
        checkClient();
        head(response, length);
        if (count > 0) {
            data(content, count);
        }
        end(null);
    }

    @Override
    public void send(ResponseHead response, ResponseTail tail) throws IOException {
        try (tail) {
            checkClient();
            head(response, tail.left());
            var buffer = new IoBuffer(16);
            while (tail.left() > 0) {
                buffer.bytes().clear();
                tail.read(buffer);
                write(buffer.bytes().flip());
            }
            end(null);
        }
    }

    @Override
    public void begin(ResponseHead response, long length) throws IOException {
        checkClient();
        head(response, length);
    }

    @Override
    public void write(ByteBuffer content) throws IOException {
        checkClient();
        var bytes = new byte[content.remaining()];
        content.get(bytes);
        data(bytes, bytes.length);
    }

    @Override
    public void flush() throws IOException {
        checkClient();
    }

    @Override
    public void end(@Nullable ResponseHeaders trailers) throws IOException {
        checkClient();
        connection.send(id, "END");
        isDone = true;
    }

    @Override
    public boolean takesTrailers() {
        return false;
    }

    @Override
    public void upgrade(
            String protocol, ResponseHead response, UpgradedConnection.UpgradeHandler talk) {
        throw new UnsupportedOperationException("a stream is no connection");
    }

    // ---- The loop.

    @Override
    public @Nullable LoopSide loopSide() {
        return connection.loopSide;
    }

    // ---- The client.

    @Override
    public boolean isDisconnected() {
        return isCancelled;
    }

    @Override
    public void abort() {
        isCancelled = true;
    }

    @Override
    public void freeDescriptors(int count) {
        // It has none.
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public void finish(boolean isBroken) {
        connection.finishing();
        if (isBroken && !isDone) {
            connection.send(id, "CUT");
        }
    }
}
