package dev.tandem.engine.http1;

import dev.tandem.engine.Feed;
import dev.tandem.engine.IoContext;
import dev.tandem.engine.LingeringClose;
import dev.tandem.engine.WriteQueue;
import dev.tandem.http.Body;
import dev.tandem.http.h1.ChunkFraming;
import dev.tandem.net.Connection;
import dev.tandem.net.IoBuffer;
import dev.tandem.net.Protocol;
import java.io.IOException;
import java.util.concurrent.Executor;

/// The connection of a response that outlives its handler. It belongs to its
/// loop, which sends content as the client accepts it.
///
/// ```
///  state    activity
///  OPEN     silent, or output waits for the client
///  LINGER   all is sent, the client still sends
/// ```
///
/// Confined to the connection's owner.
final class Http1Feed implements Protocol, Body.FeedOutput {
    /// How much is gathered before it is sent: 16 KiB, or a longer piece. What of it a client does
    /// not accept is copied, and counts as the client's memory, unlike what follows, which the
    /// source counts.
    private static final int GATHERED_MAX = 16_384;

    private static final byte[] CRLF = {'\r', '\n'};
    private static final byte[] LAST = {'0', '\r', '\n', '\r', '\n'};

    private final Http1Connection http;
    private final Connection connection;
    private final IoContext loopContext;
    private final WriteQueue output;
    private final Feed feed;
    private final boolean isChunked;
    private final Runnable onClosed;

    /// When something was sent last, by the loop's clock.
    private long sentNanos;

    /// Until when the client must accept something; 0 while it does.
    private long stallNanos;

    /// How much of the waiting output the client had accepted when that was set.
    private long mark;

    /// How many bytes the client has sent, which are dropped.
    private long dropped;

    private boolean isBegun;
    private boolean isFailed;
    private boolean isEnded;
    private boolean isLingering;

    /// @param loopContext of the connection's loop
    /// @param isChunked whether content is framed; else it ends with the connection
    /// @param onClosed called once, when the connection is closed
    Http1Feed(
            Http1Connection http,
            IoContext loopContext,
            Feed feed,
            boolean isChunked,
            Runnable onClosed) {
        this.http = http;
        this.connection = http.connection();
        this.loopContext = loopContext;
        this.output = http.output();
        this.feed = feed;
        this.isChunked = isChunked;
        this.onClosed = onClosed;
    }

    // ---- Called by the thread that has run the exchange.

    /// The handler has failed after it began the response.
    void fail() {
        isFailed = true;
    }

    /// Gives the connection to its loop. The caller must not use it afterwards.
    void takeOver() {
        if (isFailed) {
            feed.end(true);
            connection.close();
        } else if (connection.loop().isEnded()) {
            connection.close();
        } else {
            connection.loop().execute(this::begin);
        }
    }

    // ---- Called on the loop.

    private void begin() {
        if (!connection.isClosed() && connection.takeFromWorker()) {
            guarded(
                    () -> {
                        dropped = http.input().size();
                        http.input().drop();
                        isBegun = true;
                        output.limitKernel();
                        sentNanos = nowNanos();
                        feed.begin(this);
                        scheduleFiller();
                        byte[] first = feed.takeFirst();
                        if (first.length > 0) { // an empty chunk would be the end
                            put(first, false);
                            output.flush(loopContext);
                        }
                        proceed();
                    });
        }
    }

    private void guarded(IoAction action) {
        try {
            action.run();
        } catch (IOException e) {
            abort();
        } catch (Throwable e) {
            feed.end(true);
            abort();
            throw e;
        }
    }

    /// Closes the connection, and leaves nothing of it in the loop's context.
    private void abort() {
        loopContext.output().bytes().clear();
        connection.close();
    }

    private long nowNanos() {
        return connection.loop().nowNanos();
    }

    @Override
    public Executor loop() {
        return connection.loop();
    }

    @Override
    public void send() {
        if (!connection.isOwnedByLoop() || isEnded) {
            return;
        }
        if (!output.isHeldUp()) {
            guarded(this::proceed);
        } else if (feed.isTooFarBehind()) {
            feed.endSlow();
            connection.close();
        }
    }

