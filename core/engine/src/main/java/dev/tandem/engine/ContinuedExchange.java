package dev.tandem.engine;

import dev.tandem.engine.loop.LoopExchange;
import dev.tandem.engine.loop.LoopHandler;
import dev.tandem.http.HttpException;
import dev.tandem.net.Loop;
import dev.tandem.net.Network;
import dev.tandem.net.TimingWheel;
import java.io.IOException;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/// A handler's exchange that continues on its loop. Confined to the loop from [#begin] on.
///
/// A response that can be completed without waiting is completed here; an error page, and the rest
/// of a body that must be drained, need a worker, which runs the exchange to its end.
final class ContinuedExchange implements LoopExchange, LoopSide.Events, DetachedRequest, Tunnel {
    private final Engine engine;
    private final ServerExchange exchange;
    private final LoopSide side;
    private final LoopHandler handler;

    /// Whether it was asked to end. Of the thread that stops the server.
    private boolean isEndingSoon;

    /// Whether the handler waits for more of the body.
    private boolean isAwaitingInput;

    private boolean isOver;

    /// Whether it has given back all that it held, or a worker will.
    private boolean isReleased;

    /// What the handler keeps of the client's input, in bytes.
    private int heldInput;

    /// Set while the client is waited for, once it was.
    private TimingWheel.@Nullable Deadline deadline;

    /// What the client had taken when its time began, and when that ends; if output is held up.
    private long mark = -1;

    private long stallNanos;

    ContinuedExchange(Engine engine, ServerExchange exchange, LoopSide side, LoopHandler handler) {
        this.engine = engine;
        this.exchange = exchange;
        this.side = side;
        this.handler = handler;
    }

    /// Hands the exchange to the loop. Called by the handler's thread, which must not touch the
    /// exchange afterwards, unless this fails.
    ///
    /// @return false if the client has disconnected; then the calling thread has the exchange
    boolean start() {
        try {
            side.release();
        } catch (IOException e) {
            exchange.clientGone(e);
            return false;
        }
        boolean isQueued = false;
        try {
            engine.detached().add(this);
            side.loop().execute(this::begin);
            isQueued = true;
        } finally {
            if (!isQueued) {
                engine.detached().remove(this);
            }
        }
        return true;
    }

    private void begin() {
        IoContext context = side.begin(this);
        if (context == null) {
            closed();
            return;
        }
        exchange.continueWith(context);
        if (side.loop().isEnded()) {
            side.close();
        } else {
            proceed();
        }
    }

    // ---- Events.

    @Override
    public void proceed() {
        if (isOver) {
            return;
        }
        try {
            isAwaitingInput = false;
            handler.proceed(this);
            if (!isOver) {
                await();
            }
        } catch (Throwable e) {
            if (isOver) {
                Log.LOG.log(Level.ERROR, "an exchange could not be ended", e);
            } else {
                fail(e);
            }
        }
    }

    private void await() throws IOException {
        try {
            side.await(isAwaitingInput);
        } catch (IOException e) {
            throw exchange.clientGone(e);
        }
        schedule();
    }

    /// Sets the time at which the client must have sent or taken more.
    private void schedule() {
        boolean isHeldUp = side.isHeldUp();
        if (!isHeldUp) {
            mark = -1;
        } else if (side.progress() != mark) {
            mark = side.progress();
            stallNanos = side.loop().clock().nanos() + engine.timeouts().writeStall();
        }
        if (isHeldUp || isAwaitingInput) {
            TimingWheel.Deadline set = deadline;
            if (set == null) {
                set = new TimingWheel.Deadline(this::expired);
                deadline = set;
            }
            long read = isAwaitingInput ? side.readDeadline() : Long.MAX_VALUE;
            side.loop().timers().schedule(set, isHeldUp ? Math.min(read, stallNanos) : read);
        } else {
            cancelDeadline();
        }
    }

    private void cancelDeadline() {
        TimingWheel.Deadline set = deadline;
        if (set != null) {
            side.loop().timers().cancel(set);
        }
    }

    private void expired() {
        if (isOver) {
            return;
        }
        long now = side.loop().clock().nanos();
        boolean isStalled = side.isHeldUp() && side.progress() == mark && now - stallNanos >= 0;
        if (isStalled) {
            clientGone(new IOException("the client takes nothing"));
        } else if (isAwaitingInput && now - side.readDeadline() >= 0) {
            side.readTimedOut();
            fail(new HttpException(408, "the body came too slowly"));
        } else {
            schedule();
        }
    }

