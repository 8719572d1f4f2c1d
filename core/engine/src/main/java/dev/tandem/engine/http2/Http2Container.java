package dev.tandem.engine.http2;

import dev.tandem.engine.AdmittedRequest;
import dev.tandem.engine.ClientGoneException;
import dev.tandem.engine.ContainerRun;
import dev.tandem.engine.DetachedRequest;
import dev.tandem.engine.Engine;
import dev.tandem.engine.Events;
import dev.tandem.engine.FileTail;
import dev.tandem.engine.IoContext;
import dev.tandem.engine.PiecesTail;
import dev.tandem.engine.ResponseHeaders;
import dev.tandem.engine.ResponseTail;
import dev.tandem.engine.container.Container;
import dev.tandem.engine.container.ContainerExchange;
import dev.tandem.engine.container.ContainerHead;
import dev.tandem.http.Body;
import dev.tandem.http.Headers;
import dev.tandem.http.TlsSessionInfo;
import dev.tandem.http.h2.Http2RequestHead;
import dev.tandem.net.OpenFile;
import dev.tandem.net.TimeoutIOException;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A container's request over HTTP/2: a stream, whose buffers any thread reads and writes, and
/// whose frames the loop sends. No thread has the connection, and a thread that waits for the
/// client of this stream delays no other.
final class Http2Container implements ContainerRun.ProtocolSide, DetachedRequest {
    private final Http2Stream stream;
    private final Engine engine;
    private final ContainerRun run;
    private final StreamSteps steps;

    /// The worker that has it; null while none has. What it writes is sent when its step ends.
    private volatile @Nullable Thread holder;

    /// Of that worker; for recordings.
    private @Nullable IoContext context;

    private volatile long readNanos;
    private volatile long writeNanos;

    /// Whether a write has failed, so that later bytes would take the place of missing ones.
    private volatile boolean isAborted;

    private volatile boolean isRefused;

    /// Whether the response is complete, sent or not.
    private volatile boolean isResponseEnded;

    private volatile boolean isShared;
    private volatile boolean isOver;

    /// @param beginNanos when its head was decoded, by [System#nanoTime()]
    Http2Container(Http2Stream stream, Container container, long beginNanos) {
        this.stream = stream;
        this.engine = stream.engine();
        this.run = new ContainerRun(engine, stream, stream.resolved(), container, this, beginNanos);
        this.steps =
                new StreamSteps(
                        () -> engine.workers().submit(stream), this::canRead, this::canWrite);
        this.writeNanos = engine.timeouts().writeStall();
    }

    /// Returns what runs it.
    ContainerRun run() {
        return run;
    }

    // ---- Events. Called on the loop.

    /// Something of the body was received, or its end.
    void inputCame() {
        if (isShared) {
            steps.inputCame();
        }
    }

    /// Some of the response was sent.
    void outputSent() {
        if (isShared && stream.output().hasRoom()) {
            steps.outputSent();
        }
    }

    /// The stream is closed.
    void closed() {
        if (isShared && isResponseEnded) {
            steps.inputCame();
        } else if (isShared) {
            steps.reset();
        }
    }

    // ---- The run.

    @Override
    public void hold(IoContext context) {
        this.context = context;
        holder = Thread.currentThread();
    }

    @Override
    public boolean runSteps() throws Exception {
        ContainerExchange.Step step = next();
        while (step != null && step != StreamSteps.OVER) {
            holder = Thread.currentThread();
            step.run();
            step = next();
        }
        return step != null;
    }

    /// Sends what the previous step has written, and returns the next.
    private ContainerExchange.@Nullable Step next() {
        if (run.hasResponse()) {
            stream.sendBufferedIfOpen();
        }
        holder = null;
        return steps.next();
    }

    /// What is written is sent at the end of the response; if that is missing, the stream is reset.
    @Override
    public void conclude(IoContext context) {}

    @Override
    public boolean finish(boolean isBroken) {
        end();
        context = null;
        boolean isIncomplete = isBroken || isAborted || !isResponseEnded && !run.isErrorPage();
        if (isRefused && !run.hasResponse()) {
            stream.finishRefused();
        } else {
            stream.finish(isIncomplete);
        }
        return isIncomplete;
    }

