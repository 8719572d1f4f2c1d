package dev.tandem.server;

import dev.tandem.http.Body;
import dev.tandem.http.EventStream;
import dev.tandem.http.Exchange;
import dev.tandem.http.FieldSyntax;
import dev.tandem.http.HttpException;
import dev.tandem.http.Request;
import dev.tandem.http.Status;
import dev.tandem.http.UpgradedConnection;
import dev.tandem.http.h1.Http1RequestHead;
import dev.tandem.http.h1.ResponseHeadWriter;
import dev.tandem.net.Connection;
import dev.tandem.net.OpenFile;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One request over HTTP/1.1 and its answer. Confined to the thread that runs it.
final class Http1Exchange implements Exchange {
    private static final byte[] NOTHING = {};

    private final Http1Connection http;
    private final Http1RequestHead head;
    private final Resolved resolved;
    private final long beginNanos;
    private final ResponseHeaders fields = new ResponseHeaders();

    /// The worker's, from when it takes the exchange on; or the loop's.
    private @Nullable IoContext kit;

    private @Nullable ServerRequest request;
    private @Nullable Http1Body body;
    private @Nullable ResponseStream stream;

    /// Of a container, which frames its answers itself.
    private @Nullable Http1Container wire;

    private @Nullable String id;
    private @Nullable Map<String, Object> attributes;
    private @Nullable ResponseHeaders trailers;
    private @Nullable DisconnectProbe look;
    private int status = 200;
    private long bodyBytes;

    /// When the handler began, by [System#nanoTime()].
    private long runNanos;

    /// What the sending of a file, or of pieces, took in nanoseconds.
    private long fileNanos;

    private boolean isAnswered;
    private boolean isBroken;
    private boolean isKept;
    private boolean isLongLived;

    Http1Exchange(
            Http1Connection http,
            @Nullable IoContext kit,
            Http1RequestHead head,
            Resolved resolved) {
        this.http = http;
        this.kit = kit;
        this.head = head;
        this.resolved = resolved;
        this.beginNanos = System.nanoTime();
    }

    /// There is a body.
    ///
    /// @param hasBegun whether some of it has come already
    Http1Body expectBody(boolean hasBegun) {
        var expected = new Http1Body(this, http, head, hasBegun);
        body = expected;
        return expected;
    }

    /// A worker takes it on, or goes on with it beside others who use its wire.
    void begin(IoContext kit) {
        if (wire == null) {
            on(kit);
        } else {
            wire.hold(kit);
        }
    }

    void on(IoContext kit) {
        this.kit = kit;
        if (body != null) {
            body.on(kit);
        }
    }

    /// The body, which the loop collects first; null if there is none.
    @Nullable Http1Body body() {
        return body;
    }

    /// Nobody has it for now.
    void off() {
        if (body != null) {
            body.off();
        }
        kit = null;
    }

    IoContext kit() {
        if (kit == null) {
            throw new IllegalStateException("the exchange is not running");
        }
        return kit;
    }

    private boolean isOnLoop() {
        return kit().isLoops();
    }

    // ---- HANDLE.

    /// Runs the handler, or what is to be done later, and sees to it that the exchange ends well
    /// whatever the handler did.
    ///
    /// @return whether it is over; if not, somebody will go on with it
    boolean run() throws IOException {
        boolean isOver = true;
        try {
            if (wire == null) {
                runNanos = System.nanoTime();
                handle();
            }
            isOver = wire == null || !wire.isShared() || wire.goOn();
            if (isOver) {
                conclude();
            }
        } catch (HttpException e) {
            fail(e.status(), e.getMessage() == null ? "" : e.getMessage());
        } catch (ClientGoneException e) {
            isBroken = true;
        } catch (ResponseOverException e) {
            // All that was asked for is sent.
        } catch (Throwable e) {
            if (!isBroken) { // else a handler wrapped the news that the client is gone
                Failing.ours(this, http.engine(), e);
            }
        } finally {
            if (isOver) {
                finish();
            }
        }
        return isOver;
    }