    @Override
    public void clientReady() {
        proceed();
    }

    /// What the client has not taken cannot be sent any more, so the connection is closed at once.
    @Override
    public void clientGone(IOException e) {
        if (!isOver) {
            side.close();
        }
    }

    @Override
    public void closed() {
        if (!isOver) {
            Runnable ending = this::finishClosed; // first, as it may fail for lack of memory
            isOver();
            over(ending);
        }
    }

    private void finishClosed() {
        isReleased = true;
        try {
            exchange.finishBroken();
        } finally {
            side.overClosed(exchange);
        }
    }

    @Override
    public void drop() {
        side.loop().execute(() -> clientGone(new IOException("the server has stopped")));
    }

    @Override
    public void endSoon() {
        if (!isEndingSoon) {
            isEndingSoon = true;
            side.loop().execute(this::end);
        }
    }

    // ---- Called by the handler.

    @Override
    public Loop loop() {
        return side.loop();
    }

    @Override
    public Network network() {
        return engine.network();
    }

    @Override
    public int read(byte[] to, int offset, int length) throws IOException {
        int count = side.read(to, offset, length);
        isAwaitingInput = count == 0;
        return count;
    }

    @Override
    public boolean tryHoldInput(int bytes) {
        MemoryBudget memory = engine.inputMemory();
        boolean hasRoom = bytes <= heldInput || memory.hasRoom();
        if (hasRoom) {
            memory.add(bytes - heldInput);
            heldInput = bytes;
        }
        return hasRoom;
    }

    @Override
    public boolean isHeldUp() {
        return side.isHeldUp();
    }

    @Override
    public void upgrade(String protocol) throws IOException {
        exchange.beginUpgrade();
        engine.tunnels().add(this);
        side.upgrade(protocol, exchange);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        try {
            side.write(bytes, offset, length);
        } catch (IOException e) {
            throw exchange.clientGone(e);
        }
        exchange.sent(length);
    }

    @Override
    public void end() {
        if (!isOver) {
            Runnable ending = this::conclude;
            isOver();
            over(ending);
        }
    }

    private void conclude() {
        exchange.conclude(null);
        flush();
        if (!exchange.isBroken() && side.mustWaitToFinish()) {
            side.submit();
            isReleased = true;
        } else {
            finish(exchange.isBroken());
        }
    }

    private void flush() {
        try {
            side.flush();
        } catch (IOException e) {
            var _ = exchange.clientGone(e);
        }
    }

    @Override
    public void fail(Throwable e) {
        if (!isOver) {
            Runnable ending = () -> conclude(e);
            isOver();
            over(ending);
        }
    }

    private void conclude(Throwable e) {
        boolean isGone = exchange.isBroken() || e instanceof ClientGoneException;
        if (!isGone && !exchange.isCommitted() && !side.isHeldUp()) {
            exchange.failLater(e); // an error page may block
            side.submit();
            isReleased = true;
        } else {
            if (!isGone && exchange.isCommitted()) {
                exchange.conclude(e);
            }
            finish(true);
        }
    }

    private void finish(boolean isBroken) {
        isReleased = true;
        boolean isFinished = false;
        try {
            if (isBroken) {
                exchange.finishBroken();
            } else {
                exchange.finish();
            }
            isFinished = true;
        } finally {
            if (isFinished) {
                side.over(exchange, isBroken);
            } else {
                side.overClosed(exchange);
            }
        }
    }

    /// Runs what ends the exchange. If that fails, as by an application's log, the connection or
    /// stream is closed; the handler learns of the end in any case.
    private void over(Runnable ending) {
        boolean isDone = false;
        try {
            ending.run();
            isDone = true;
        } finally {
            try {
                if (!isDone) {
                    abandon();
                }
            } finally {
                handler.ended();
            }
        }
    }

    private void abandon() {
        try {
            if (!isReleased) {
                finishClosed();
            }
        } finally {
            side.close();
        }
    }

    private void isOver() {
        isOver = true;
        boolean _ = tryHoldInput(0);
        cancelDeadline();
        engine.detached().remove(this);
        engine.tunnels().remove(this);
    }
}
