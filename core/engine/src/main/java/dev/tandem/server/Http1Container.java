package dev.tandem.server;

import dev.tandem.http.Headers;
import dev.tandem.http.TlsSessionInfo;
import dev.tandem.http.h1.Http1RequestHead;
import dev.tandem.http.h1.ResponseHeadWriter;
import dev.tandem.net.IoBuffer;
import dev.tandem.net.OpenFile;
import dev.tandem.net.Poller;
import dev.tandem.net.TimeoutIOException;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// A container's request over HTTP/1.1: whoever uses it gets a kit, its worker the one it has,
/// another thread a spare one for that one call.
///
/// Guarded by a lock once it is shared, so that reading and writing never meet on the socket. Who
/// waits for the client (but for more of a body) does so without it: others may read meanwhile.
final class Http1Container implements Wire {
    /// What follows the last step.
    private static final Wire.Step OVER = () -> {};

    private final Http1Connection http;
    private final Http1Exchange exchange;
    /// Fair: who writes without a pause must not keep what came from being read.
    private final ReentrantLock lock = new ReentrantLock(true);

    private final ContainerSteps steps;

    /// Of the worker that is at it; null while none is.
    private @Nullable Thread holder;

    private @Nullable IoContext holderKit;
    private long readNanos;
    private long writeNanos;
    private boolean isShared;
    private boolean isRaw;
    private boolean isKept;
    private boolean isCut;
    private volatile boolean isOver;

    Http1Container(Http1Connection http, Http1Exchange exchange) {
        this.http = http;
        this.exchange = exchange;
        this.steps = new ContainerSteps(http, lock);
        this.writeNanos = http.engine().options().writeStallNanos();
        this.holder = Thread.currentThread();
        this.holderKit = exchange.kit();
    }

    /// A worker goes on with it.
    void hold(IoContext kit) {
        lock.lock();
        try {
            holder = Thread.currentThread();
            holderKit = kit;
            exchange.on(kit);
        } finally {
            lock.unlock();
        }
    }

    private Engine engine() {
        return http.engine();
    }

    // ---- Whose turn it is.

    /// The kit to do something with; to be followed by [#leave].
    private IoContext enter() throws IOException {
        if (!isShared) {
            return exchange.kit();
        }
        lock.lock();
        IoContext own = holderKit;
        if (own != null && holder == Thread.currentThread()) {
            return own;
        }
        if (isOver) {
            lock.unlock();
            throw new ClientGoneException("the request is over");
        }
        IoContext spare = engine().spareKits().borrow();
        try {
            takeUp(spare);
            return spare;
        } catch (IOException e) {
            engine().spareKits().giveBack(spare);
            lock.unlock();
            throw gone(e);
        }
    }

    private void takeUp(IoContext kit) throws IOException {
        if (kit != holderKit) {
            if (holderKit != null) {
                http.outbox().flush(holderKit);
            }
            exchange.off();
            exchange.on(kit);
        }
    }

    private void putDown(IoContext kit) {
        if (kit != holderKit) {
            exchange.off();
            if (holderKit != null) {
                exchange.on(holderKit);
            }
        }
    }

    private void leave(IoContext kit) throws IOException {
        if (!isShared) {
            return;
        }
        try {
            if (kit != holderKit) {
                if (!isOver) {
                    http.outbox().flush(kit);
                    putDown(kit);
                } // else it was over when this thread had waited: it is somebody else's now
                engine().spareKits().giveBack(kit);
            }
            if (!isOver) {
                steps.wentOn();
            }
        } finally {
            lock.unlock();
        }
    }

    /// Waits for the client, and leaves the wire to others meanwhile.
    ///
    /// @throws TimeoutIOException if it was in vain for that long
    private void standBack(IoContext kit, int operation, long nanos) throws IOException {
        putDown(kit);
        try {
            engine().waits().await(exchange, nanos, each -> steps.waitFor(operation, each));
        } finally {
            if (!isOver) {
                takeUp(kit);
            }
        }
        if (isOver) {
            throw new ClientGoneException("the request is over");
        }
    }

    /// A worker's: runs what is to be done.
    ///
    /// @return whether the request is over; if not, it is nobody's now
    boolean goOn() throws Exception {
        Wire.Step step = next();
        while (step != null && step != OVER) {
            step.run();
            step = next();
        }
        return step == OVER;
    }