    @Override
    public void abort() {
        stream.abort();
    }

    @Override
    public AdmittedRequest admission() {
        return stream.admission();
    }

    @Override
    public void drop() {
        abort();
    }

    // ---- The request.

    @Override
    public Http2RequestHead head() {
        return stream.head();
    }

    @Override
    public boolean isMultiplexed() {
        return true;
    }

    @Override
    public int streamId() {
        return stream.id();
    }

    @Override
    public SocketAddress remote() {
        return stream.remote();
    }

    @Override
    public SocketAddress local() {
        return stream.local();
    }

    @Override
    public @Nullable TlsSessionInfo security() {
        return stream.security();
    }

    @Override
    public Object attachment(Supplier<Object> maker) {
        return stream.connection().attachment(maker);
    }

    @Override
    public boolean mayKeep() {
        return !engine.isDraining();
    }

    // ---- The body.

    @Override
    public int read(byte[] to, int offset, int length, boolean waits) throws IOException {
        Http2Body body = stream.body();
        if (length == 0) {
            return 0;
        }
        if (isOver) {
            throw new ClientGoneException("the request is over");
        }
        return body == null ? -1 : body.read(to, offset, length, waits, readNanos);
    }

    private boolean canRead() {
        Http2Body body = stream.body();
        return body == null || body.isReadable();
    }

    @Override
    public int available() {
        Http2Body body = stream.body();
        return body == null ? 0 : body.available();
    }

    @Override
    public boolean isBodyOver() {
        Http2Body body = stream.body();
        return body == null || body.isRead();
    }

    @Override
    public boolean mayHaveTrailers() {
        return stream.body() != null;
    }

    @Override
    public Headers trailers() {
        Http2Body body = stream.body();
        return body == null ? Headers.EMPTY : body.trailers();
    }

    @Override
    public void sendContinue() throws IOException {
        Http2Body body = stream.body();
        if (body != null) {
            body.sendContinue();
        }
    }

    @Override
    public void readTimeout(long nanos) {
        readNanos = nanos;
    }

    @Override
    public void writeTimeout(long nanos) {
        writeNanos = nanos > 0 ? nanos : engine.timeouts().writeStall();
    }

    // ---- The response.

    @Override
    public ContainerHead newHead(int status) {
        return new Http2ContainerHead(status);
    }

    @Override
    public void begin(ContainerHead head) throws IOException {
        checkOpen();
        var made = (Http2ContainerHead) head;
        run.responds(made.status());
        IoContext own = context;
        if (!isShared && own != null) {
            Events.responds(own);
        }
        stream.begin(made, made.contentLength());
    }

    @Override
    public void interim(ContainerHead head) throws IOException {
        var made = (Http2ContainerHead) head;
        stream.interim(made.status(), made.headers());
    }

    /// Checks that no bytes are missing: later bytes would take their place.
    private void checkOpen() throws IOException {
        if (isAborted || isOver) {
            throw new ClientGoneException(
                    isOver ? "the request is over" : "an earlier write has failed");
        }
    }

    @Override
    public void write(byte[] bytes, int offset, int length, boolean waits) throws IOException {
        checkOpen();
        StreamOutput output = stream.output();
        try {
            int at = offset;
            int end = offset + length;
            while (at < end) {
                at += output.append(bytes, at, end - at, waits);
                if (at < end) {
                    stream.sendBuffered(true);
                    stream.awaitClient(writeNanos, output::awaitRoom);
                }
            }
            stream.sendBuffered(holder != Thread.currentThread());
            run.sent(length);
        } catch (IOException e) {
            throw gone(e);
        } catch (RuntimeException | Error e) {
            cut();
            throw e;
        }
    }

    /// After an error, such as a lack of memory, some of the response is missing: its end must not
    /// follow as if it were whole.
    private void cut() {
        isAborted = true;
        run.broken();
    }

    private IOException gone(IOException e) {
        cut();
        return e instanceof TimeoutIOException
                ? new SocketTimeoutException("the client took nothing for too long")
                : e;
    }

