package dev.tandem.engine.http1;

import dev.tandem.engine.Engine;
import dev.tandem.engine.ExchangeIo;
import dev.tandem.engine.Feed;
import dev.tandem.engine.IoContext;
import dev.tandem.engine.RequestAdmission;
import dev.tandem.engine.ResponseHead;
import dev.tandem.engine.ResponseHeaders;
import dev.tandem.engine.ResponseTail;
import dev.tandem.engine.RunningExchange;
import dev.tandem.engine.ServerExchange;
import dev.tandem.engine.SessionTerms;
import dev.tandem.engine.WriteQueue;
import dev.tandem.engine.container.Container;
import dev.tandem.engine.site.Resolved;
import dev.tandem.engine.site.RouteTiming;
import dev.tandem.engine.tls.TlsSocket;
import dev.tandem.http.Status;
import dev.tandem.http.TlsSessionInfo;
import dev.tandem.http.UpgradedConnection;
import dev.tandem.http.h1.ChunkFraming;
import dev.tandem.http.h1.Http1RequestHead;
import dev.tandem.http.h1.ResponseHeadWriter;
import dev.tandem.net.Connection;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// One exchange over HTTP/1.1: its head and body, the framing of its response, and whether the
/// connection can be used again. Confined to the connection's owner.
final class Http1Exchange implements ExchangeIo, RequestAdmission.Admitted {
    /// The loop sends longer content without a copy, in the same call as what was gathered: 4 KiB.
    private static final int COPIED_MAX = 4096;

    private final Http1Connection http;
    private final Http1RequestHead head;
    private final Resolved resolved;
    private final long beginNanos;

    /// What runs it: handlers' [ServerExchange], or a container's; null before.
    private @Nullable RunningExchange running;

    /// The container's part of it, if it is a container's.
    private @Nullable Http1Container container;

    /// What continues it on its loop, if its handler asked for that.
    private @Nullable Http1LoopSide loopSide;

    /// Of the thread that runs it; null while none does.
    private @Nullable IoContext context;

    private @Nullable Http1Body body;
    private @Nullable DisconnectProbe probe;

    @Override
    public void endedAt(long nanos) {
        connection().usedAt(nanos);
    }

    /// Whether another request may follow on the connection.
    private boolean isKept;

    private boolean isChunked;

    /// Whether the content ends with the connection.
    private boolean isUnframed;

    /// Whether its handler talks another protocol.
    private boolean isTunnel;

    /// Whether the response is incomplete.
    private boolean isBroken;

    /// Whether no other request follows on the connection, whatever the client asks for.
    private boolean isLast;

    /// The response, if it outlives the handler.
    private @Nullable Http1Feed feed;

    Http1Exchange(Http1Connection http, Http1RequestHead head, Resolved resolved) {
        this.http = http;
        this.head = head;
        this.resolved = resolved;
        this.beginNanos = System.nanoTime();
    }

    /// Creates the body.
    ///
    /// @param hasBegun whether some of it was received already
    Http1Body expectBody(boolean hasBegun) {
        var expected = new Http1Body(this, http, head, hasBegun);
        body = expected;
        return expected;
    }

    Engine engine() {
        return http.engine();
    }

    Connection connection() {
        return http.connection();
    }

    RouteTiming timing() {
        return resolved.timing();
    }

    /// Whether no handler reads the body, as there is no route.
    boolean ignoresBody() {
        return resolved.isWithoutRoute();
    }

    // ---- The run.

    @Override
    public RunningExchange running() {
        RunningExchange known = running;
        if (known == null) {
            Container responder = resolved.container();
            if (responder == null) {
                known = serverExchange();
            } else {
                var made = new Http1Container(http, this, resolved, responder, beginNanos);
                container = made;
                known = made.run();
            }
            running = known;
        }
        return known;
    }

    private ServerExchange serverExchange() {
        return new ServerExchange(engine(), this, resolved, http.admission(), beginNanos);
    }

    /// Responds with 503 instead of the handler.
    ///
    /// @param context the calling thread's
    void reject(IoContext context, int retryAfterSeconds) throws IOException {
        isLast |= body != null && !body.isOver(); // the loop does not read the rest of it
        serverExchange().reject(context, retryAfterSeconds);
    }

