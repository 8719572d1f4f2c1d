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

/// A [Rival] that runs, as a process of its own with those that it started.
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

    static RunningRival start(Rival rival, RivalPlan plan, Surroundings around)
            throws LabException, InterruptedException {
        return start(rival, plan, around, Trial.HELLO.path());
    }

    /// @param first what it answers with 200 as soon as it is ready
    static RunningRival start(Rival rival, RivalPlan plan, Surroundings around, String first)
            throws LabException, InterruptedException {
        List<String> command = onProcessors(rival.command(plan, around), plan, around);
        needFree(plan.port(), rival.name());
        Path log = plan.folder().resolve(rival.name() + ".log");
        Child child = Child.start(rival.name(), command, plan.port(), log);
        try {
            child.awaitAnswer(first);
            return new RunningRival(child, plan.tlsPort(), log);
        } catch (LabException | InterruptedException e) {
            child.close();
            throw e;
        }
    }

    private static List<String> onProcessors(
            List<String> command, RivalPlan plan, Surroundings around) throws LabException {
        if (plan.processors().isEmpty()) {
            return command;
        }
        var pinned = new ArrayList<String>();
        pinned.add(around.tools().need("taskset", "apt-get install util-linux").toString());
        pinned.addAll(List.of("-c", plan.processorList()));
        pinned.addAll(command);
        return pinned;
    }

    /// Whoever answers at a port that was taken already would be measured in its place.
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
                            + "; choose another, or end what listens there");
        }
    }

    int port() {
        return child.port();
    }

    /// Where it speaks TLS; 0 if nowhere.
    int tlsPort() {
        return tlsPort;
    }

    /// The same for visitors who do not speak TLS. It is one server: close either.
    RunningRival plain() {
        return new RunningRival(child, 0, log);
    }

    /// Where visitors come: by https if it speaks TLS.
    String address() {
        return tlsPort == 0 ? "http://127.0.0.1:" + port() : "https://127.0.0.1:" + tlsPort;
    }

    long pid() {
        return child.pid();
    }

    /// @throws LabException if it has ended; with its last words
    void needsLife() throws LabException {
        child.needsLife();
    }

    /// CPU that it, what it started, and what of that has ended, used until now, in seconds.
    double cpuSeconds() throws LabException {
        return Kernel.familyTicks(child.handle()) / Kernel.TICKS_PER_SECOND;
    }

    /// Memory of it and what it started that is in RAM, in bytes; what several share counts once.
    long residentBytes() throws LabException {
        return Kernel.familyBytes(child.handle());
    }

    /// How many idle connections it closed by time-out, if it tells; known after [#close].
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

    /// Ends it and waits for it. Again: does nothing.
    @Override
    public void close() {
        child.close();
    }
}
