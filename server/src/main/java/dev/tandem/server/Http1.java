package dev.tandem.server;

import dev.tandem.http.Bad;
import dev.tandem.http.ParsedTarget;
import dev.tandem.http.ReadyAnswer;
import dev.tandem.http.Target;
import dev.tandem.http.h1.Head;
import dev.tandem.http.h1.HeadDecoder;
import dev.tandem.net.Connection;
import dev.tandem.net.Loop;
import dev.tandem.net.Protocol;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A connection that speaks HTTP/1.1, or 1.0: takes requests out of its input one by one, has each
/// answered on the loop or by a worker, in order, and goes on.
///
/// ```
///  READ:   idle, or a head is incomplete        the loop's
///  BODY:   a request's body is incomplete       the loop's
///  RUN:    an exchange is under way             a worker's
///  WRITE:  output waits for the peer            the loop's; a worker's while it sends a file
///  LINGER: all is said, the peer still sends    the loop's
/// ```
///
/// Fields belong to the connection's owner of the moment.
final class Http1 implements Protocol, Workers.Task, Runnable {
    /// How many pipelined requests a worker answers before others get their turn.
    private static final int TURNS = 32;

    private enum Mode {
        READ,
        BODY,
        RUN,
        WRITE,
        LINGER
    }

    private final Connection connection;
    private final Kit loopKit;
    private Mode mode = Mode.READ;

    private final Outbox outbox;
    private final Carry carry = new Carry();

    /// Keeps the state of a head that is incomplete.
    private @Nullable HeadDecoder partial;

    private @Nullable Http1Exchange exchange;
    private boolean mustClose;

    /// Whether the peer may still be sending when the connection closes.
    private boolean mustLinger;

    /// What had been taken when the deadline was set, while writing; what is still read, while
    /// lingering.
    private long mark;

    Http1(Connection connection, Kit loopKit) {
        this.connection = connection;
        this.loopKit = loopKit;
        this.outbox = new Outbox(connection);
        engine().open().incrementAndGet();
    }

    Connection connection() {
        return connection;
    }

    Outbox outbox() {
        return outbox;
    }

    Carry carry() {
        return carry;
    }

    Engine engine() {
        return loopKit.engine();
    }

    // ---- The loop's turns.

    @Override
    public void readable() {
        try {
            if (mode == Mode.LINGER) {
                linger();
            } else {
                receive();
            }
        } catch (IOException e) {
            abort(); // the peer has gone: an expected end
        } catch (RuntimeException | Error e) {
            abort();
            throw e;
        }
    }

    /// The peer has gone in the middle, or there is a bug in code of ours or a handler's that ran
    /// on the loop: costs this connection, and must leave nothing in the loop's kit for the next.
    private void abort() {
        loopKit.decoder().reset();
        loopKit.output().bytes().clear();
        connection.close();
    }

    private void receive() throws IOException {
        ByteBuffer input = loopKit.input().bytes().clear();
        int count = connection.socket().read(loopKit.input());
        if (count < 0) {
            connection.close();
        } else if (count == 0) {
            connection.awaitInput();
        } else if (mode == Mode.BODY) {
            input.flip();
            collect(input);
        } else {
            byte[] bytes = loopKit.bytes();
            int kept = carry.moveTo(bytes);
            input.flip().get(bytes, kept, count);
            take(bytes, 0, kept + count);
        }
    }

    /// Takes requests out of the bytes until they are used up or one goes to a worker.
    private void take(byte[] bytes, int from, int to) throws IOException {
        int at = from;
        while (at < to && mode == Mode.READ && !outbox.isHeldUp()) {
            HeadDecoder decoder = partial == null ? loopKit.decoder() : partial;
            switch (decoder.decode(bytes, at, to)) {
                case MORE -> {
                    keepPartial(decoder, bytes, at, to);
                    at = to;
                }
                case BAD -> {
                    refuse(decoder.bad());
                    decoder.reset();
                    return;
                }
                case DONE -> {
                    if (partial != null) {
                        partial = null;
                        connection.expireNever();
                    }
                    Head head = decoder.head();
                    at += head.length();
                    if (!begin(decoder, bytes, at, to)) {
                        return; // and the loop may be another thread's by now
                    }
                    decoder.reset();
                }
            }
        }
        if (at < to) {
            carry.keep(bytes, at, to);
        }
        settle();
    }