    /// The loop has seen an event that a container's request waits for.
    void watchedEvent(int operations) {
        Http1Container waiting = container;
        Http1LoopSide continues = loopSide;
        if (waiting != null) {
            waiting.watchedEvent(operations);
        } else if (continues != null) {
            continues.watchedEvent(operations);
        }
    }

    /// Its connection was closed.
    void closed() {
        Http1LoopSide continues = loopSide;
        if (continues != null) {
            continues.closed();
        }
    }

    @Override
    public Http1LoopSide loopSide() {
        Http1LoopSide known = loopSide;
        if (known == null) {
            known = new Http1LoopSide(http, this);
            loopSide = known;
        }
        return known;
    }

    /// The loop has it from now on.
    ///
    /// @param context the loop's
    void continueWith(IoContext context) {
        this.context = context;
    }

    /// Reads some of the body, on the loop, without waiting. Between two calls the body uses no
    /// buffer of the loop.
    int readOnLoop(byte[] to, int offset, int length) throws IOException {
        Http1Body unread = body;
        if (unread == null) {
            return -1;
        }
        unread.attach(context());
        try {
            return unread.read(to, offset, length, false);
        } finally {
            unread.detach();
        }
    }

    /// Whether the connection is to be kept, and the rest of the body must be read first.
    boolean mustDrain() {
        return isKept && body != null && !body.isOver() && body.mayBeDrained();
    }

    @Override
    public void attach(IoContext context) {
        this.context = context;
        if (body != null) {
            body.attach(context);
        }
    }

    /// No thread has it for now.
    void detach() {
        if (body != null) {
            body.detach();
        }
        context = null;
    }

    IoContext context() {
        if (context == null) {
            throw new IllegalStateException("the exchange is not running");
        }
        return context;
    }

    private ResponseHeadWriter headWriter() {
        return Http1Codec.of(context(), engine()).headWriter();
    }

    // ---- The request.

    @Override
    public Http1RequestHead head() {
        return head;
    }

    @Override
    public @Nullable Http1Body body() {
        return body;
    }

    @Override
    public SocketAddress remote() {
        return connection().socket().remoteAddress();
    }

    @Override
    public SocketAddress local() {
        return connection().socket().localAddress();
    }

    @Override
    public boolean isSecure() {
        return TlsSocket.isOf(connection());
    }

    @Override
    public @Nullable TlsSessionInfo security() {
        return TlsSocket.security(connection());
    }

    // ---- The response.

    /// Writes the response's head into the thread's writer, and decides whether the connection is
    /// kept.
    ///
    /// @param length of the content in bytes, -1 if it is sent in chunks or ends with the
    ///     connection
    /// @param mayReadBody whether the handler may still read the request's body
    private ResponseHeadWriter write(ResponseHead response, long length, boolean mayReadBody) {
        Http1Body unread = body;
        boolean hasEnd = length >= 0 || mayChunk() || !response.hasContent();
        isKept = head.isKeepAlive() && http.mayFollow() && hasEnd && !isLast;
        if (unread != null) {
            unread.responded();
            isKept &= mayReadBody ? unread.mayBeRead() : unread.mayBeDrained();
        }
        ResponseHeadWriter writer = headWriter().reset();
        writer.status(response.status()).date(context().dateLine());
        write(response.headers(), writer);
        if (Status.allowsContent(response.status())) {
            PreparedWriter.framing(writer, head, length);
        } else if (Status.isEmptyByLength(response.status())) {
            writer.contentLength(0);
        }
        PreparedWriter.connection(writer, head, isKept);
        return writer.end();
    }

    /// Writes all but the content's length.
    private static void write(ResponseHeaders headers, ResponseHeadWriter to) {
        for (int i = 0; i < headers.size(); i++) {
            to.header(headers.name(i), headers.value(i));
        }
    }

    private boolean mayChunk() {
        return head.minorVersion() > 0;
    }

