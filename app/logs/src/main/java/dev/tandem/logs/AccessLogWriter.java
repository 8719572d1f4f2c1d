package dev.tandem.logs;

import dev.tandem.AccessLog;
import dev.tandem.net.NanoClock;
import dev.tandem.net.RateLimitedLog;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/// An access log with a writing thread. Requests only put entries into a bounded queue: a full disk
/// or a slow sink loses lines, which are counted, but delays no request. Safe for use by any
/// thread.
public final class AccessLogWriter implements AccessLog, AutoCloseable {
    /// Characters written at once: 64 Ki.
    private static final int BATCH = 65_536;

    /// Most memory of queued entries: 32 MiB, and a sixteenth of the heap. Clients choose how long
    /// targets and fields are.
    static final long HELD_MAX = Math.min(32L << 20, Runtime.getRuntime().maxMemory() / 16);

    /// What an entry takes besides its texts, about.
    private static final int ENTRY_BYTES = 200;

    /// How long entries are collected before they are written together: 20 ms.
    private static final long GATHER_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /// How long [#close()] waits for queued entries to be written: 5 s.
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final Sink sink;
    private final AccessFormat format;
    private final List<String> requestFields;
    private final ArrayBlockingQueue<QueuedEntry> queue;
    private final LongSupplier clock;
    private final AtomicLong lost = new AtomicLong();

    /// Memory of queued entries, about, in bytes.
    private final AtomicLong held = new AtomicLong();

    private final RateLimitedLog lossLog =
            new RateLimitedLog(NanoClock.SYSTEM, line -> Log.LOG.log(Level.WARNING, line));
    private final Thread writer;
    private volatile boolean isParked;
    private volatile boolean isClosing;
    private volatile boolean mustReopen;

    /// Used by the writing thread only, as is the next.
    private boolean isFailing;

    /// Entries that were taken from the queue and are not written yet.
    private int taken;

    /// @param millis since 1970, when the exchange ended
    private record QueuedEntry(Entry entry, long millis) {}

    AccessLogWriter(Sink sink, AccessSettings settings) {
        this(sink, settings, System::currentTimeMillis);
    }

    /// @param clock as [System#currentTimeMillis()]
    AccessLogWriter(Sink sink, AccessSettings settings, LongSupplier clock) {
        this.clock = clock;
        this.sink = sink;
        this.format = settings.format();
        this.requestFields = format.requestFields();
        this.queue = new ArrayBlockingQueue<>(settings.queueMax());
        this.writer = Thread.ofPlatform().daemon().name("tandem-access-log").unstarted(this::run);
    }

    /// Opens a log.
    ///
    /// @throws IOException if the file cannot be written; names it
    public static AccessLogWriter open(AccessSettings settings) throws IOException {
        var log = new AccessLogWriter(sink(settings), settings);
        log.start();
        return log;
    }

    private static Sink sink(AccessSettings settings) throws IOException {
        if (settings.file().isEmpty()) {
            return new StandardOutputSink();
        }
        try {
            return new FileSink(settings.file().get(), settings.rotateAt(), settings.keep());
        } catch (IOException e) {
            throw new IOException("cannot write the access log: " + e, e);
        }
    }

    void start() {
        writer.start();
    }

    @Override
    public List<String> requestFields() {
        return requestFields;
    }

    @Override
    public void log(Entry entry) {
        int size = size(entry);
        // Made first: if there is no memory for it, it has taken nothing of the budget.
        var queued = new QueuedEntry(entry, clock.getAsLong());
        boolean isQueued = held.addAndGet(size) <= HELD_MAX && !isClosing && queue.offer(queued);
        if (!isQueued) {
            held.addAndGet(-size);
            lost.incrementAndGet();
        }
        if (isParked) {
            LockSupport.unpark(writer);
        }
    }

    private static int size(Entry entry) {
        int size = ENTRY_BYTES + entry.target().length();
        for (String field : entry.fields()) {
            size += field.length();
        }
        return size;
    }

    @Override
    public long lost() {
        return lost.get();
    }

    /// Reopens the file by name, soon, after another program has renamed it.
    public void reopen() {
        mustReopen = true;
        LockSupport.unpark(writer);
    }

    /// Writes queued entries for at most five seconds, and closes the file. Entries logged from now
    /// on are lost.
    @Override
    public void close() {
        isClosing = true;
        LockSupport.unpark(writer);
        try {
            if (!writer.join(CLOSE_TIMEOUT)) {
                lost.addAndGet(queue.size());
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    // ---- The writing thread.

    private void run() {
        var time = new LogTime(ZoneId.systemDefault());
        var text = new StringBuilder(BATCH + 1024);
        while (!isClosing || !queue.isEmpty()) {
            try {
                proceed(time, text);
            } catch (RuntimeException | Error e) {
                // Such as a lack of memory for a moment, which must not end the log.
                lose(e);
            }
        }
        guarded(sink::close);
    }

    private void proceed(LogTime time, StringBuilder text) {
        if (mustReopen) {
            mustReopen = false;
            guarded(sink::reopen);
        }
        text.setLength(0);
        formatQueued(time, text);
        if (taken > 0) {
            write(text);
        } else {
            park();
        }
    }

    private void lose(Throwable e) {
        isParked = false;
        lost.addAndGet(taken);
        taken = 0;
        try {
            lossLog.log("the access log cannot be written: " + e);
        } catch (OutOfMemoryError _) {
            // The number of lost lines shows it.
        }
        LockSupport.parkNanos(this, GATHER_NANOS);
    }

    private void formatQueued(LogTime time, StringBuilder text) {
        while (text.length() < BATCH) {
            QueuedEntry next = queue.poll();
            if (next == null) {
                return;
            }
            taken++;
            held.addAndGet(-size(next.entry()));
            format.write(next.entry(), time.at(next.millis()), text);
        }
    }

    private void write(StringBuilder text) {
        ByteBuffer bytes = ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.UTF_8));
        try {
            sink.write(bytes);
            taken = 0;
            if (isFailing) {
                isFailing = false;
                Log.LOG.log(Level.INFO, "the access log is written again; lost: " + lost.get());
            }
        } catch (IOException e) {
            isFailing = true;
            lost.addAndGet(Math.min(taken, newlines(bytes)));
            taken = 0;
            lossLog.log("the access log cannot be written: " + e.getMessage());
        }
    }

    private static int newlines(ByteBuffer left) {
        int count = 0;
        while (left.hasRemaining()) {
            if (left.get() == '\n') {
                count++;
            }
        }
        return count;
    }

    private void park() {
        isParked = true;
        if (queue.isEmpty() && !isClosing && !mustReopen) {
            LockSupport.park(this);
        }
        isParked = false;
        if (!isClosing && !mustReopen) {
            LockSupport.parkNanos(this, GATHER_NANOS);
        }
    }

    @FunctionalInterface
    private interface SinkAction {
        void run() throws IOException;
    }

    private static void guarded(SinkAction action) {
        try {
            action.run();
        } catch (IOException e) {
            Log.LOG.log(Level.WARNING, "the access log: " + e);
        }
    }
}
