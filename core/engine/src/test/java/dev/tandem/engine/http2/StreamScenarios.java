package dev.tandem.engine.http2;

import dev.tandem.engine.MemoryBudget;
import dev.tandem.engine.ResponseHead;
import dev.tandem.engine.ResponseHeaders;
import dev.tandem.engine.ResponseTail;
import dev.tandem.net.IoBuffer;
import dev.tandem.net.Socket;
import dev.tandem.testkit.interleave.Scenario;
import dev.tandem.testkit.interleave.Steps;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// A stream's response between the worker that makes it and the loop that sends it, and the steps
/// of a
/// container's request, in every order.
final class StreamScenarios {
    private static final long FOR_EVER = Long.MAX_VALUE / 4;
    private static final int PIECE = StreamOutput.BUFFERED_MAX;

    /// A head whose content matters here, and nothing else.
    private static final ResponseHead HEAD =
            new ResponseHead() {
                @Override
                public int status() {
                    return 200;
                }

                @Override
                public ResponseHeaders headers() {
                    throw new UnsupportedOperationException();
                }

                @Override
                public boolean hasContent() {
                    return true;
                }
            };

    private StreamScenarios() {}

    /// Content in memory of one byte over and over, which notes that it is closed.
    private static final class Zeros implements ResponseTail {
        private volatile int left;
        private final AtomicInteger closed = new AtomicInteger();

        Zeros(int length) {
            left = length;
        }

        @Override
        public long left() {
            return left;
        }

        @Override
        public long send(Socket socket, IoBuffer output, long most) throws IOException {
            throw new IOException("sent by frames only");
        }

        @Override
        public int read(IoBuffer to) {
            int count = Math.min(left, to.bytes().remaining());
            to.bytes().position(to.bytes().position() + count);
            left -= count;
            return count;
        }

        @Override
        public void close() {
            closed.incrementAndGet();
        }
    }

    /// A response whose content a worker reads, and whose buffers the loop empties.
    abstract static class TailedResponse implements Scenario {
        private static final int LENGTH = 2 * PIECE;

        final OutputMemory memory = new OutputMemory(new MemoryBudget(Long.MAX_VALUE));
        final StreamOutput output = new StreamOutput(memory, PIECE);
        final Zeros zeros = new Zeros(LENGTH);
        private final AtomicInteger news = new AtomicInteger();
        private final AtomicInteger grants = new AtomicInteger();
        private volatile boolean isOver;
        private long sent;

        final void worker() {
            var buffer = new IoBuffer(PIECE);
            try {
                output.begin(HEAD, LENGTH);
                boolean isGranted = output.content(zeros);
                while (isGranted || next()) {
                    isGranted = false;
                    output.fill(buffer, news::incrementAndGet, () -> {});
                }
            } catch (IOException e) {
                isOver = true; // reset before it began
            }
        }

        private boolean next() {
            Steps.await("grant", () -> grants.get() > 0 || isOver);
            return grants.getAndUpdate(count -> Math.max(0, count - 1)) > 0;
        }

        /// Sends what is buffered, as the loop does with the stream's news.
        ///
        /// @param resetAfter resets the stream after so many bytes
        final void loop(long resetAfter) {
            while (!isOver) {
                Steps.await("news", () -> news.get() > 0 || isOver);
                news.set(0);
                if (send(resetAfter)) {
                    output.abort();
                    isOver = true;
                }
            }
        }

        private boolean send(long resetAfter) {
            synchronized (output) {
                output.seen();
                int count = (int) Math.min(output.buffered(), PIECE / 2);
                output.moveTo(ByteBuffer.allocate(count), count);
                sent += count;
                if (output.wantsTail() && output.grantTail()) {
                    grants.incrementAndGet();
                }
                if (output.buffered() > 0) {
                    news.incrementAndGet();
                }
                return sent >= resetAfter || output.isComplete() && output.buffered() == 0;
            }
        }

        final void check(long expected) {
            if (memory.reserved() != 0 || zeros.closed.get() != 1 || sent < expected) {
                throw new AssertionError(
                        sent + " sent, " + memory.reserved() + " reserved, closed " + zeros.closed);
            }
        }
    }

    /// The client reads all of it.
    static final class ReadResponse extends TailedResponse {
        @Override
        public List<Runnable> actors() {
            return List.of(this::worker, () -> loop(Long.MAX_VALUE));
        }

        @Override
        public void check() {
            check(2 * PIECE);
        }
    }

    /// The client resets the stream when it has read a part.
    static final class ResetResponse extends TailedResponse {
        @Override
        public List<Runnable> actors() {
            return List.of(this::worker, () -> loop(PIECE / 2));
        }

        @Override
        public void check() {
            check(PIECE / 2);
        }
    }

    /// A handler writes more than fits, and waits for room, while the loop sends.
    static final class WaitForRoom implements Scenario {
        private final OutputMemory memory = new OutputMemory(new MemoryBudget(Long.MAX_VALUE));
        private final StreamOutput output = new StreamOutput(memory, PIECE);
        private final AtomicInteger news = new AtomicInteger();
        private volatile boolean isWritten;
        private volatile boolean isFailed;
        private long sent;

        private void handler() {
            var content = ByteBuffer.allocate(2 * PIECE);
            try {
                while (content.hasRemaining()) {
                    if (output.write(content, FOR_EVER)) {
                        news.incrementAndGet();
                    }
                }
                if (output.finish(null)) {
                    news.incrementAndGet();
                }
            } catch (IOException e) {
                isFailed = true;
            }
            isWritten = true;
        }

        private void loop() {
            boolean isMore = true;
            while (isMore) {
                Steps.await("news", () -> news.get() > 0 || isWritten);
                boolean isLast = isWritten;
                news.set(0);
                synchronized (output) {
                    output.seen();
                    int count = (int) output.buffered();
                    output.moveTo(ByteBuffer.allocate(count), count);
                    sent += count;
                }
                isMore = !isLast;
            }
        }

        @Override
        public List<Runnable> actors() {
            return List.of(this::handler, this::loop);
        }

        @Override
        public void check() {
            if (sent != 2 * PIECE || isFailed) {
                throw new AssertionError(sent + " sent, failed: " + isFailed);
            }
        }
    }

    /// Steps of a container's request: one is added while the worker that ran the last becomes
    /// free, and input
    /// comes.
    static final class ContainerRequest implements Scenario {
        private final AtomicInteger submitted = new AtomicInteger();
        private final AtomicInteger ran = new AtomicInteger();
        private volatile boolean isInput;
        private final StreamSteps steps =
                new StreamSteps(submitted::incrementAndGet, () -> isInput, () -> false);

        private void worker() {
            steps.awaitInput(ran::incrementAndGet);
            boolean isOver = runAll();
            while (!isOver) {
                Steps.await("submitted", () -> submitted.get() > 0);
                submitted.decrementAndGet();
                isOver = runAll();
            }
        }

        private boolean runAll() {
            var step = steps.next();
            while (step != null && step != StreamSteps.OVER) {
                try {
                    step.run();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
                step = steps.next();
            }
            return step == StreamSteps.OVER;
        }

        private void loop() {
            isInput = true;
            steps.inputCame();
        }

        private void application() {
            steps.add(ran::incrementAndGet);
            Steps.await("both steps", () -> ran.get() == 2);
            steps.end();
        }

        @Override
        public List<Runnable> actors() {
            return List.of(this::worker, this::loop, this::application);
        }

        @Override
        public void check() {
            if (ran.get() != 2) {
                throw new AssertionError(ran + " ran");
            }
        }
    }
}