    @Override
    public void interim(int status, ResponseHeaders headers) throws IOException {
        if (head.minorVersion() == 0 || context().isLoop()) {
            return; // responses of the loop are gathered, and follow at once
        }
        ResponseHeadWriter writer = headWriter().reset();
        writer.status(status);
        write(headers, writer);
        writer.end();
        put(ByteBuffer.wrap(writer.bytes(), 0, writer.length()));
        flush();
    }

    @Override
    public void send(ResponseHead response, long length, byte[] content, int count)
            throws IOException {
        IoContext with = context();
        ResponseHeadWriter writer = write(response, length, false);
        WriteQueue output = http.output();
        output.put(with, writer.bytes(), writer.length(), false);
        output.put(with, content, count, true);
        if (!with.isLoop()) {
            output.flush(with); // the loop does so once for all responses of its iteration
        }
    }

    @Override
    public void send(ResponseHead response, ResponseTail tail) throws IOException {
        ResponseHeadWriter writer;
        try {
            writer = write(response, tail.left(), false);
        } catch (RuntimeException | Error e) {
            tail.close();
            throw e;
        }
        http.output().sendTail(context(), writer.bytes(), writer.length(), tail);
    }

    /// Closes the connection behind it: such responses end rarely, and no request has to wait.
    @Override
    public void send(ResponseHead response, Feed made) throws IOException {
        isLast = true;
        ResponseHeadWriter writer = write(response, -1, false);
        if (!mayChunk()) {
            endsWithConnection();
        }
        http.output().put(context(), writer.bytes(), writer.length(), false);
        http.output().flush(context());
        feed = http.becomeFeed(made, mayChunk());
    }

    @Override
    public void begin(ResponseHead response, long length) throws IOException {
        // A handler that streams may read the rest of the body meanwhile.
        ResponseHeadWriter writer = write(response, length, true);
        boolean hasNoLength = length < 0 && response.hasContent();
        isChunked = hasNoLength && mayChunk();
        if (hasNoLength && !mayChunk()) {
            endsWithConnection();
        }
        put(ByteBuffer.wrap(writer.bytes(), 0, writer.length()));
    }

    /// The content ends with the connection: until it is complete, closing must reset that, else a
    /// part would look complete.
    void endsWithConnection() {
        isUnframed = true;
        connection().resetWhenClosed(true);
    }

    @Override
    public void write(ByteBuffer content) throws IOException {
        if (isChunked) {
            reserve(ChunkFraming.LENGTH_MAX);
            ChunkFraming.put(content.remaining(), output());
        }
        put(content);
        if (isChunked) {
            reserve(2);
            ChunkFraming.putCrlf(output());
        }
        if (!context().isLoop()) {
            flush(); // the loop does so once for all that it writes at a time
        }
    }

    @Override
    public void end(@Nullable ResponseHeaders trailers) throws IOException {
        if (isChunked) {
            reserve(ChunkFraming.LENGTH_MAX);
            ChunkFraming.putLast(output());
            if (trailers != null) {
                ResponseHeadWriter writer = headWriter().reset();
                write(trailers, writer);
                put(ByteBuffer.wrap(writer.bytes(), 0, writer.length()));
            }
            reserve(2);
            ChunkFraming.putCrlf(output());
        }
        if (!context().isLoop()) {
            flush();
            isUnframed = false; // complete, whatever its handler does afterwards
        }
    }

    private ByteBuffer output() {
        return context().output().bytes();
    }

    private void put(ByteBuffer bytes) throws IOException {
        if (bytes.remaining() > COPIED_MAX && bytes.isDirect() && context().isLoop()) {
            http.output().send(context(), bytes);
            return;
        }
        ByteBuffer output = output();
        while (bytes.hasRemaining()) {
            reserve(1);
            int size = Math.min(bytes.remaining(), output.remaining());
            output.put(output.position(), bytes, bytes.position(), size);
            output.position(output.position() + size);
            bytes.position(bytes.position() + size);
        }
    }

    private void reserve(int space) throws IOException {
        if (output().remaining() < space) {
            flush();
        }
    }

    @Override
    public void flush() throws IOException {
        if (context().isLoop() || http.output().isHeldUp()) {
            http.output().flush(context());
            return;
        }
        ByteBuffer output = output();
        output.flip();
        try {
            engine().waits().write(running(), connection(), context().output());
        } finally {
            output.clear();
        }
    }

