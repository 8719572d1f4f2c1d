package dev.tandem.engine.http1;

import dev.tandem.engine.ClientGoneException;
import dev.tandem.engine.IoContext;
import dev.tandem.engine.LoopSide;
import dev.tandem.engine.ResponseHead;
import dev.tandem.engine.RunningExchange;
import dev.tandem.engine.UnreadInput;
import dev.tandem.engine.WriteQueue;
import dev.tandem.engine.tls.TlsSocket;
import dev.tandem.net.Connection;
import dev.tandem.net.IoBuffer;
import dev.tandem.net.Loop;
import dev.tandem.net.Poller;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// An HTTP/1.1 exchange that continues on its loop. The connection stays handed over: the loop's
/// thread has it as a worker would, and watches it for the events that the exchange waits for.
/// Nothing is watched while the upstream alone is waited for, so the socket stays armed as it is.
/// Confined to the loop, except where [LoopSide] says otherwise.
final class Http1LoopSide implements LoopSide {
    /// Stands for no deadline: a day. After an upgrade the handler decides.
    private static final long NO_DEADLINE = TimeUnit.DAYS.toNanos(1);

    private final Http1Connection http;
    private final Http1Exchange exchange;
    private final Connection connection;
    private final WriteQueue output;
    private @Nullable Events events;

    /// The operations that the connection is watched for.
    private int watched;

    /// How much of the waiting output the client had taken at the last event; how often it had
    /// taken more.
    private long taken;

    private long progress;

    private boolean isRaw;

    Http1LoopSide(Http1Connection http, Http1Exchange exchange) {
        this.http = http;
        this.exchange = exchange;
        this.connection = http.connection();
        this.output = http.output();
    }

    @Override
    public Loop loop() {
        return connection.loop();
    }

    @Override
    public void release() throws IOException {
        output.flush(exchange.context());
        exchange.detach();
        watched = Poller.NONE;
    }

    @Override
    public @Nullable IoContext begin(Events reported) {
        events = reported;
        exchange.continueWith(http.loopContext());
        return connection.isClosed() ? null : http.loopContext();
    }

    // ---- Events.

    /// The connection has an event that it was watched for.
    void watchedEvent(int operations) {
        Events reported = events;
        watched = Poller.NONE;
        if (reported == null) {
            return;
        }
        try {
            if (output.isHeldUp() && (operations & Poller.WRITE) != 0) {
                writeMore();
            }
        } catch (IOException e) {
            reported.clientGone(e);
            return;
        }
        reported.clientReady();
    }

    private void writeMore() throws IOException {
        boolean isDone = output.writeMore(http.loopContext()) == WriteQueue.Next.NOTHING;
        long now = isDone ? -1 : output.taken();
        progress += now == taken ? 0 : 1;
        taken = now;
    }

    void closed() {
        Events reported = events;
        if (reported != null) {
            reported.closed();
        }
    }

    // ---- The request.

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        return isRaw ? readRaw(to, offset, length) : exchange.readOnLoop(to, offset, length);
    }

    private int readRaw(byte[] to, int offset, int length) throws IOException {
        UnreadInput kept = http.input();
        if (kept.isEmpty()) {
            IoBuffer input = http.loopContext().input();
            ByteBuffer bytes = input.bytes().clear();
            // TLS delivers a record as a whole, or nothing.
            int most =
                    TlsSocket.isOf(connection) ? Math.max(length, DisconnectProbe.RECORD) : length;
            bytes.limit(Math.min(most, bytes.capacity()));
            int count = readSocket(input);
            bytes.flip();
            int taken = Math.min(length, count);
            bytes.get(to, offset, Math.max(0, taken));
            kept.keep(bytes);
            return taken;
        }
        int count = Math.min(length, kept.size());
        System.arraycopy(kept.bytes(), kept.from(), to, offset, count);
        kept.used(count);
        return count;
    }

    private int readSocket(IoBuffer input) throws ClientGoneException {
        try {
            return connection.socket().read(input);
        } catch (IOException e) {
            throw new ClientGoneException(e);
        }
    }

    @Override
    public long readDeadline() {
        Http1Body body = exchange.body();
        return isRaw || body == null ? loop().clock().nanos() + NO_DEADLINE : body.deadline();
    }

    @Override
    public void readTimedOut() {
        Http1Body body = exchange.body();
        if (body != null) {
            body.timedOut();
        }
    }

    // ---- The response.

    @Override
    public boolean isHeldUp() {
        return output.isHeldUp();
    }

    @Override
    public long progress() {
        return progress;
    }

    @Override
    public void await(boolean isForInput) throws IOException {
        flush();
        int operations = isForInput ? Poller.READ : Poller.NONE;
        if (output.isHeldUp()) {
            operations |= Poller.WRITE;
        }
        // An event that is no longer awaited does no harm: it is reported once.
        if (operations != Poller.NONE && operations != watched) {
            watched = operations;
            connection.watchOnce(operations);
        }
    }

    @Override
    public void upgrade(String protocol, ResponseHead head) throws IOException {
        isRaw = true;
        exchange.upgradeOnLoop(protocol, head);
    }

    /// Whether bytes are read and written unframed.
    boolean isRaw() {
        return isRaw;
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        output.put(http.loopContext(), bytes, offset, length);
    }

    // ---- The end.

    @Override
    public void flush() throws IOException {
        output.flush(http.loopContext());
        http.countUntaken();
    }

    @Override
    public boolean mustWaitToFinish() {
        return !output.isHeldUp() && exchange.mustDrain();
    }

    @Override
    public void submit() {
        events = null;
        http.submit();
    }

    @Override
    public void over(RunningExchange x, boolean isBroken) {
        events = null;
        if (isBroken) {
            http.loopContext().output().bytes().clear(); // it must not begin the next response
        }
        http.admission().ended(x);
        http.continuedIsOver(exchange);
    }

    @Override
    public void overClosed(RunningExchange x) {
        events = null;
        http.loopContext().output().bytes().clear();
        http.admission().ended(x);
    }

    @Override
    public void close() {
        connection.close();
    }
}
