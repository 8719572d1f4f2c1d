package dev.tandem.cgi;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// A program from its start to its end, with the process slot that it occupies. Owned by the
/// exchange's thread; if the program outlives its response, by a thread that waits for its exit.
final class RunningProgram {
    /// How long the exchange's thread waits for the exit: 20 ms. Nearly all programs exit right
    /// after their output.
    private static final long EXIT_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /// Polling interval for a program that continues.
    private static final long POLL_MILLIS = 50;

    private final ScriptProcess process;
    private final StderrLog errors;
    private final String name;
    private final Consumer<RunningProgram> onEnd;
    private volatile long deadlineNanos;

    /// @param name of the exchange and the program, for the log
    /// @param deadlineNanos when the program must have exited, by [System#nanoTime()]
    /// @param onEnd called once, when the program has exited
    RunningProgram(
            ScriptProcess process,
            String name,
            long deadlineNanos,
            Consumer<RunningProgram> onEnd) {
        this.process = process;
        this.name = name;
        this.errors = new StderrLog(name + " stderr: ", line -> Log.LOG.log(Level.WARNING, line));
        this.deadlineNanos = deadlineNanos;
        this.onEnd = onEnd;
    }

    ScriptProcess process() {
        return process;
    }

    StderrLog errors() {
        return errors;
    }

    long deadlineNanos() {
        return deadlineNanos;
    }

    void warn(String what) {
        Log.LOG.log(Level.WARNING, name + ": " + what);
    }

    /// Waits briefly for the program's exit.
    ///
    /// @return the signal that has ended it; 0 if none has, or it still runs
    int endSignal() {
        return process.awaitExit(EXIT_WAIT_NANOS) ? process.endSignal() : 0;
    }

    /// Called when the response is complete or abandoned. Waits briefly for the program's exit,
    /// otherwise leaves that to another thread.
    ///
    /// @param endNanos when the program must have exited, by [System#nanoTime()]; otherwise it is
    ///     killed with its process group
    void finish(long endNanos) {
        deadlineNanos = Math.min(deadlineNanos, endNanos);
        boolean hasExited = false;
        boolean isLeft = false;
        try {
            if (deadlineNanos - System.nanoTime() <= 0) {
                process.kill();
            }
            hasExited = process.awaitExit(EXIT_WAIT_NANOS);
            if (!hasExited) {
                Thread.ofVirtual().name("tandem-cgi-end").start(this::awaitExit);
                isLeft = true;
            }
        } finally {
            if (!isLeft) {
                complete(hasExited);
            }
        }
    }

    private void awaitExit() {
        boolean hasExited = false;
        try {
            var buffer = new byte[StderrLog.LINE_MAX];
            while (!process.awaitExit(0)) {
                if (System.nanoTime() - deadlineNanos >= 0) {
                    process.kill();
                }
                readErrors(buffer);
                try {
                    Thread.sleep(POLL_MILLIS);
                } catch (InterruptedException _) {
                    process.kill(); // this thread is never interrupted
                }
            }
            hasExited = true;
        } finally {
            complete(hasExited);
        }
    }

    /// Releases the slot, whatever fails before.
    ///
    /// @param hasExited false if waiting for that has failed, such as for lack of memory; it is
    ///     killed then, as nothing limits its time
    private void complete(boolean hasExited) {
        try {
            if (!hasExited) {
                process.kill();
                process.awaitExit(EXIT_WAIT_NANOS);
            }
            readErrors(new byte[StderrLog.LINE_MAX]);
            errors.endLine();
        } finally {
            try {
                process.close();
            } finally {
                onEnd.accept(this);
            }
        }
    }

    private void readErrors(byte[] buffer) {
        try {
            errors.readFrom(process, buffer);
        } catch (IOException e) {
            warn("its standard error cannot be read: " + e.getMessage());
        }
    }

    /// Kills the program. May be called by any thread.
    void kill() {
        process.kill();
    }
}