    /// Sends what there is, and waits for the next event.
    private void proceed() throws IOException {
        if (http.engine().isStopping()) {
            feed.drain();
        }
        sendContent();
        if (feed.isComplete() && !output.isHeldUp() && !isEnded) {
            end();
        }
        if (output.isHeldUp()) {
            awaitOutput();
            return;
        }
        http.countUntaken();
        if (isEnded) {
            close();
        } else {
            if (stallNanos != 0) {
                stallNanos = 0;
                scheduleFiller();
            }
            connection.awaitInput();
        }
    }

    private void sendContent() throws IOException {
        int gathered = 0;
        while (!output.isHeldUp() && !isEnded) {
            byte[] piece = feed.next();
            if (piece == null) {
                break;
            }
            put(piece, true);
            gathered += piece.length;
            if (gathered >= GATHERED_MAX) {
                gathered = 0;
                output.flush(loopContext);
            }
        }
        output.flush(loopContext);
    }

    /// @param isShared whether other clients get it, too
    private void put(byte[] piece, boolean isShared) throws IOException {
        sentNanos = nowNanos();
        if (isChunked) {
            var line = new byte[ChunkFraming.LENGTH_MAX];
            output.put(loopContext, line, ChunkFraming.write(piece.length, line, 0), false);
        }
        if (isShared) {
            output.putShared(loopContext, piece);
        } else {
            output.put(loopContext, piece, piece.length, true);
        }
        if (isChunked) {
            output.put(loopContext, CRLF, CRLF.length, true);
        }
    }

    /// Sends the end of the content.
    private void end() throws IOException {
        isEnded = true;
        feed.end(false);
        if (isChunked) {
            output.put(loopContext, LAST, LAST.length, true);
        }
        output.flush(loopContext);
    }

    /// Closes, when all is sent, so that the client gets the end even if it is still sending.
    private void close() throws IOException {
        connection.resetWhenClosed(false);
        if (dropped == 0) {
            connection.close();
            return;
        }
        isLingering = true;
        connection.socket().shutdownOutput();
        mark = LingeringClose.BYTES;
        connection.setDeadline(nowNanos() + http.engine().timeouts().linger());
        linger();
    }

    private void linger() throws IOException {
        mark = LingeringClose.drain(connection, loopContext.input(), mark);
        if (mark > 0) {
            connection.awaitInput();
        } else {
            connection.close();
        }
    }

    /// A client that ends its side has disconnected; what it sends otherwise is dropped.
    @Override
    public void readable() {
        guarded(isLingering ? this::linger : this::receive);
    }

    private void receive() throws IOException {
        IoBuffer buffer = loopContext.input();
        buffer.bytes().clear();
        int count = connection.socket().read(buffer);
        dropped += Math.max(0, count);
        if (count < 0 || dropped > LingeringClose.BYTES) {
            connection.close();
        } else {
            connection.awaitInput();
        }
    }

    @Override
    public void writable() {
        guarded(
                () -> {
                    if (output.isHeldUp()
                            && output.writeMore(loopContext) == WriteQueue.Next.WAIT) {
                        awaitOutput();
                    } else {
                        proceed();
                    }
                });
    }

    /// The client's disconnect is noticed meanwhile, too.
    private void awaitOutput() throws IOException {
        if (!http.mayWait()) {
            feed.endSlow();
            connection.close();
            return;
        }
        if (stallNanos == 0 || output.taken() != mark) {
            mark = output.taken();
            stallNanos = nowNanos() + http.engine().timeouts().writeStall();
            connection.setDeadline(stallNanos);
        }
        connection.awaitInputAndOutput();
    }

    private void scheduleFiller() {
        long most = feed.silenceMaxNanos();
        if (most < Long.MAX_VALUE) {
            connection.setDeadline(sentNanos + most);
        } else {
            connection.cancelDeadline();
        }
    }

    @Override
    public void expired() {
        if (isLingering) {
            connection.close();
        } else if (stallNanos != 0) {
            feed.endSlow();
            connection.close();
        } else if (nowNanos() - sentNanos < feed.silenceMaxNanos()) {
            scheduleFiller();
        } else {
            guarded(
                    () -> {
                        put(feed.filler(), true);
                        scheduleFiller();
                        proceed();
                    });
        }
    }

    // ---- The end.

    /// Never closed for the sake of other connections.
    @Override
    public boolean isIdle() {
        return false;
    }

    @Override
    public void stopping() {
        if (isBegun && !isEnded) {
            guarded(this::proceed);
        }
    }

    @Override
    public void closed() {
        try {
            feed.end(false);
        } finally {
            onClosed.run(); // whatever the source, or the access log, does
        }
    }
}
