package dev.tandem.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/// The loopback of a network namespace of its own, which can be as slow as a link: the kernel's
/// `tbf` limits what servers send there, headers included, in packets as on Ethernet. What clients
/// send is not limited, since a link carries both directions at once.
///
/// Needs Linux, root, `ip` and `tc`. The machine's own network is left as it is. Confined to the
/// thread of its task.
final class LimitedLink {
    /// Selects packets from ports below 32,768: servers' are ([FreePorts]), and those that Linux
    /// assigns to clients are not.
    private static final String FROM_SERVERS = "protocol ip u32 match ip sport 0x0000 0x8000";

    /// Bytes of a packet, at most: Ethernet's, and the loopback's own.
    private static final int PACKET = 1_500;

    private static final int PACKET_UNLIMITED = 65_536;

    /// More than a processor can send. Only a class can be selected, and one has a rate.
    private static final String UNLIMITED = "rate 10gbit burst 1mb cburst 1mb quantum 60000";

    /// A burst is at most the kernel's largest segment, 5 ms at 100 Mbit/s; the queue is nearly
    /// the thousand packets that Linux keeps for a network device, 120 ms at 100 Mbit/s.
    private static final String QUEUE = "burst 64kb latency 100ms";

    private static final Path SYSTEM = Path.of("/proc/sys/net/ipv4");

    /// Of clients: more than the usual 28,000. Servers have ports below these.
    private static final String PORTS = "32768 65535";

    /// Ports of closed connections that wait for packets that are late, at most: beyond it none
    /// waits, since on a loopback no packet of a former connection is late.
    private static final String WAITING_MAX = "4096";

    private static final int COMMAND_SECONDS_MAX = 10;

    private int megabits;

    private LimitedLink() {}

    /// Uses a link.
    interface Task {
        void run(LimitedLink link) throws LabException, InterruptedException;
    }

    /// Returns why there can be none on this machine; empty if there can.
    static String problem() throws InterruptedException {
        try {
            run(link -> link.limit(1));
            return "";
        } catch (LabException e) {
            return e.line();
        }
    }

    /// Runs a task in a thread with a network namespace of its own. Threads and processes that it
    /// starts are in the same one.
    ///
    /// @throws LabException that of the task, or if there can be no such namespace
    static void run(Task task) throws LabException, InterruptedException {
        var work =
                new FutureTask<@Nullable Void>(
                        () -> {
                            var link = new LimitedLink();
                            link.open();
                            task.run(link);
                            return null;
                        });
        var thread = new Thread(work, "limited-link");
        thread.start();
        try {
            work.get();
        } catch (ExecutionException e) {
            rethrow(e.getCause());
        } catch (InterruptedException e) {
            thread.interrupt();
            thread.join();
            throw e;
        }
    }

    private static void rethrow(@Nullable Throwable cause)
            throws LabException, InterruptedException {
        switch (cause) {
            case LabException failure -> throw failure;
            case InterruptedException failure -> throw failure;
            case RuntimeException failure -> throw failure;
            case Error failure -> throw failure;
            case null, default -> throw new AssertionError("thrown by no task", cause);
        }
    }

    private void open() throws LabException, InterruptedException {
        if (!System.getProperty("os.name").equals("Linux") || !Kernel.isRoot()) {
            throw new LabException("needs Linux and root, to make a network namespace");
        }
        try {
            int result = LinuxCalls.call(LinuxCalls.UNSHARE, LinuxCalls.NEW_NETWORK);
            LinuxCalls.require(result, "unshare");
            // These are the files of the calling thread's namespace.
            Files.writeString(SYSTEM.resolve("ip_local_port_range"), PORTS);
            Files.writeString(SYSTEM.resolve("tcp_max_tw_buckets"), WAITING_MAX);
        } catch (IOException e) {
            throw new LabException("no network namespace: " + e.getMessage());
        }
        run("ip link set lo up");
    }

    /// Sets the bandwidth, while nothing is sent.
    ///
    /// @param now in Mbit/s; 0 for no limit
    /// @throws LabException if the kernel or its tools cannot
    void limit(int now) throws LabException, InterruptedException {
        if (now == megabits) {
            return;
        }
        if (megabits > 0) {
            tc("qdisc del dev lo root");
        }
        megabits = now;
        run("ip link set lo mtu " + (now > 0 ? PACKET : PACKET_UNLIMITED));
        if (now > 0) {
            tc("qdisc add dev lo root handle 1: htb");
            tc("class add dev lo parent 1: classid 1:1 htb " + UNLIMITED);
            tc("qdisc add dev lo parent 1:1 handle 2: tbf rate " + now + "mbit " + QUEUE);
            tc("filter add dev lo parent 1: " + FROM_SERVERS + " flowid 1:1");
        }
    }

    private static void tc(String words) throws LabException, InterruptedException {
        run("tc " + words);
    }

    /// A process that the calling thread starts is in its network namespace.
    private static void run(String words) throws LabException, InterruptedException {
        var command = new ArrayList<>(List.of(words.split(" ")));
        Path program = Toolbox.ofProcess().need(command.getFirst(), "apt-get install iproute2");
        command.set(0, program.toString());
        String said = Toolbox.output(COMMAND_SECONDS_MAX, command);
        if (!said.isBlank()) {
            throw new LabException(words + ": " + said.strip());
        }
    }
}