    /// Has the loop send what was written; that the client takes it is not waited for.
    @Override
    public boolean flush(boolean waits) throws IOException {
        if (!isResponseEnded) {
            checkOpen();
            try {
                stream.sendBuffered(true);
            } catch (IOException e) {
                throw gone(e);
            } catch (RuntimeException | Error e) {
                cut();
                throw e;
            }
        }
        return !isHeldUp();
    }

    private boolean canWrite() {
        return !isHeldUp();
    }

    @Override
    public boolean isHeldUp() {
        return stream.output().isHeldUp();
    }

    @Override
    public void endContent(Headers trailers, boolean waits) throws IOException {
        if (isResponseEnded) {
            return;
        }
        checkOpen();
        ResponseHeaders sent = null;
        if (trailers.size() > 0) {
            sent = new ResponseHeaders();
            for (int i = 0; i < trailers.size(); i++) {
                sent.addAny(trailers.name(i), trailers.value(i));
            }
        }
        isResponseEnded = true;
        try {
            stream.end(sent);
        } catch (IOException e) {
            throw gone(e);
        } catch (RuntimeException | Error e) {
            cut();
            throw e;
        }
    }

    @Override
    public void sendFile(Path file, long offset, long length) throws IOException {
        checkOpen();
        if (length == 0) {
            endContent(Headers.EMPTY, true);
            return;
        }
        OpenFile open = engine.network().open(file);
        isResponseEnded = true;
        try {
            stream.sendContent(new FileTail(open, offset, length));
            run.sent(length);
        } catch (IOException e) {
            throw gone(e);
        } catch (RuntimeException | Error e) {
            cut();
            throw e;
        }
    }

    @Override
    public void sendSegments(Body.Segmented content) throws IOException {
        ResponseTail tail = new PiecesTail(content);
        boolean isOpen = false;
        try {
            checkOpen();
            isOpen = true;
        } finally {
            if (!isOpen) {
                tail.close();
            }
        }
        if (content.length() == 0) {
            tail.close();
            endContent(Headers.EMPTY, true);
            return;
        }
        isResponseEnded = true;
        try {
            stream.sendContent(tail);
            run.sent(content.length());
        } catch (IOException e) {
            throw gone(e);
        } catch (RuntimeException | Error e) {
            cut();
            throw e;
        }
    }

    @Override
    public void cookieSet(String line) {
        run.cookieSet(line);
    }

    @Override
    public void keep(boolean isKept) {
        if (!isKept) {
            stream.connection().drainSoon();
        }
    }

    @Override
    public void refuse() {
        isRefused = true;
    }

    // ---- Beyond the call.

    @Override
    public void share() {
        if (!isShared) {
            isShared = true;
            stream.admission().detach();
            engine.detached().add(this);
            if (stream.isClosed()) {
                closed();
            }
        }
    }

    @Override
    public boolean isShared() {
        return isShared;
    }

    @Override
    public void end() {
        if (isShared && !isOver) {
            engine.detached().remove(this);
            isOver = true;
            steps.end();
        }
    }

    /// A thread that waits for the client waits no more.
    @Override
    public void close() {
        if (!isOver) {
            isAborted = true;
            stream.abort();
            end();
        }
    }

    @Override
    public boolean isOver() {
        return isOver || stream.isClosed();
    }

    @Override
    public boolean resume(ContainerExchange.Step step) {
        return steps.add(step);
    }

    @Override
    public void awaitInput(ContainerExchange.Step step) {
        steps.awaitInput(step);
    }

    @Override
    public void awaitOutput(ContainerExchange.Step step) {
        steps.awaitOutput(step);
    }

    @Override
    public void awaitReset(ContainerExchange.Step step) {
        steps.awaitReset(step);
    }

    @Override
    public void whenTaken(Runnable task) {
        steps.awaitOutput(() -> execute(task));
    }

    @Override
    public void execute(Runnable task) {
        engine.workers().submit(_ -> task.run());
    }

    @Override
    public void upgrade() {
        throw new UnsupportedOperationException("a stream cannot be upgraded");
    }
}
