package dev.tandem.engine.http2;

import dev.tandem.engine.container.ContainerExchange.Step;
import java.util.ArrayDeque;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// The steps that are due for a shared container request of a stream, in order, and the events that
/// it waits for. Safe for use by any thread; no lock is held while a step runs, nor while the
/// stream is asked for its state.
///
/// ```
///   HELD (a worker has it, or will) --next: none--> PARKED --add, an event, end--> HELD
/// ```
final class StreamSteps {
    /// Stands for the end, behind the last step.
    static final Step OVER = () -> {};

    private final Runnable submit;
    private final BooleanSupplier canRead;
    private final BooleanSupplier canWrite;
    private final ArrayDeque<Step> due = new ArrayDeque<>(2);
    private @Nullable Step onInput;
    private @Nullable Step onOutput;
    private @Nullable Step onReset;

    /// Whether a worker has the request, or will; at first the thread that calls the container.
    private boolean isHeld = true;

    /// Whether something has happened since the worker looked.
    private boolean hasNews;

    private boolean isReset;
    private boolean isEnded;

    /// @param submit has a worker run the next step
    /// @param canRead whether a read would return or fail at once
    /// @param canWrite likewise
    StreamSteps(Runnable submit, BooleanSupplier canRead, BooleanSupplier canWrite) {
        this.submit = submit;
        this.canRead = canRead;
        this.canWrite = canWrite;
    }

    private void hold() {
        if (isHeld) {
            hasNews = true;
        } else {
            isHeld = true;
            try {
                submit.run();
            } catch (Throwable e) {
                isHeld = false; // for lack of memory: the next event must submit it
                throw e;
            }
        }
    }

    /// Adds a step that is due.
    ///
    /// @return false if the request is over
    synchronized boolean add(Step step) {
        if (!isEnded) {
            due.add(step);
            hold();
        }
        return !isEnded;
    }

    /// Runs a step when something can be read, once; it replaces an earlier one.
    synchronized void awaitInput(Step step) {
        onInput = step;
        hold();
    }

    /// Runs a step when something can be written, once; it replaces an earlier one.
    synchronized void awaitOutput(Step step) {
        onOutput = step;
        hold();
    }

    /// Runs a step when the stream is reset, once; it replaces an earlier one.
    synchronized void awaitReset(Step step) {
        onReset = step;
        hold();
    }

    /// Something was received, or nothing more can be.
    synchronized void inputCame() {
        if (onInput != null) {
            hold();
        }
    }

    /// There is room for output.
    synchronized void outputSent() {
        if (onOutput != null) {
            hold();
        }
    }

    /// The stream was reset.
    synchronized void reset() {
        isReset = true;
        hold();
    }

    /// Ends the request: a worker does the rest.
    synchronized void end() {
        if (!isEnded) {
            isEnded = true;
            due.clear();
            onInput = null;
            onOutput = null;
            onReset = null;
            hold();
        }
    }

    /// Removes and returns the next step, or [#OVER]; null if there is none, and then no thread has
    /// the request, and nothing of it may be touched.
    @Nullable Step next() {
        Step next = null;
        boolean isParked = false;
        while (next == null && !isParked) {
            synchronized (this) {
                hasNews = false;
            }
            boolean mayRead = canRead.getAsBoolean();
            boolean mayWrite = canWrite.getAsBoolean();
            synchronized (this) {
                next = isEnded ? OVER : take(mayRead, mayWrite);
                isParked = next == null && !hasNews;
                isHeld = !isParked;
            }
        }
        return next;
    }

    private @Nullable Step take(boolean mayRead, boolean mayWrite) {
        Step next = due.poll();
        if (next == null && isReset && onReset != null) {
            next = onReset;
            onReset = null;
            onInput = null;
            onOutput = null;
        }
        if (next == null && mayRead) {
            next = onInput;
            onInput = null;
        }
        if (next == null && mayWrite) {
            next = onOutput;
            onOutput = null;
        }
        return next;
    }
}