    /// Sends what the handler has not sent.
    private void conclude() throws IOException {
        if (wire == null || !wire.isShared()) {
            resolved.pace().ran(System.nanoTime() - runNanos - fileNanos);
        }
        ResponseStream open = stream;
        if (wire != null) {
            http.outbox().flush(kit());
        } else if (open != null) {
            open.close(); // if the handler did not
        } else if (!isAnswered) {
            status(status == 200 ? 204 : status).send();
        }
    }

    /// For a container. The exchange is then its, and answered by it.
    Http1Container wire() {
        var made = new Http1Container(http, this);
        wire = made;
        return made;
    }

    /// More is to be done, or is possible, for an exchange that outlived its handler.
    void noticed(int operations) {
        if (wire != null) {
            wire.noticed(operations);
        }
    }

    /// A container has begun to answer.
    void answers(int status) {
        isAnswered = true;
        this.status = status;
        if (body != null) {
            body.answered();
        }
    }

    /// A container's word on how it ends.
    void ends(boolean isKept, boolean isBroken) {
        this.isKept = isKept && head.isKeepAlive(); // as its head has said
        this.isBroken |= isBroken;
    }

    /// It is not to run: admission has refused it.
    void refuse(int retryAfterSeconds) throws IOException {
        try {
            fields.set("Retry-After", Integer.toString(retryAfterSeconds));
            fail(503, "too busy: try again in " + retryAfterSeconds + " s");
        } finally {
            finish();
        }
    }

    /// Whether it ended otherwise than its handler meant it to.
    boolean isFailed() {
        return isBroken || status >= 500;
    }

    private void handle() throws Exception {
        long most = http.engine().options().bodyMax();
        if (head.contentLength() > most) {
            throw new HttpException(413, "the body is longer than " + most + " bytes");
        }
        resolved.handler().handle(this);
    }

    /// Shows the error page, or cuts the answer if it has begun.
    void fail(int status, String message) throws IOException {
        if (isAnswered) {
            isBroken = true;
            return;
        }
        fields.dropContent();
        trailers = null;
        stream = null; // what it holds was never sent
        this.status = status;
        try {
            resolved.site().errorPage().show(this, message);
            if (!isAnswered) {
                send();
            }
        } catch (ClientGoneException e) {
            isBroken = true;
        } catch (Exception e) {
            isBroken = true;
            Log.LOG.log(Level.ERROR, "exchange " + id() + ": the error page failed", e);
        }
    }

    private void finish() {
        if (wire != null) {
            wire.over();
        }
        Http1Body unread = body;
        if (unread != null && !unread.isOver() && isKept && !isBroken) {
            isKept = !isOnLoop() && unread.drain();
        }
        if (isBroken && !isOnLoop()) {
            kit().output().bytes().clear(); // what was not sent is not the next answer's beginning
        }
        if (unread != null) {
            unread.release();
        }
        if (isLongLived) {
            http.engine().waits().endLong();
        }
        if (request != null) {
            request.close();
        }
        long nanos = System.nanoTime() - beginNanos;
        pace().counts().answered(isBroken ? RouteCounts.CUT : status, nanos);
        LoggedResponse.exchange(this, http, head, bodyBytes, nanos);
    }

    Connection connection() {
        return http.connection();
    }

    Http1RequestHead head() {
        return head;
    }

    boolean ignoresBody() {
        return resolved.isWithoutRoute();
    }

    RouteTiming pace() {
        return resolved.pace();
    }

    /// Whether another request may follow on the connection.
    boolean isConnectionUsable() {
        return isKept && !isBroken;
    }

    /// Whether the client may still be sending its body.
    boolean hasUnreadBody() {
        Http1Body unread = body;
        if (wire != null && wire.isRaw()) {
            return true;
        }
        return head.hasBody() && (unread == null || !unread.isOver());
    }

    // ---- What was asked.

    @Override
    public String id() {
        if (id == null) {
            id = http.engine().ids().next();
        }
        return id;
    }

