package dev.tandem.lab;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// One server of a fleet, in a control group of its own, that can be started again at the same
/// addresses. Confined to one thread.
final class FleetInstance implements AutoCloseable {
    /// What it may use until it is ready, as with start-up boosts of schedulers: its start is not
    /// what is measured.
    private static final double STARTING_PROCESSORS = 1;

    private final String name;
    private final Ports ports;
    private final ProcessorGroup group;
    private final List<String> command;
    private final Path log;
    private Child child;

    /// @param listen of clients, on the loopback
    /// @param agent of HAProxy's checks; 0 for none
    /// @param manage of its management; 0 for none
    record Ports(int listen, int agent, int manage) {
        static Ports free() throws LabException {
            return new Ports(FreePorts.next(), FreePorts.next(), FreePorts.next());
        }
    }

    private FleetInstance(
            String name,
            Ports ports,
            ProcessorGroup group,
            List<String> command,
            Path log,
            Child child) {
        this.name = name;
        this.ports = ports;
        this.group = group;
        this.command = command;
        this.log = log;
        this.child = child;
    }

    /// Starts one; it is not ready yet.
    static FleetInstance start(String name, Ports ports, List<String> command, Path log)
            throws LabException {
        ProcessorGroup group = ProcessorGroup.make(name);
        group.limit(STARTING_PROCESSORS);
        List<String> around = group.around(command);
        Child child = Child.start(name, around, ports.listen, log);
        return new FleetInstance(name, ports, group, around, log, child);
    }

    String name() {
        return name;
    }

    Ports ports() {
        return ports;
    }

    /// Waits until it serves, and then limits its processors.
    void awaitReady(double processors) throws LabException, InterruptedException {
        child.awaitResponse("/");
        group.limit(processors);
    }

    void limit(double processors) throws LabException {
        group.limit(processors);
    }

    double cpuSeconds() throws LabException {
        child.needsLife();
        return child.cpuTicks() / Kernel.TICKS_PER_SECOND;
    }

    /// Stops it in order, as SIGTERM does, and starts it again; it is not ready yet.
    ///
    /// @throws LabException if it has not ended in time
    void restart(Duration most) throws LabException, InterruptedException {
        child.handle().destroy();
        try {
            child.handle().onExit().get(most.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            throw new LabException(name + " has not ended within " + most.toSeconds() + " s");
        }
        startAgain();
    }

    /// Ends it without any notice, as a crash does.
    void kill() throws InterruptedException {
        child.handle().destroyForcibly();
        while (child.handle().isAlive()) {
            Thread.sleep(1);
        }
    }

    void startAgain() throws LabException {
        child.close();
        group.limit(STARTING_PROCESSORS);
        child = Child.start(name, command, ports.listen, log);
    }

    /// Ends it at once.
    @Override
    public void close() {
        child.handle().destroyForcibly();
        child.close();
        group.close();
    }
}
