package dev.tandem.proxy;

import dev.tandem.engine.loop.LoopExchange;
import dev.tandem.engine.loop.LoopHandler;
import dev.tandem.http.Exchange;
import dev.tandem.http.HttpException;
import dev.tandem.upstream.LoopConnection;
import dev.tandem.upstream.LoopPool;
import dev.tandem.upstream.PoolExhaustedException;
import dev.tandem.upstream.Upstream;
import dev.tandem.upstream.UpstreamException;
import dev.tandem.upstream.UpstreamOptions;
import dev.tandem.upstream.UpstreamPool;
import dev.tandem.upstream.UpstreamTimeoutException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A proxied exchange on the loop of its client's connection, with an upstream's connection on the
/// same loop. Each event makes it proceed as far as possible. Confined to the loop.
///
/// ```
///   BODY --first bytes--> BORROW --> CONNECT --> EXCHANGE --response complete--> over
///                           ^           |            |  |
///                           +-----------+------------+  +--101--> TUNNEL --either closes--> over
///                                another upstream
/// ```
final class ProxiedExchange implements LoopHandler, LoopConnection.User {
    /// Closes a tunnel after an hour without data: peers that stay send pings.
    private static final Duration TUNNEL_INACTIVITY_MAX = Duration.ofHours(1);

    /// Response heads are decoded in an array: the first bytes of the input are copied for it,
    /// which hold nearly every head. 4 KiB.
    private static final int HEAD_COPY = 4096;

    private static final byte[] NOTHING = {};

    private enum State {
        BODY,
        BORROW,
        CONNECT,
        EXCHANGE,
        TUNNEL
    }

    private final Exchange x;
    private final UpstreamPool upstreams;
    private final ProxyOptions options;
    private final UpstreamRequest request;
    private final @Nullable String upgrade;
    private final BodyPump body;
    private final Set<Upstream> tried = new HashSet<>(4);
    private State state = State.BODY;
    private boolean canRetry;
    private int attempt = 1;
    private @Nullable LoopExchange on;
    private @Nullable LoopPool pool;
    private @Nullable LoopConnection connection;
    private @Nullable UpstreamResponse response;

    /// The beginning of a head that is incomplete.
    private byte[] kept = NOTHING;

    /// Whether the upstream takes no more of the request.
    private boolean isRequestCut;

    private boolean isRequestSent;

    /// Whether the upstream was not read because its client took nothing.
    private boolean wasHeldUp;

    /// Whether there is input behind the response.
    private boolean hasSurplus;

    ProxiedExchange(
            Exchange x,
            UpstreamPool upstreams,
            ProxyOptions options,
            UpstreamRequest request,
            @Nullable String upgrade) {
        this.x = x;
        this.upstreams = upstreams;
        this.options = options;
        this.request = request;
        this.upgrade = upgrade;
        this.body = new BodyPump(x.request());
        this.canRetry = request.isRepeatable();
    }

    // ---- Events.

    @Override
    public void changed() {
        LoopExchange running = on;
        if (running != null) {
            running.proceed();
        }
    }

    @Override
    public boolean isClientDisconnected() {
        return x.isClientDisconnected();
    }

    @Override
    public void ended() {
        on = null;
        LoopConnection open = connection;
        if (open != null && pool != null) {
            connection = null;
            pool.discard(open);
        }
    }

    @Override
    public void proceed(LoopExchange running) throws IOException {
        on = running;
        LoopPool from = pool;
        if (from == null) {
            from = upstreams.on(running.loop(), running.network());
            pool = from;
        }
        if (state == State.BODY) {
            if (!body.receiveFirst(running, from.bytes())) {
                return;
            }
            state = State.BORROW;
        }
        if (state == State.BORROW) {
            borrow(from);
        }
        LoopConnection to = connection;
        if (to == null) {
            return;
        }
        try {
            proceedWith(running, from, to);
        } catch (UpstreamException e) {
            to.dropOutput();
            failed(from, to, e);
        } catch (IOException | RuntimeException | Error e) {
            to.dropOutput();
            throw e; // a failure of the client, or of this server
        }
    }

    private void borrow(LoopPool from) {
        try {
            connection = from.borrow(tried, x.request().remoteAddress(), this);
            state = State.CONNECT;
        } catch (PoolExhaustedException e) {
            x.header("Retry-After", "1");
            throw new HttpException(503, "too many requests are active");
        }
    }