    @Override
    public Request request() {
        if (request == null) {
            request = new ServerRequest(http, head, body);
        }
        return request;
    }

    @Override
    public String method() {
        return head.method();
    }

    @Override
    public String pathParam(String name) {
        return resolved.param(name);
    }

    @Override
    public String routePattern() {
        return resolved.route().pattern();
    }

    @Override
    public @Nullable Object attribute(String name) {
        return attributes == null ? null : attributes.get(name);
    }

    @Override
    public Exchange attribute(String name, @Nullable Object value) {
        if (attributes == null) {
            attributes = new HashMap<>();
        }
        attributes.compute(name, (_, _) -> value);
        return this;
    }

    // ---- The answer's head.

    private void checkUnanswered() {
        if (isAnswered) {
            throw new IllegalStateException("exchange " + id() + " was answered already");
        }
    }

    @Override
    public Exchange status(int status) {
        checkUnanswered();
        if (status < 200 || status > 599) {
            throw new IllegalArgumentException("status must be 200..599, was " + status);
        }
        this.status = status;
        return this;
    }

    @Override
    public int status() {
        return status;
    }

    @Override
    public Exchange header(String name, String value) {
        checkUnanswered();
        fields.set(name, value);
        return this;
    }

    @Override
    public Exchange addHeader(String name, String value) {
        checkUnanswered();
        fields.add(name, value);
        return this;
    }

    @Override
    public @Nullable String responseHeader(String name) {
        return fields.first(name);
    }

    @Override
    public Exchange trailer(String name, String value) {
        if (isAnswered && stream == null) {
            throw new IllegalStateException("exchange " + id() + " was answered already");
        }
        if (trailers == null) {
            trailers = new ResponseHeaders();
        }
        trailers.set(FieldSyntax.requireName(name), value);
        return this;
    }

    /// The trailer fields, if there are any and the client takes them (RFC 9110, section 6.5.1).
    @Nullable ResponseHeaders trailers() {
        boolean mayBeTaken = trailers != null && mayChunk();
        return mayBeTaken && request().headers().hasToken("TE", "trailers") ? trailers : null;
    }

    @Override
    public boolean isCommitted() {
        return isAnswered;
    }

    /// Whether content may follow the head: not after HEAD, and not with 204 and 304.
    boolean hasContent() {
        return !head.method().equals("HEAD") && Status.allowsContent(status);
    }

    boolean mayChunk() {
        return head.minorVersion() > 0;
    }

    ResponseHeaders fields() {
        return fields;
    }

    /// Writes the answer's head into the kit's writer; from here on the exchange is answered.
    ///
    /// @param length of the content in bytes, -1 if it is sent in chunks or ends with the
    ///     connection
    ResponseHeadWriter writeHead(long length) {
        checkUnanswered();
        isAnswered = true;
        Events.answers(kit());
        Http1Body unread = body;
        boolean hasEnd = length >= 0 || mayChunk() || !hasContent();
        isKept = head.isKeepAlive() && http.admittance().mayGoOn() && hasEnd;
        if (unread != null) {
            unread.answered();
            // Who streams an answer may read the rest meanwhile; who sends it at once is done.
            isKept &= stream == null ? unread.mayBeDrained() : unread.mayBeRead();
        }
        ResponseHeadWriter writer = kit().headWriter().reset();
        writer.status(status).date(kit().dateLine());
        fields.write(writer);
        if (Status.allowsContent(status)) {
            PreparedWriter.framing(writer, head, length);
        }
        PreparedWriter.connection(writer, head, isKept);
        return writer.end();
    }

    // ---- WRITE.

    @Override
    public void send(Body body) throws IOException {
        switch (body) {
            case Body.Empty _ -> sendBytes(NOTHING, NOTHING.length);
            case Body.Bytes(byte[] bytes) -> sendBytes(bytes, bytes.length);
            case Body.FileRegion region -> {
                checkWorker();
                OpenFile file = http.engine().open(region);
                sendRest(new FileTail(file, region.offset(), region.length()));
            }
            case Body.Segmented pieced -> sendRest(new PiecesTail(pieced));
            case Body.Stream(long length, Body.Writer writer) -> sendStream(length, writer);
        }
    }

