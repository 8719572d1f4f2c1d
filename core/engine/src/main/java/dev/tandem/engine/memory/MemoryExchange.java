package dev.tandem.engine.memory;

import dev.tandem.engine.Engine;
import dev.tandem.engine.ExchangeIo;
import dev.tandem.engine.Feed;
import dev.tandem.engine.IoContext;
import dev.tandem.engine.RequestBody;
import dev.tandem.engine.ResponseHead;
import dev.tandem.engine.ResponseHeaders;
import dev.tandem.engine.ResponseTail;
import dev.tandem.engine.ServerExchange;
import dev.tandem.engine.site.Resolved;
import dev.tandem.http.Body;
import dev.tandem.http.Headers;
import dev.tandem.http.PreparedResponse;
import dev.tandem.http.RequestHead;
import dev.tandem.http.RequestTarget;
import dev.tandem.http.TlsSessionInfo;
import dev.tandem.http.UpgradedConnection;
import dev.tandem.net.IoBuffer;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/// One exchange whose request is a value, and whose response becomes one. Runs on the thread that
/// calls [#run()], to which it is confined.
public final class MemoryExchange implements ExchangeIo {
    /// 16 KiB: files and streams are copied in pieces of this size.
    private static final int BUFFER = 16_384;

    /// Of both ends: tests may ask for the client's.
    private static final SocketAddress LOOPBACK =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private static final int INCOMPLETE = 0;

    private final Engine engine;
    private final MemoryHead head;
    private final Resolved resolved;
    private final @Nullable MemoryBody body;
    private final ByteArrayOutputStream content = new ByteArrayOutputStream();
    private final List<String> headers = new ArrayList<>();
    private int status = INCOMPLETE;
    private boolean isBroken;

    /// @param headers with Content-Length, if there is a body
    /// @param body empty if the request has none
    /// @throws UnsupportedOperationException if a container responds to the request
    public MemoryExchange(
            Engine engine, String method, RequestTarget target, Headers headers, byte[] body) {
        this.engine = engine;
        this.head = new MemoryHead(method, target, headers);
        this.body = body.length == 0 ? null : new MemoryBody(body);
        String authority = target.authority();
        String host = authority == null ? head.value("Host") : authority;
        this.resolved = engine.hosts().named(host).over(false).resolve(method, target);
        if (resolved.container() != null) {
            throw new UnsupportedOperationException("a container needs a connection");
        }
    }

    /// Runs the handler, behind its filters.
    ///
    /// @throws EOFException if the response is incomplete: a client would see its connection closed
    public void run() throws IOException {
        PreparedResponse prepared = resolved.preparedResponse(head, isSecure());
        if (prepared != null) {
            take(prepared);
            return;
        }
        IoContext context =
                resolved.isImmediate()
                        ? IoContext.ofLoop(new IoBuffer(BUFFER), BUFFER)
                        : IoContext.ofWorker(BUFFER);
        new ServerExchange(engine, this, resolved, Unadmitted.INSTANCE, System.nanoTime())
                .run(context);
        if (isBroken) {
            throw new EOFException("the handler failed when its response had begun");
        }
    }

    /// Returns the status of the response.
    public int status() {
        return status;
    }

    /// Returns the headers of the response, without those that the protocol adds.
    public Headers responseHeaders() {
        return Headers.of(headers.toArray(String[]::new));
    }

    /// Returns the content of the response.
    public byte[] content() {
        return content.toByteArray();
    }

    private void take(PreparedResponse prepared) {
        status = prepared.status();
        for (String line :
                new String(prepared.headerLines(), StandardCharsets.ISO_8859_1).split("\r\n")) {
            int colon = line.indexOf(':');
            headers.add(line.substring(0, colon));
            headers.add(line.substring(colon + 1).strip());
        }
        if (!head.method().equals("HEAD")) {
            ByteBuffer bytes = prepared.body().duplicate();
            var all = new byte[bytes.remaining()];
            bytes.get(all);
            content.writeBytes(all);
        }
    }

    // ---- The request.

    @Override
    public RequestHead head() {
        return head;
    }

    @Override
    public @Nullable RequestBody body() {
        return body;
    }

    @Override
    public SocketAddress remote() {
        return LOOPBACK;
    }

    @Override
    public SocketAddress local() {
        return LOOPBACK;
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
        // Nothing is framed.
    }

    // ---- The response.

    private void begin(ResponseHead response) {
        status = response.status();
        ResponseHeaders set = response.headers();
        for (int i = 0; i < set.size(); i++) {
            headers.add(set.name(i));
            headers.add(set.value(i));
        }
    }

    @Override
    public void begin(ResponseHead response, long length) {
        begin(response);
        if (length >= 0) {
            headers.add("Content-Length");
            headers.add(Long.toString(length));
        }
    }

    @Override
    public void send(ResponseHead response, long length, byte[] bytes, int count) {
        begin(response, length);
        content.write(bytes, 0, count);
    }

    @Override
    public void send(ResponseHead response, ResponseTail tail) throws IOException {
        try (tail) {
            begin(response, tail.left());
            var buffer = new IoBuffer(BUFFER);
            while (tail.left() > 0) {
                buffer.bytes().clear();
                tail.read(buffer);
                write(buffer.bytes().flip());
            }
        }
    }

    /// Sends what the feed has now, as if the client disconnected then.
    @Override
    public void send(ResponseHead response, Feed feed) {
        begin(response);
        feed.begin(Output.INSTANCE);
        content.writeBytes(feed.takeFirst());
        for (byte[] next = feed.next(); next != null; next = feed.next()) {
            content.writeBytes(next);
        }
        feed.end(false);
    }

    /// The output of feeds, which are asked once.
    private enum Output implements Body.FeedOutput {
        INSTANCE;

        @Override
        public Executor loop() {
            return Runnable::run;
        }

        @Override
        public void send() {
            // What comes later is not waited for.
        }
    }

    @Override
    public void write(ByteBuffer piece) {
        var bytes = new byte[piece.remaining()];
        piece.get(bytes);
        content.writeBytes(bytes);
    }

    @Override
    public void flush() {
        // All is there.
    }

    @Override
    public void end(@Nullable ResponseHeaders trailers) {
        // Nothing is framed.
    }

    @Override
    public boolean takesTrailers() {
        return false;
    }

    @Override
    public void upgrade(
            String protocol, ResponseHead response, UpgradedConnection.UpgradeHandler talk) {
        throw new UnsupportedOperationException("another protocol needs a connection");
    }

    // ---- The client.

    @Override
    public boolean isDisconnected() {
        return false;
    }

    @Override
    public void abort() {
        // No thread waits for the client.
    }

    @Override
    public void freeDescriptors(int count) {
        // There are no connections.
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public void finish(boolean isBroken) {
        this.isBroken = isBroken;
    }
}