    /// Answers a request here, or gives it to a worker with what follows it.
    ///
    /// @return whether the loop still has the connection
    private boolean begin(HeadDecoder decoder, byte[] bytes, int at, int to) throws IOException {
        Head head = decoder.head();
        Resolved resolved = resolve(loopKit, head);
        if (resolved == null) {
            decoder.reset();
            return false;
        }
        if (!head.hasBody()) {
            ReadyAnswer ready = ready(head, resolved);
            if (ready != null) {
                ReadyWriter.write(loopKit, this, head, ready);
                return true;
            }
            if (resolved.isImmediate()) {
                var immediate = new Http1Exchange(this, loopKit, head, resolved);
                immediate.run();
                afterExchange(immediate);
                return true;
            }
        }
        boolean hasBody = head.hasBody();
        var toRun = new Http1Exchange(this, null, head.copy(), resolved);
        decoder.reset();
        exchange = toRun;
        int from = at;
        if (hasBody) {
            var rest = ByteBuffer.wrap(bytes, at, to - at);
            toRun.expectBody(at < to).collect(rest);
            from = rest.position();
        }
        carry.keep(bytes, from, to);
        outbox.flush(loopKit);
        if (outbox.isHeldUp()) {
            // Answers before this one are still on their way, and must stay before it.
            mode = Mode.WRITE;
            awaitOutput();
        } else {
            proceed(toRun);
        }
        return false;
    }

    /// Goes on with a request whose turn it is: waits for its body, or has it run.
    private void proceed(Http1Exchange x) throws IOException {
        RequestBody body = x.body();
        if (body == null || !body.isCollecting()) {
            lend(x);
        } else {
            mode = Mode.BODY;
            connection.expireAt(body.deadline());
            connection.awaitInput();
        }
    }

    /// More of a body has come.
    private void collect(ByteBuffer input) throws IOException {
        Http1Exchange x = Objects.requireNonNull(exchange);
        RequestBody body = Objects.requireNonNull(x.body());
        body.collect(input);
        carry.keep(input);
        if (!body.isCollecting()) {
            connection.expireNever();
        }
        proceed(x);
    }

    private static @Nullable ReadyAnswer ready(Head head, Resolved resolved) {
        var handler = resolved.ready();
        return handler == null ? null : handler.ready(head, resolved.readyPath());
    }

    /// Has the exchange run: here, if its route is known to be short, else by a worker. The loop
    /// must not touch the connection afterwards, nor anything of its own before it has looked
    /// whether it is still this thread's.
    private void lend(Http1Exchange x) {
        mode = Mode.RUN;
        connection.lend();
        if (x.pace().isShort() && mayRunHere()) {
            connection.loop().runHere(this);
        } else {
            handOver();
        }
    }

    /// Has a worker run it; if there are none, this thread does.
    private void handOver() {
        if (engine().options().isAllOnLoop()) {
            run();
        } else {
            engine().workers().submit(this);
        }
    }

    /// Not if others wait for this thread while a processor has nothing to do.
    private boolean mayRunHere() {
        Loop loop = connection.loop();
        return loop.isCrewed()
                && engine().options().isInPlace()
                && !(loop.hasMoreReady() && engine().hasProcessorToSpare());
    }

    /// What the request line leads to, or null if it was refused.
    private @Nullable Resolved resolve(Kit kit, Head head) throws IOException {
        Resolved known = kit.targets().find(head);
        if (known != null) {
            head.target(known.target());
            return known;
        }
        ParsedTarget parsed =
                Target.parse(head.method(), head.bytes(), head.targetFrom(), head.targetTo());
        return switch (parsed) {
            case ParsedTarget.Refused(Bad bad) -> {
                refuse(bad);
                yield null;
            }
            case Target target -> {
                head.target(target);
                Resolved resolved = engine().site().resolve(head.method(), target);
                kit.targets().put(head, resolved);
                yield resolved;
            }
        };
    }

