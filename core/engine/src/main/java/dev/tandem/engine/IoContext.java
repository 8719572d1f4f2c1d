package dev.tandem.engine;

import dev.tandem.net.IoBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The I/O context of a thread: its buffers, the `Date` line, the exchange that it runs, and the
/// state that each protocol keeps with a thread ([ContextKey]). Connections own none of it, so an
/// idle connection costs no buffer. Confined to its thread, unless a method says otherwise.
public final class IoContext {
    /// 32 KiB: a worker sends one response at a time, and there are many workers.
    public static final int WORKER_BUFFER = 32_768;

    /// The context of the current thread. Bound once for each thread that has one, and not for each
    /// exchange: [#running] returns that.
    private static final ScopedValue<IoContext> CURRENT = ScopedValue.newInstance();

    private final IoBuffer input;
    private final IoBuffer output;
    private final Role role;
    private final DateLine date = new DateLine();
    private @Nullable Object[] states = {};

    /// Written by this thread, read by any thread that lists what runs now: possibly a moment old.
    private @Nullable RunningExchange running;

    /// That exchange, or the message that this thread handles. Confined to it.
    private @Nullable AdmittedRun admitted;

    /// When the response of the running exchange began; 0 if it has not, or if it is not recorded.
    private long respondedNanos;

    /// What has the context.
    private enum Role {
        /// An event loop, whatever thread runs it.
        LOOP,

        /// A thread that may run a loop, and runs short handlers in place.
        LOOP_THREAD,

        /// Any other thread that runs handlers.
        WORKER
    }

    private IoContext(IoBuffer input, int output, Role role) {
        this.input = input;
        this.output = new IoBuffer(output);
        this.role = role;
    }

    /// Returns the context of an event loop.
    ///
    /// @param input the loop's
    /// @param output number of bytes of output that it gathers
    public static IoContext ofLoop(IoBuffer input, int output) {
        return new IoContext(input, output, Role.LOOP);
    }

    /// Returns the context of a thread that runs one exchange at a time.
    ///
    /// @param buffer size of its two buffers in bytes
    public static IoContext ofWorker(int buffer) {
        return new IoContext(new IoBuffer(buffer), buffer, Role.WORKER);
    }

    /// Returns the context of a [LoopThread], which runs one exchange at a time in place.
    ///
    /// @param buffer size of its two buffers in bytes
    public static IoContext ofLoopThread(int buffer) {
        return new IoContext(new IoBuffer(buffer), buffer, Role.LOOP_THREAD);
    }

    /// Whether it is a loop's, which responds to many requests at once and must not wait.
    public boolean isLoop() {
        return role == Role.LOOP;
    }

    /// Returns whether it is a [LoopThread]'s: what waits there keeps the thread from its loop.
    public boolean isLoopThread() {
        return role == Role.LOOP_THREAD;
    }

    /// Returns the state that a protocol keeps with this thread; null if it has put none there.
    public <T> @Nullable T get(ContextKey<T> key) {
        int index = key.index();
        Object state = index < states.length ? states[index] : null;
        return state == null ? null : key.type().cast(state);
    }

    /// Keeps a protocol's state.
    public <T> void put(ContextKey<T> key, T state) {
        if (key.index() >= states.length) {
            states = Arrays.copyOf(states, key.index() + 1);
        }
        states[key.index()] = state;
    }

    /// Notes the exchange that this thread runs from now on; null: none.
    void runs(@Nullable RunningExchange x) {
        running = x;
        admitted = x;
        respondedNanos = 0;
    }

    /// Notes the session whose message this thread handles from now on; null: none.
    public void handles(@Nullable AdmittedRun message) {
        admitted = message;
    }

    /// Returns what this thread runs: an exchange, or a message. Called by this thread.
    public @Nullable AdmittedRun admitted() {
        return admitted;
    }

    /// Returns the exchange that this thread runs. May be called by any thread.
    public @Nullable RunningExchange running() {
        return running;
    }

    /// Notes when the response of the running exchange began.
    void responds(long nanos) {
        respondedNanos = nanos;
    }

    long respondedNanos() {
        return respondedNanos;
    }

    /// Returns the buffer that input is read into.
    public IoBuffer input() {
        return input;
    }

    /// Returns the buffer that output is gathered in; between responses it is empty, with its
    /// position at 0.
    public IoBuffer output() {
        return output;
    }

    /// Returns the `Date` line of this second.
    public byte[] dateLine() {
        return date.line();
    }

    /// Returns the context of this thread; null if it runs no exchanges.
    public static @Nullable IoContext current() {
        return CURRENT.isBound() ? CURRENT.get() : null;
    }

    /// Runs a thread's work with this as its context.
    void during(Runnable work) {
        ScopedValue.where(CURRENT, this).run(work);
    }
}
