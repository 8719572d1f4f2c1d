package dev.tandem.lab;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A running [Rival], as a separate process with its descendants.
final class RunningRival implements AutoCloseable {
    private static final Pattern STATS =
            Pattern.compile(
                    "(?m)^" + RivalTarget.STATS_MARK + "\\{\"closedByTimeout\":(\\d{1,18})}");

    private final Child child;
    private final int tlsPort;
    private final Path log;

    private RunningRival(Child child, int tlsPort, Path log) {
        this.child = child;
        this.tlsPort = tlsPort;
        this.log = log;
    }

    static RunningRival start(Rival rival, RivalPlan plan, Environment environment)
            throws LabException, InterruptedException {
        return start(rival, plan, environment, Trial.HELLO.path());
    }

    /// @param first path that returns 200 as soon as it is ready
    static RunningRival start(Rival rival, RivalPlan plan, Environment environment, String first)
            throws LabException, InterruptedException {
        List<String> command = onProcessors(rival.command(plan, environment), plan, environment);
        needFree(plan.port(), rival.name());
        Path log = plan.folder().resolve(rival.name() + ".log");
        Child child = Child.start(rival.name(), command, plan.port(), log);
        try {
            child.awaitResponse(first);
            return new RunningRival(child, plan.tlsPort(), log);
        } catch (LabException | InterruptedException e) {
            child.close();
            throw e;
        }
    }

    private static List<String> onProcessors(
            List<String> command, RivalPlan plan, Environment environment) throws LabException {
        if (plan.processors().isEmpty()) {
            return command;
        }
        var pinned = new ArrayList<String>();
        pinned.add(environment.tools().need("taskset", "apt-get install util-linux").toString());
        pinned.addAll(List.of("-c", plan.processorList()));
        pinned.addAll(command);
        return pinned;
    }

    /// Checks that the port is free: another server at the port would be measured in its place.
    private static void needFree(int port, String name) throws LabException {
        try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            socket.setReuseAddress(true);
        } catch (IOException e) {
            throw new LabException(
                    "cannot start "
                            + name
                            + " at port "
                            + port
                            + ": "
                            + e.getMessage()
                            + "; choose another, or stop its listener");
        }
    }

    int port() {
        return child.port();
    }

    /// Port of TLS; 0 without TLS.
    int tlsPort() {
        return tlsPort;
    }

    /// Returns the same server for clients without TLS. It is one server: close either.
    RunningRival plain() {
        return new RunningRival(child, 0, log);
    }

    /// Base address for clients: https if it uses TLS.
    String address() {
        return tlsPort == 0 ? "http://127.0.0.1:" + port() : "https://127.0.0.1:" + tlsPort;
    }

    long pid() {
        return child.pid();
    }

    Child child() {
        return child;
    }

    /// Its first process.
    ProcessHandle process() {
        return child.handle();
    }

    /// @throws LabException if it has ended; the message has its last output
    void needsLife() throws LabException {
        child.needsLife();
    }

    /// Returns the CPU time of the server, its descendants, and those of them that have ended, in
    /// seconds.
    double cpuSeconds() throws LabException {
        return Kernel.familyTicks(child.handle()) / Kernel.TICKS_PER_SECOND;
    }

    /// Returns the memory of the server and its descendants that is in RAM, in bytes; shared memory
    /// counts once.
    long residentBytes() throws LabException {
        return Kernel.familyBytes(child.handle());
    }

    /// Returns the bytes of all reachable objects of a JVM, after a collection.
    long heapBytes() throws LabException, InterruptedException {
        return JvmMemory.heapBytes(child);
    }

    /// Returns how many idle connections it closed by time-out, if it reports them; known after
    /// [#close].
    OptionalLong closedByTimeout() {
        try {
            Matcher stats = STATS.matcher(Files.readString(log, StandardCharsets.ISO_8859_1));
            return stats.find()
                    ? OptionalLong.of(Long.parseLong(stats.group(1)))
                    : OptionalLong.empty();
        } catch (IOException e) {
            return OptionalLong.empty();
        }
    }

    /// Stops it and waits for its end. Further calls do nothing.
    @Override
    public void close() {
        child.close();
    }
}