    /// Sends the content in one piece. An answer that goes without its content (to HEAD, or 304)
    /// may say a length that was set, for content that was not made.
    void sendBytes(byte[] bytes, int length) throws IOException {
        long declared = fields.contentLength();
        if (!hasContent()) {
            put(writeHead(declared >= 0 ? declared : length), NOTHING, 0);
        } else if (declared >= 0 && declared != length) {
            throw new IllegalStateException(
                    "Content-Length was set to " + declared + ", content has " + length);
        } else {
            put(writeHead(length), bytes, length);
        }
    }

    private void put(ResponseHeadWriter writer, byte[] bytes, int length) throws IOException {
        IoContext kit = kit();
        try {
            http.outbox().put(kit, writer.bytes(), writer.length(), false);
            http.outbox().put(kit, bytes, length, true);
            if (!isOnLoop()) {
                http.outbox().flush(kit); // the loop does so once for all answers of its turn
            }
        } catch (IOException e) {
            throw gone(e);
        }
        bodyBytes = length;
    }

    ClientGoneException gone(IOException e) {
        isBroken = true;
        return new ClientGoneException(e);
    }

    private void sendRest(ResponseTail rest) throws IOException {
        long begin = System.nanoTime();
        RestAnswer.send(this, http, rest);
        fileNanos = System.nanoTime() - begin;
    }

    private void sendStream(long length, Body.Writer writer) throws IOException {
        checkWorker();
        if (length >= 0) {
            fields.set("Content-Length", Long.toString(length));
        }
        if (!hasContent()) {
            put(writeHead(length), NOTHING, 0);
            return;
        }
        OutputStream out = outputStream();
        writer.write(out);
        out.close();
    }

    void checkWorker() {
        if (isOnLoop()) {
            throw new IllegalStateException("a non-blocking handler cannot send a file or stream");
        }
    }

    @Override
    public OutputStream outputStream() throws IOException {
        checkUnanswered();
        checkWorker();
        if (stream == null) {
            stream = new ResponseStream(this, http, kit());
        }
        return stream;
    }

    @Override
    public void forward(String target) throws Exception {
        checkUnanswered();
        Forwarded.run(this, resolved.site(), target, 1);
    }

    @Override
    public EventStream events() throws IOException {
        checkWorker();
        if (!isLongLived && hasContent()) {
            http.engine().waits().beginLong();
            isLongLived = true;
            setApart();
        }
        return Exchange.super.events();
    }

    @Override
    public void upgrade(String protocol, UpgradedConnection.UpgradeHandler talk)
            throws IOException {
        checkUnanswered();
        checkWorker();
        http.engine().waits().beginLong();
        isLongLived = true;
        isAnswered = true;
        status = 101;
        setApart();
        new Http1Tunnel(http, kit()).run(protocol, fields, talk);
    }

    @Override
    public boolean isClientDisconnected() {
        if (look == null) {
            look = new DisconnectProbe();
        }
        boolean mayLook = !isOnLoop() && (body == null || body.isOver());
        isBroken |= mayLook && look.isGone(http, kit());
        return isBroken;
    }

    /// How fast its client has been, in bytes a second both ways since the handler began.
    double bytesPerSecond(long nowNanos) {
        long moved = bodyBytes + (body == null ? 0 : body.received());
        return moved * 1e9 / Math.max(1, nowNanos - runNanos);
    }

    long runNanos() {
        return runNanos;
    }

    boolean isLongLived() {
        return isLongLived;
    }

    RequestAdmission admittance() {
        return http.admittance();
    }

    /// It waits for what needs no processor: its place is free for others.
    void setApart() {
        http.admittance().setApart();
    }

    /// Counts content that a stream sent.
    void sent(long bytes) {
        bodyBytes += bytes;
    }
}
