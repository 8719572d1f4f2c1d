package dev.tandem.lab;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/// A server that runs as a separate process on the loopback, and ends with this one.
final class Child implements AutoCloseable {
    /// Maximum time until the first response: an application fills its database first.
    private static final int START_SECONDS_MAX = 120;

    /// Maximum time for a graceful end.
    private static final int STOP_SECONDS_MAX = 5;

    private static final Set<Process> RUNNING = ConcurrentHashMap.newKeySet();

    /// Whether this process ends: any child started from here on would outlive it.
    private static volatile boolean isEnding;

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(Child::endAll));
    }

    private static void endAll() {
        isEnding = true;
        RUNNING.forEach(Process::destroyForcibly);
    }

    private final String name;
    private final Process process;
    private final int port;
    private final Path log;

    private Child(String name, Process process, int port, Path log) {
        this.name = name;
        this.process = process;
        this.port = port;
        this.log = log;
    }

    /// Starts a server and returns immediately: see [#awaitResponse].
    ///
    /// @param port where it will listen
    /// @param log receives its output
    /// @throws LabException if the command cannot be run
    static Child start(String name, List<String> command, int port, Path log) throws LabException {
        try {
            Process process =
                    new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                            .redirectOutput(log.toFile())
                            .start();
            RUNNING.add(process);
            if (isEnding) {
                process.destroyForcibly();
            }
            return new Child(name, process, port, log);
        } catch (IOException e) {
            throw new LabException("cannot start " + name + ": " + e.getMessage());
        }
    }

    /// Sends a request every millisecond until there is a response.
    ///
    /// @throws LabException if the server ends or has not responded within [#START_SECONDS_MAX]
    void awaitResponse(String path) throws LabException, InterruptedException {
        await(() -> isResponding(path), "gave no 200");
    }

    /// Waits for a server that does not use HTTP: until it accepts connections.
    void awaitListening() throws LabException, InterruptedException {
        await(this::isListening, "accepted no connection");
    }

    private void await(BooleanSupplier ready, String problem)
            throws LabException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS_MAX);
        while (!ready.getAsBoolean()) {
            needsLife();
            if (System.nanoTime() - end > 0) {
                throw new LabException(
                        name + " " + problem + " within " + START_SECONDS_MAX + " s" + lastWords());
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }

    private boolean isListening() {
        try (var _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private boolean isResponding(String path) {
        try (var caller = Caller.connect(port)) {
            return caller.get(path).status() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    /// @throws LabException if the server has ended
    void needsLife() throws LabException {
        if (!process.isAlive()) {
            throw new LabException(
                    name + " ended with status " + process.exitValue() + lastWords());
        }
    }

    /// The last line that is not of a stack trace: what failed, not where.
    private String lastWords() {
        try (Stream<String> lines = Files.lines(log, StandardCharsets.UTF_8)) {
            return lines.filter(line -> !line.isBlank() && !line.startsWith("\t"))
                    .reduce((_, later) -> later)
                    .map(line -> ": " + line)
                    .orElse("");
        } catch (IOException | UncheckedIOException e) {
            return "";
        }
    }

    String name() {
        return name;
    }

    int port() {
        return port;
    }

    ProcessHandle handle() {
        return process.toHandle();
    }

    long pid() {
        return process.pid();
    }

    long cpuTicks() throws LabException {
        return Kernel.cpuTicks(process.toHandle());
    }

    /// Stops the server and waits for its end.
    @Override
    public void close() {
        List<ProcessHandle> children = process.descendants().toList();
        process.destroy();
        try {
            if (!process.waitFor(STOP_SECONDS_MAX, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        // Children of a parent that was killed would remain.
        children.forEach(ProcessHandle::destroyForcibly);
        RUNNING.remove(process);
    }
}