    private void proceedWith(LoopExchange running, LoopPool from, LoopConnection to)
            throws IOException {
        IOException failure = to.failure();
        if (failure != null) {
            throw failure;
        }
        if (state == State.CONNECT && to.isConnected()) {
            beginRequest(to);
        }
        if (state == State.EXCHANGE) {
            exchange(running, from, to);
        }
        if (state == State.TUNNEL) {
            relay(running, to);
        }
    }

    // ---- The request.

    private void beginRequest(LoopConnection to) throws IOException {
        state = State.EXCHANGE;
        response = new UpstreamResponse(x, upgrade);
        kept = NOTHING;
        byte[] head = request.head();
        to.setTimeout(timeouts().inactivityTimeout());
        to.write(head, 0, head.length);
    }

    private UpstreamOptions timeouts() {
        return upstreams.options();
    }

    private void exchange(LoopExchange running, LoopPool from, LoopConnection to)
            throws IOException {
        UpstreamResponse now = response;
        if (now == null) {
            return;
        }
        if (to.hasInput() && !running.isHeldUp()) {
            receive(from, to, now);
        }
        if (!now.isDone()) {
            send(running, from, to, now);
        }
        String protocol = now.upgradedTo();
        if (protocol != null) {
            beginTunnel(running, from, to, protocol);
        } else if (now.isDone()) {
            complete(running, from, to, now);
        } else {
            now.flush();
            pace(running, to, now);
        }
    }

    /// Sends more of the request. An upstream that takes no more may have responded already.
    private void send(LoopExchange running, LoopPool from, LoopConnection to, UpstreamResponse now)
            throws IOException {
        isRequestCut |= to.isOutputBroken();
        if (isRequestSent || isRequestCut) {
            return;
        }
        try {
            body.pump(running, to, from.bytes());
            to.flush();
        } catch (UpstreamException e) {
            to.dropOutput();
            isRequestCut = true;
            if (request.isRepeatable()) {
                throw e;
            }
            receive(null, to, now); // fails if there is no response
            return;
        }
        if (body.isSent() && !to.isHeldUp()) {
            isRequestSent = true;
            to.setTimeout(
                    now.hasStarted()
                            ? timeouts().inactivityTimeout()
                            : timeouts().responseTimeout());
        } else if (to.isHeldUp()) {
            to.setTimeout(timeouts().inactivityTimeout());
        } else {
            to.clearTimeout(); // the client's time counts, and not as the upstream's failure
        }
    }

    /// Reads on only while the client takes what was read.
    private void pace(LoopExchange running, LoopConnection to, UpstreamResponse now)
            throws IOException {
        boolean isHeldUp = running.isHeldUp();
        to.awaitInput(!isHeldUp);
        if (isHeldUp) {
            to.clearTimeout(); // the client's time counts
            wasHeldUp = true;
        } else if (wasHeldUp) {
            wasHeldUp = false;
            boolean isForClient = !isRequestSent && !isRequestCut && !to.isHeldUp();
            if (!isForClient) {
                to.setTimeout(timeouts().inactivityTimeout());
            }
        }
    }

    // ---- The response.

    private void receive(@Nullable LoopPool from, LoopConnection to, UpstreamResponse now)
            throws IOException {
        ByteBuffer in = to.read();
        boolean isEnd = in == null;
        if (in != null && !in.hasRemaining()) {
            return;
        }
        to.setTimeout(timeouts().inactivityTimeout());
        if (now.takesDirect()) {
            now.receive(in == null ? ByteBuffer.wrap(NOTHING) : in, isEnd);
            return;
        }
        byte[] bytes = from == null ? new byte[kept.length + (64 << 10)] : from.bytes();
        int before = kept.length;
        System.arraycopy(kept, 0, bytes, 0, before);
        kept = NOTHING;
        ByteBuffer decoded;
        if (in == null) {
            decoded = ByteBuffer.wrap(bytes, 0, before);
        } else if (now.isInHead() && before == 0 && in.remaining() > HEAD_COPY) {
            decoded = receiveBeginning(in, bytes, now);
        } else {
            int size = in.remaining();
            in.get(bytes, before, size);
            decoded = ByteBuffer.wrap(bytes, 0, before + size);
        }
        if (decoded != in) {
            now.receive(decoded, isEnd);
        }
        keepRest(decoded, now);
    }