    /// Ends the loop's turn: sends what was answered, then waits for what is next.
    private void settle() throws IOException {
        outbox.flush(loopKit);
        if (outbox.isHeldUp()) {
            mode = Mode.WRITE;
            awaitOutput();
        } else if (mustClose) {
            closeGently();
        } else if (engine().isStopping() && isIdle()) {
            connection.close();
        } else if (!connection.isClosed()) {
            connection.awaitInput();
        }
    }

    private void keepPartial(HeadDecoder decoder, byte[] bytes, int at, int to) {
        if (partial == null) {
            if (!decoder.hasBegun()) {
                // Nothing but an empty line, perhaps half of one: still idle.
                decoder.reset();
                carry.keep(bytes, at, to);
                return;
            }
            partial = loopKit.giveDecoderAway();
            connection.expireAt(
                    connection.loop().nowNanos() + engine().options().headTimeoutNanos());
        }
        carry.keep(bytes, at, to);
    }

    /// The exchange will not run.
    private void dropExchange() {
        Http1Exchange dropped = exchange;
        exchange = null;
        RequestBody body = dropped == null ? null : dropped.body();
        if (body != null) {
            body.release();
        }
    }

    /// Answers a request that is none, and closes.
    private void refuse(Bad bad) throws IOException {
        partial = null;
        dropExchange();
        connection.expireNever();
        ErrorAnswer.write(loopKit, this, bad);
        closeAfterwards(true);
        settle();
    }

    /// Whether the kit is this connection's loop's.
    boolean isLoops(Kit kit) {
        return kit == loopKit;
    }

    // ---- Output.

    /// Has the connection closed once all output is sent.
    ///
    /// @param mayStillSend whether the peer may be sending still
    void closeAfterwards(boolean mayStillSend) {
        mustClose = true;
        mustLinger = mayStillSend;
        if (mode == Mode.READ) {
            mode = Mode.WRITE; // no further request is taken
        }
    }

    private void awaitOutput() throws IOException {
        mark = outbox.taken();
        connection.expireAt(connection.loop().nowNanos() + engine().options().writeStallNanos());
        connection.awaitOutput();
    }

    @Override
    public void writable() {
        try {
            write();
        } catch (IOException e) {
            abort();
        } catch (RuntimeException | Error e) {
            abort();
            throw e;
        }
    }

    private void write() throws IOException {
        switch (outbox.goOn(loopKit)) {
            case WAIT -> {
                if (outbox.taken() > mark) {
                    awaitOutput();
                }
            }
            case FILE -> {
                connection.expireNever();
                connection.lend();
                handOver();
            }
            case NOTHING -> {
                connection.expireNever();
                connection.awaitInput();
                goOn();
            }
        }
    }

    /// All output is sent: closes, or takes what has come meanwhile.
    private void goOn() throws IOException {
        mode = Mode.READ;
        Http1Exchange next = exchange;
        if (mustClose) {
            closeGently();
        } else if (next != null) {
            proceed(next);
        } else if (!carry.isEmpty()) {
            byte[] bytes = carry.bytes();
            int from = carry.from();
            carry.drop();
            take(bytes, from, bytes.length);
        } else if (engine().isStopping()) {
            connection.close();
        } else {
            connection.awaitInput();
        }
    }

    // ---- The worker's turn.

    /// The turn of the thread that has the loop.
    @Override
    public void run() {
        run(((LoopThread) Thread.currentThread()).kit());
    }

    @Override
    public void run(Kit kit) {
        try {
            if (exchange == null) {
                outbox.goOnWithFile();
                giveBack();
            } else {
                answer(kit);
            }
        } catch (IOException e) {
            connection.close();
        } catch (RuntimeException | Error e) {
            connection.close();
            Log.LOG.log(Level.ERROR, "a connection failed", e);
        } finally {
            kit.output().bytes().clear(); // what a cut answer left must not reach the next client
        }
    }

