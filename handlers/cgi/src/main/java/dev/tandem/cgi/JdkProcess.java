package dev.tandem.cgi;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/// A process of the JDK, whose pipes block: for each pipe a thread moves data, one buffer at a
/// time.
final class JdkProcess implements ScriptProcess {
    private static final int BUFFER = 16 << 10;

    /// Maximum wait for the end of standard error after the process has exited: 20 ms.
    private static final long STDERR_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /// The resolution of Java's waits; 0 would wait forever.
    private static final long WAIT_MIN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /// ILL, ABRT, FPE, KILL and SEGV, by which the kernel ends a program.
    private static final Set<Integer> SIGNALS = Set.of(4, 6, 8, 9, 11);

    /// Of a program that a signal has ended, the JDK's status is that and the signal.
    private static final int SIGNALLED = 128;

    private final Process process;
    private final boolean hasGroup;
    private final Object lock = new Object();
    private final OutputPump output;
    private final OutputPump errors;
    private final InputPump input;
    private boolean isClosed;

    /// @param hasGroup whether it leads a process group of its own
    /// @param hasInput whether there will be data for its standard input
    JdkProcess(Process process, boolean hasGroup, boolean hasInput) {
        this.process = process;
        this.hasGroup = hasGroup;
        this.output = new OutputPump(process.getInputStream());
        this.errors = new OutputPump(process.getErrorStream());
        this.input = new InputPump(process.getOutputStream(), hasInput);
        startPump("out", output);
        startPump("err", errors);
        if (hasInput) {
            startPump("in", input);
        }
    }

    private void startPump(String what, Runnable mover) {
        Thread.ofPlatform().daemon().name("tandem-cgi-" + what + "-" + pid()).start(mover);
    }

    @Override
    public long pid() {
        return process.pid();
    }

    @Override
    public int await(boolean wantsInput, long nanos) {
        long end = System.nanoTime() + nanos;
        synchronized (lock) {
            int ready = ready(wantsInput);
            for (long left = nanos; ready == 0 && left > 0; left = end - System.nanoTime()) {
                if (!waitFor(left)) {
                    return 0;
                }
                ready = ready(wantsInput);
            }
            return ready;
        }
    }