    @Override
    public boolean takesTrailers() {
        return mayChunk() && head.headers().hasToken("TE", "trailers");
    }

    @Override
    public boolean canUpgrade() {
        return head.minorVersion() > 0; // RFC 9110, section 7.8
    }

    @Override
    public void upgrade(
            String protocol, ResponseHead response, UpgradedConnection.UpgradeHandler talk)
            throws IOException {
        isTunnel = true;
        ResponseHeadWriter writer = upgradeHead(protocol, response);
        http.output().flush(context());
        long stall = engine().timeouts().writeStall();
        var tunnel = new Http1Tunnel(connection(), http.input(), context().input(), stall);
        engine().tunnels().add(tunnel);
        try {
            tunnel.write(writer.bytes(), 0, writer.length());
            talk.handle(tunnel);
        } finally {
            engine().tunnels().remove(tunnel);
        }
    }

    private ResponseHeadWriter upgradeHead(String protocol, ResponseHead response) {
        ResponseHeadWriter writer = headWriter().reset();
        writer.status(response.status()).date(context().dateLine());
        write(response.headers(), writer);
        return writer.header("Upgrade", protocol).header("Connection", "upgrade").end();
    }

    /// Accepts a change of the protocol on the loop.
    void upgradeOnLoop(String protocol, ResponseHead response) throws IOException {
        ResponseHeadWriter writer = upgradeHead(protocol, response);
        http.output().put(context(), writer.bytes(), writer.length(), false);
    }

    @Override
    public int sessionStatus() {
        return 101;
    }

    @Override
    public void webSocket(ResponseHead response, SessionTerms terms) throws IOException {
        ResponseHeadWriter writer = headWriter().reset();
        writer.status(response.status()).date(context().dateLine());
        write(response.headers(), writer);
        writer.header("Upgrade", "websocket").header("Connection", "upgrade").end();
        http.output().put(context(), writer.bytes(), writer.length(), false);
        http.output().flush(context());
        http.becomeSession(terms).open(context());
    }

    // ---- The client.

    @Override
    public boolean isDisconnected() {
        if (probe == null) {
            probe = new DisconnectProbe();
        }
        boolean mayRead = body == null || body.isOver();
        return probe.isGone(connection(), mayRead ? http.input() : null, context().input());
    }

    @Override
    public void abort() {
        connection().cancelWait();
    }

    @Override
    public void freeDescriptors(int count) {
        connection().loop().evictSoon(count);
    }

    @Override
    public long nanos() {
        return connection().loop().clock().nanos();
    }

    // ---- The end.

    /// A container has begun to respond.
    void responds() {
        if (body != null) {
            body.responded();
        }
    }

    /// Sets whether the connection is kept, as a container decides.
    void keep(boolean isKept) {
        this.isKept = isKept && head.isKeepAlive(); // as its head requests
    }

    @Override
    public void finish(boolean isBroken) {
        Http1Body unread = body;
        boolean isOnLoop = context().isLoop();
        if (unread != null && !unread.isOver() && isKept && !isBroken) {
            isKept = !isOnLoop && unread.drain();
        }
        isKept &= !isBroken;
        this.isBroken = isBroken;
        if (isBroken && !isOnLoop) {
            output().clear(); // unsent output must not begin the next response
        }
        if (unread != null) {
            unread.release();
        }
        if (isBroken && feed != null) {
            feed.fail();
        }
    }

    /// Whether another request may follow on the connection.
    boolean isConnectionUsable() {
        return isKept;
    }

    /// Whether the response is incomplete, and would look complete if the connection ended in
    /// order.
    boolean isCut() {
        return isUnframed && isBroken;
    }

    /// Whether the connection has changed its protocol.
    boolean isUpgraded() {
        return isTunnel
                || container != null && container.isRaw()
                || loopSide != null && loopSide.isRaw();
    }

    /// Whether the client may still be sending its body.
    boolean hasUnreadBody() {
        return isUpgraded() || head.hasBody() && (body == null || !body.isOver());
    }
}