    private void answer(Kit kit) throws IOException {
        LoopThread inPlace = Thread.currentThread() instanceof LoopThread t ? t : null;
        Http1Exchange current = exchange;
        for (int turn = 0; current != null && turn < TURNS; turn++) {
            if (inPlace != null) {
                inPlace.runs(current.pace());
            }
            current.on(kit);
            current.run();
            exchange = null;
            afterExchange(current);
            current = !outbox.isHeldUp() && !mustClose ? next(kit) : null;
            if (inPlace != null && current != null && !current.pace().isShort()) {
                break; // it is given back with the connection, and goes to a worker
            }
        }
        giveBack();
    }

    private void afterExchange(Http1Exchange x) {
        if (!x.isConnectionUsable()) {
            closeAfterwards(x.hasUnreadBody());
        }
    }

    /// The next pipelined request if it is complete, ready to run; what is incomplete or wrong is
    /// left to the loop.
    private @Nullable Http1Exchange next(Kit kit) throws IOException {
        if (carry.isEmpty()) {
            return null;
        }
        HeadDecoder decoder = kit.decoder();
        try {
            if (decoder.decode(carry.bytes(), carry.from(), carry.to())
                    != HeadDecoder.Result.DONE) {
                return null;
            }
            Head head = decoder.head();
            if (head.hasBody()) {
                return null; // the loop's, to collect
            }
            ParsedTarget parsed =
                    Target.parse(head.method(), head.bytes(), head.targetFrom(), head.targetTo());
            if (!(parsed instanceof Target target)) {
                return null;
            }
            head.target(target);
            Resolved resolved = engine().site().resolve(head.method(), target);
            exchange = new Http1Exchange(this, kit, head.copy(), resolved);
            carry.used(head.length());
            return exchange;
        } finally {
            decoder.reset();
        }
    }

    /// Gives the connection back to its loop: idle, or with something left to do.
    private void giveBack() throws IOException {
        if (mustClose && !mustLinger && !outbox.isHeldUp()) {
            connection.close();
            return;
        }
        boolean isIdle = exchange == null && !outbox.isHeldUp() && !mustClose && carry.isEmpty();
        if (connection.loop().isEnded()) {
            connection.close();
        } else if (isIdle && !engine().isStopping()) {
            mode = Mode.READ;
            connection.giveBack();
            if (engine().isStopping()) {
                // It began to stop, and may have told its connections, while this one was lent.
                connection.loop().announceStop();
            }
        } else {
            connection.loop().execute(this::takeBack);
        }
    }

    private void takeBack() {
        if (connection.isClosed()) {
            return;
        }
        connection.reclaim();
        try {
            if (outbox.isHeldUp()) {
                mode = Mode.WRITE;
                awaitOutput();
            } else {
                goOn();
            }
        } catch (IOException e) {
            abort();
        } catch (RuntimeException | Error e) {
            abort();
            throw e;
        }
    }

    // ---- The end.

    /// Closes so that the peer gets the last answer even if it is still sending: a socket closed
    /// over unread input is reset, and the answer may be lost with it (RFC 9112, section 9.6).
    private void closeGently() throws IOException {
        if (!mustLinger) {
            connection.close();
            return;
        }
        mode = Mode.LINGER;
        carry.drop();
        connection.socket().shutdownOutput();
        mark = Farewell.BYTES;
        connection.expireAt(connection.loop().nowNanos() + engine().options().lingerNanos());
        linger();
    }

    private void linger() throws IOException {
        mark = Farewell.hear(connection, loopKit, mark);
        if (mark > 0) {
            connection.awaitInput();
        } else {
            connection.close();
        }
    }

    @Override
    public void expired() {
        try {
            if (mode == Mode.READ) {
                refuse(new Bad(408, "the head took too long"));
            } else if (mode == Mode.BODY) {
                refuse(new Bad(408, "the body came too slowly"));
            } else {
                connection.close();
            }
        } catch (IOException e) {
            abort();
        }
    }

    @Override
    public boolean isIdle() {
        return mode == Mode.READ && partial == null;
    }

    @Override
    public void stopping() {
        if (isIdle()) {
            connection.close();
        }
    }

    @Override
    public void closed() {
        outbox.close();
        dropExchange();
        engine().open().decrementAndGet();
    }
}