    /// @return false if the thread was interrupted, which the caller checks
    private boolean waitFor(long nanos) {
        try {
            TimeUnit.NANOSECONDS.timedWait(lock, Math.max(nanos, WAIT_MIN_NANOS));
            return true;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private int ready(boolean wantsInput) {
        return (wantsInput && input.isReady() ? INPUT : 0)
                | (output.isReady() ? OUTPUT : 0)
                | (errors.isReady() ? ERRORS : 0);
    }

    @Override
    public int write(byte[] bytes, int from, int to) {
        synchronized (lock) {
            return input.offer(bytes, from, to);
        }
    }

    @Override
    public void closeInput() {
        synchronized (lock) {
            input.isClosing = true;
            lock.notifyAll();
        }
        if (!input.hasThread) {
            closeQuietly(process.getOutputStream());
        }
    }

    @Override
    public int readOutput(byte[] to) {
        synchronized (lock) {
            return output.read(to);
        }
    }

    @Override
    public int readErrors(byte[] to) {
        synchronized (lock) {
            return errors.read(to);
        }
    }

    @Override
    public boolean awaitExit(long nanos) {
        try {
            boolean hasExited = process.waitFor(nanos, TimeUnit.NANOSECONDS);
            if (hasExited) {
                awaitErrors();
            }
            return hasExited;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return !process.isAlive();
        }
    }

    /// A shell ends itself with the same status if its last program was ended by a signal, such as
    /// in order by PIPE; so only signals count that tell of a failure in that case, too.
    @Override
    public int endSignal() {
        int signal = process.exitValue() - SIGNALLED;
        return SIGNALS.contains(signal) ? signal : 0;
    }

    /// The last output may still be in the thread's hands. A child process may hold the pipe for
    /// longer.
    private void awaitErrors() throws InterruptedException {
        long end = System.nanoTime() + STDERR_WAIT_NANOS;
        synchronized (lock) {
            for (long left = STDERR_WAIT_NANOS; left > 0; left = end - System.nanoTime()) {
                if (errors.isReady() || errors.isAtEnd) {
                    return;
                }
                TimeUnit.NANOSECONDS.timedWait(lock, Math.max(left, WAIT_MIN_NANOS));
            }
        }
    }

    @Override
    public void kill() {
        if (hasGroup) {
            killGroup();
        } else {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
        }
        process.destroyForcibly();
    }

    /// While the process lives, or its children hold its pipes, its id cannot be another group's.
    private void killGroup() {
        synchronized (lock) {
            if (!process.isAlive() && output.isAtEnd && errors.isAtEnd) {
                return;
            }
        }
        try {
            String tool = String.valueOf(JdkSpawner.KILL);
            Process killing =
                    new ProcessBuilder(tool, "-KILL", "--", "-" + pid())
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            killing.waitFor(1, TimeUnit.SECONDS);
        } catch (IOException e) {
            Log.LOG.log(System.Logger.Level.WARNING, "a process group was not killed", e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        synchronized (lock) {
            isClosed = true;
            input.isClosing = true;
            lock.notifyAll();
        }
        closeQuietly(process.getInputStream());
        closeQuietly(process.getErrorStream());
        if (!input.hasThread) {
            closeQuietly(process.getOutputStream());
        }
    }

    private static void closeQuietly(AutoCloseable stream) {
        try {
            stream.close();
        } catch (Exception _) {
            // It has no reader any more.
        }
    }

    /// Moves output of the program. Fields are guarded by the lock.
    private final class OutputPump implements Runnable {
        private final InputStream from;
        private byte[] buffered = {};
        private boolean isAtEnd;
        private boolean isEndReported;

        OutputPump(InputStream from) {
            this.from = from;
        }

        boolean isReady() {
            return buffered.length > 0 || isAtEnd && !isEndReported;
        }

        int read(byte[] to) {
            if (buffered.length == 0) {
                isEndReported = isAtEnd;
                return isAtEnd ? -1 : 0;
            }
            int count = Math.min(to.length, buffered.length);
            System.arraycopy(buffered, 0, to, 0, count);
            buffered = Arrays.copyOfRange(buffered, count, buffered.length);
            lock.notifyAll();
            return count;
        }

        @Override
        public void run() {
            var buffer = new byte[BUFFER];
            try {
                for (int count = from.read(buffer); count >= 0; count = from.read(buffer)) {
                    offer(Arrays.copyOf(buffer, count));
                }
            } catch (IOException | InterruptedException _) {
                // Closed on this side, which is an end, too.
            }
            synchronized (lock) {
                isAtEnd = true;
                lock.notifyAll();
            }
        }

        private void offer(byte[] bytes) throws InterruptedException {
            synchronized (lock) {
                while (buffered.length > 0 && !isClosed) {
                    lock.wait();
                }
                buffered = bytes;
                lock.notifyAll();
            }
        }
    }

    /// Moves input of the program. Fields are guarded by the lock.
    private final class InputPump implements Runnable {
        private final OutputStream to;
        private byte[] buffered = {};
        private boolean isBroken;
        private boolean isClosing;
        private final boolean hasThread;

        /// @param hasThread whether a thread runs it
        InputPump(OutputStream to, boolean hasThread) {
            this.to = to;
            this.hasThread = hasThread;
        }

        boolean isReady() {
            return buffered.length == 0 || isBroken;
        }

        int offer(byte[] bytes, int from, int end) {
            if (isBroken) {
                return -1;
            }
            if (buffered.length > 0) {
                return 0;
            }
            buffered = Arrays.copyOfRange(bytes, from, end);
            lock.notifyAll();
            return buffered.length;
        }

        @Override
        public void run() {
            try (to) {
                for (byte[] next = next(); next.length > 0; next = next()) {
                    to.write(next);
                    to.flush();
                    written();
                }
            } catch (IOException | InterruptedException _) {
                synchronized (lock) {
                    isBroken = true;
                    lock.notifyAll();
                }
            }
        }

        private byte[] next() throws InterruptedException {
            synchronized (lock) {
                while (buffered.length == 0 && !isClosing) {
                    lock.wait();
                }
                return buffered;
            }
        }

        private void written() {
            synchronized (lock) {
                buffered = new byte[0];
                lock.notifyAll();
            }
        }
    }
}