    /// The next step, or [#OVER]; null if there is none, and then the request is nobody's, and
    /// nothing of it may be touched.
    private Wire.@Nullable Step next() throws IOException {
        lock.lock();
        try {
            Wire.Step next = isOver ? OVER : steps.next(canRead());
            if (next == null) {
                http.outbox().flush(exchange.kit());
                exchange.off();
                holder = null;
                holderKit = null;
                steps.park();
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    private boolean canRead() {
        Http1Body body = exchange.body();
        boolean hasBody = !isRaw && body != null && (body.isOver() || body.available() > 0);
        return hasBody || !http.carry().isEmpty();
    }

    /// See [ContainerSteps#noticed].
    void noticed(int operations) {
        steps.noticed(operations);
    }

    /// The exchange has ended, whoever ended it.
    void over() {
        end(false);
        exchange.ends(isKept && !isRaw, isCut);
    }

    /// The server has stopped.
    void drop() {
        exchange.connection().close();
    }

    boolean isRaw() {
        return isRaw;
    }

    // ---- What was asked.

    @Override
    public Http1RequestHead head() {
        return exchange.head();
    }

    @Override
    public SocketAddress remote() {
        return exchange.connection().socket().remoteAddress();
    }

    @Override
    public SocketAddress local() {
        return exchange.connection().socket().localAddress();
    }

    @Override
    public @Nullable TlsSessionInfo security() {
        return TlsSocket.isOf(exchange.connection()) ? exchange.request().tlsSession() : null;
    }

    @Override
    public @Nullable Object attachment() {
        return http.attachment;
    }

    @Override
    public void attach(Object attachment) {
        http.attachment = attachment;
    }

    @Override
    public boolean mayKeep() {
        return exchange.head().isKeepAlive() && !engine().isLeaving();
    }

    // ---- The body.

    @Override
    public int read(byte[] to, int offset, int length, boolean waits) throws IOException {
        if (length == 0) {
            return 0;
        }
        IoContext kit = enter();
        try {
            if (isRaw) {
                return readRaw(kit, ByteBuffer.wrap(to, offset, length), waits);
            }
            Http1Body body = exchange.body();
            if (body == null) {
                return -1;
            }
            body.stallNanos(readNanos);
            return body.read(to, offset, length, waits);
        } finally {
            leave(kit);
        }
    }

    private int readRaw(IoContext kit, ByteBuffer to, boolean waits) throws IOException {
        UnreadInput carry = http.carry();
        if (carry.isEmpty()) {
            IoBuffer input = kit.input();
            input.bytes().clear();
            int count = waits ? await(kit) : exchange.connection().socket().read(input);
            if (count <= 0) {
                return count;
            }
            carry.keep(input.bytes().flip());
        }
        int count = Math.min(to.remaining(), carry.size());
        to.put(carry.bytes(), carry.from(), count);
        carry.used(count);
        return count;
    }

    private int await(IoContext kit) throws IOException {
        long end = System.nanoTime() + (readNanos > 0 ? readNanos : Long.MAX_VALUE / 4);
        IoBuffer input = kit.input();
        int count = exchange.connection().socket().read(input);
        try {
            while (count == 0) {
                standBack(kit, Poller.READ, end - System.nanoTime());
                count = exchange.connection().socket().read(input);
            }
            return count;
        } catch (TimeoutIOException e) {
            throw new SocketTimeoutException("nothing came");
        }
    }

    @Override
    public int available() {
        Http1Body body = exchange.body();
        return isRaw ? http.carry().size() : body == null ? 0 : body.available();
    }

    @Override
    public boolean isBodyOver() {
        return !isRaw && (!(exchange.body() instanceof Http1Body body) || body.isOver());
    }

    @Override
    public Headers trailers() {
        return exchange.body() instanceof Http1Body body ? body.trailers() : Headers.EMPTY;
    }

    @Override
    public void sayContinue() throws IOException {
        IoContext kit = enter();
        try {
            if (exchange.body() instanceof Http1Body body) {
                body.sayContinue();
            }
        } finally {
            leave(kit);
        }
    }

    @Override
    public void readTimeout(long nanos) {
        readNanos = nanos;
    }

    @Override
    public void writeTimeout(long nanos) {
        writeNanos = nanos > 0 ? nanos : engine().options().writeStallNanos();
    }

    // ---- The answer.

    /// Of its own once it is shared: nobody else's head comes between.
    @Override
    public ResponseHeadWriter headWriter() {
        return isShared ? new ResponseHeadWriter() : exchange.kit().headWriter().reset();
    }

    @Override
    public byte[] dateLine() {
        return isShared ? new DateLine().line() : exchange.kit().dateLine();
    }

    @Override
    public void begin(int status, ResponseHeadWriter head) throws IOException {
        exchange.answers(status);
        if (!isShared) {
            Events.answers(exchange.kit());
        }
        write(head.bytes(), 0, head.length(), true);
    }

    @Override
    public void interim(ResponseHeadWriter head) throws IOException {
        write(head.bytes(), 0, head.length(), true);
        flush(true);
    }

    @Override
    public void write(byte[] bytes, int offset, int length, boolean waits) throws IOException {
        IoContext kit = enter();
        try {
            checkWhole();
            put(kit, bytes, offset, length, waits);
        } catch (IOException e) {
            throw gone(e);
        } finally {
            leave(kit);
        }
    }

    /// What follows bytes that were lost would pass for them.
    private void checkWhole() throws IOException {
        if (isCut) {
            throw new ClientGoneException("an earlier write has failed");
        }
    }

    private void put(IoContext kit, byte[] bytes, int offset, int length, boolean waits)
            throws IOException {
        WriteQueue outbox = http.outbox();
        if (waits) {
            drain(kit);
        }
        ByteBuffer output = kit.output().bytes();
        int at = offset;
        int end = offset + length;
        while (at < end) {
            if (outbox.isHeldUp()) {
                outbox.keep(bytes, at, end - at);
                return;
            }
            int size = Math.min(end - at, output.remaining());
            output.put(bytes, at, size);
            at += size;
            if (!output.hasRemaining()) {
                send(kit, waits);
            }
        }
    }

    private void send(IoContext kit, boolean waits) throws IOException {
        if (!waits || isShared) {
            http.outbox().flush(kit);
            if (waits) {
                drain(kit);
            }
            return;
        }
        ByteBuffer output = kit.output().bytes();
        if (output.position() == 0) {
            return; // not even asked whether the client is there: it may have had all it wants
        }
        output.flip();
        try {
            engine().waits().write(exchange, kit.output(), writeNanos);
        } finally {
            output.clear();
        }
    }

    /// Waits until what was kept is taken.
    private void drain(IoContext kit) throws IOException {
        WriteQueue outbox = http.outbox();
        while (outbox.isHeldUp() && outbox.goOn(kit) == WriteQueue.Next.WAIT) {
            if (isShared) {
                standBack(kit, Poller.WRITE, writeNanos);
            } else {
                engine().waits().awaitOutput(exchange, writeNanos);
            }
        }
    }

    @Override
    public boolean flush(boolean waits) throws IOException {
        IoContext kit = enter();
        try {
            checkWhole();
            WriteQueue outbox = http.outbox();
            if (waits) {
                drain(kit);
            } else if (outbox.isHeldUp() && outbox.goOn(kit) == WriteQueue.Next.WAIT) {
                return false;
            }
            send(kit, waits);
            return !outbox.isHeldUp();
        } catch (IOException e) {
            throw gone(e);
        } finally {
            leave(kit);
        }
    }

    private IOException gone(IOException e) {
        isCut = true;
        exchange.gone(e);
        return e instanceof TimeoutIOException
                ? new SocketTimeoutException("the client took nothing for too long")
                : e;
    }

    @Override
    public boolean isHeldUp() {
        return http.outbox().isHeldUp();
    }

    @Override
    public void sendFile(Path file, long offset, long length) throws IOException {
        IoContext kit = enter();
        try {
            drain(kit);
            OpenFile open = engine().network().open(file);
            http.outbox().sendRest(kit, new FileTail(open, offset, length));
            exchange.sent(length);
        } catch (IOException e) {
            throw gone(e);
        } finally {
            leave(kit);
        }
    }

    @Override
    public void sent(long bytes) {
        exchange.sent(bytes);
    }

    @Override
    public void setsCookie(String line) {
        exchange.fields().add("Set-Cookie", line);
    }

    @Override
    public void keep(boolean isKept) {
        this.isKept = isKept;
    }

    // ---- Beyond the call.

    @Override
    public void share() {
        if (!isShared) {
            isShared = true;
            exchange.setApart();
            engine().shared().add(this);
        }
    }

    @Override
    public boolean isShared() {
        return isShared;
    }

    @Override
    public void end() {
        end(false);
    }

    @Override
    public void close() {
        end(true);
    }

    private void end(boolean cuts) {
        if (cuts && !isOver) {
            exchange.connection().cancelWait(); // whoever waits for the client waits no more
        }
        lock.lock();
        try {
            isCut |= cuts;
            isKept &= !cuts && !steps.isWriting(); // what it has not written would be missing
            if (!isOver && isShared) {
                engine().shared().remove(this);
                steps.end();
            }
            isOver |= isShared;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isOver() {
        return isOver || exchange.connection().isClosed();
    }

    /// @return whether it was done, as the request is not over
    private boolean unlessOver(Runnable change) {
        lock.lock();
        try {
            if (!isOver) {
                change.run();
            }
            return !isOver;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean resume(Wire.Step step) {
        return unlessOver(() -> steps.add(step));
    }

    @Override
    public void awaitInput(Wire.Step step) {
        unlessOver(() -> steps.await(Poller.READ, step));
    }

    @Override
    public void awaitOutput(Wire.Step step) {
        unlessOver(() -> steps.await(Poller.WRITE, step));
    }

    @Override
    public void whenTaken(Runnable task) {
        unlessOver(() -> steps.whenTaken(task));
    }

    @Override
    public void execute(Runnable task) {
        engine().workers().submit(_ -> task.run());
    }

    @Override
    public void upgrade() {
        share();
        isRaw = true;
    }
}