    /// Decodes the heads in a copy of the first bytes.
    ///
    /// @return what follows them, in the array; the input itself, which was forwarded, if the
    ///     content is taken from there
    private static ByteBuffer receiveBeginning(ByteBuffer in, byte[] bytes, UpstreamResponse now)
            throws IOException {
        int from = in.position();
        in.get(bytes, 0, HEAD_COPY);
        ByteBuffer heads = ByteBuffer.wrap(bytes, 0, HEAD_COPY);
        now.receiveHeads(heads);
        in.position(from + heads.position());
        if (now.takesDirect()) {
            now.receive(in, false);
            return in;
        }
        int size = in.remaining();
        in.get(bytes, heads.position(), size);
        return ByteBuffer.wrap(bytes, heads.position(), size);
    }

    private void keepRest(ByteBuffer rest, UpstreamResponse now) {
        if (rest.hasRemaining()) {
            hasSurplus = now.isDone();
            kept = new byte[rest.remaining()];
            rest.get(kept);
        }
    }

    private void complete(
            LoopExchange running, LoopPool from, LoopConnection to, UpstreamResponse now) {
        connection = null;
        if (isRequestSent && now.isKeepAlive() && !hasSurplus && !now.hasSurplus()) {
            from.release(to);
        } else {
            from.discard(to);
        }
        running.end();
    }

    // ---- Failures.

    /// Tries another upstream, or another connection.
    ///
    /// @throws HttpException if the request must not be sent again
    private void failed(LoopPool from, LoopConnection to, UpstreamException e) {
        connection = null;
        if (state == State.TUNNEL) {
            from.discard(to);
            LoopExchange running = on;
            if (running != null) {
                running.end(); // the upstream has closed, which ends the tunnel
            }
            return;
        }
        if (state == State.CONNECT) {
            from.discardFailed(to);
            if (attempt >= options.attemptsMax() || tried.size() >= upstreams.members().size()) {
                throw rejection(e);
            }
            attempt++;
        } else {
            exchangeFailed(from, to, e);
        }
        response = null;
        isRequestSent = false;
        isRequestCut = false;
        hasSurplus = false;
        state = State.BORROW;
        borrow(from);
        changed();
    }

    private void exchangeFailed(LoopPool from, LoopConnection to, UpstreamException e) {
        UpstreamResponse begun = response;
        boolean hasStarted = begun != null && begun.hasStarted();
        boolean isTimeout = e instanceof UpstreamTimeoutException;
        // Only once: a request that makes upstreams close connections must not close all.
        boolean isStale = canRetry && !to.isNew() && !hasStarted && !isTimeout;
        if (isStale) {
            from.discard(to); // closed while idle, which is no failure
        } else {
            from.discardFailed(to);
        }
        boolean isFinal = isTimeout || hasStarted || !request.isRepeatable();
        if (isFinal || attempt >= options.attemptsMax() && !isStale) {
            throw rejection(e);
        }
        if (isStale) {
            canRetry = false;
            tried.remove(to.upstream());
        } else {
            attempt++;
        }
    }

    private HttpException rejection(IOException e) {
        Log.LOG.log(
                System.Logger.Level.WARNING, "exchange " + x.id() + ": upstream " + e.getMessage());
        return e instanceof UpstreamTimeoutException
                ? new HttpException(504, "the server behind this one took too long")
                : new HttpException(502, "the server behind this one sent no valid response");
    }

    // ---- The tunnel.

    private void beginTunnel(
            LoopExchange running, LoopPool from, LoopConnection to, String protocol)
            throws IOException {
        to.stopWatchingClient();
        from.detach(to);
        running.upgrade(protocol);
        state = State.TUNNEL;
        running.write(kept, 0, kept.length);
        kept = NOTHING;
    }

    private void relay(LoopExchange running, LoopConnection to) throws IOException {
        to.setTimeout(TUNNEL_INACTIVITY_MAX);
        if (to.hasInput() && !running.isHeldUp()) {
            ByteBuffer in = to.read();
            if (in == null) {
                running.end();
                return;
            }
            var bytes = new byte[in.remaining()];
            in.get(bytes);
            running.write(bytes, 0, bytes.length);
        }
        var buffer = new byte[BodyPump.BUFFER];
        for (int pieces = 0; !to.isHeldUp(); pieces++) {
            if (pieces == BodyPump.PIECES_MAX) {
                running.loop().execute(running::proceed);
                break;
            }
            int count = running.read(buffer, 0, buffer.length);
            if (count < 0) {
                running.end();
                return;
            }
            if (count == 0) {
                break;
            }
            to.write(buffer, 0, count);
            to.flush();
        }
        to.awaitInput(!running.isHeldUp());
    }
}
