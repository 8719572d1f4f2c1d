package dev.tandem.lab;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A network link within this machine that loses, delays and doubles packets: two TUN devices, one
/// of them in a network namespace of its own, and threads that pass packets from one to the other.
/// So real TCP retransmits, where the kernel has no `netem`. Needs Linux, root and `ip`.
///
/// The server is at the near end ([#NEAR]), clients at the far end ([#connect]).
final class LossyLink implements AutoCloseable {
    /// Of the addresses for tests of network devices (RFC 2544, appendix C.2.2).
    static final String NEAR = "198.18.0.1";

    private static final String FAR = "198.18.0.2";

    /// Bytes of a packet, at most; the devices' is 1,500.
    private static final int PACKET_MAX = 2_048;

    private static final int CONNECT_MILLIS_MAX = 3_000;
    private static final int POLL_MILLIS = 100;
    private static final int IP_SECONDS_MAX = 10;

    private static final int READ_AND_WRITE = 2;
    private static final int NAME_LENGTH = 16;
    private static final int REQUEST_LENGTH = 40;
    private static final long SET_DEVICE = 0x4004_54CAL;

    /// Packets without Ethernet's header, and without one of the device's own.
    private static final short TUN = 0x1001;

    private static final short READABLE = 1;

    /// What a link does to packets.
    ///
    /// @param lost part of the packets that do not arrive, 0 to 1
    /// @param doubled part of those that arrive twice
    /// @param delayMillis of each
    /// @param jitterMillis random, in addition: packets overtake each other
    record Quality(double lost, double doubled, int delayMillis, int jitterMillis) {
        static final Quality GOOD = new Quality(0, 0, 0, 0);
        static final Quality POOR = new Quality(0.05, 0.02, 30, 40);
        static final Quality CUT = new Quality(1, 0, 0, 0);
    }

    private final ScheduledExecutorService delayed =
            Executors.newSingleThreadScheduledExecutor(
                    task -> {
                        var thread = new Thread(task, "link-delay");
                        thread.setDaemon(true);
                        return thread;
                    });

    private final Random random;
    private final AtomicLong passed = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private final End near = new End(NEAR);
    private final End far = new End(FAR);

    /// Whether the calling thread's new sockets are at the far end.
    private final ThreadLocal<Boolean> isFar = ThreadLocal.withInitial(() -> false);

    private volatile Quality quality = Quality.GOOD;
    private volatile boolean isClosed;

    private LossyLink(long seed) {
        random = new Random(seed);
    }

    /// @param seed of what happens to packets
    /// @throws Fault.Impossible where this process may not make one
    static LossyLink open(long seed) throws Fault.Impossible, InterruptedException {
        if (!System.getProperty("os.name").equals("Linux") || !Kernel.isRoot()) {
            throw new Fault.Impossible("needs Linux and root, to make a network device");
        }
        var link = new LossyLink(seed);
        try {
            link.near.start(link.far, false);
            link.far.start(link.near, true);
            return link;
        } catch (InterruptedException e) {
            link.close();
            throw e;
        } catch (IOException e) {
            link.close();
            throw new Fault.Impossible("no link of the laboratory's own: " + e.getMessage());
        }
    }

    void quality(Quality now) {
        quality = now;
    }

    /// Connects a client at the far end. The calling thread must be a platform thread, and must not
    /// connect to anything else from then on.
    Caller connect(int port) throws IOException {
        if (!isFar.get()) {
            far.enter();
            isFar.set(true);
        }
        var socket = new Socket();
        try {
            socket.connect(new InetSocketAddress(NEAR, port), CONNECT_MILLIS_MAX);
        } catch (IOException e) {
            socket.close();
            throw e;
        }
        return Caller.over(socket);
    }

    /// Returns what happened to packets, for people.
    String summary() {
        return "%,d packets arrived, %,d were lost".formatted(passed.get(), lost.get());
    }

    /// What is still at its end is not delivered.
    @Override
    public void close() {
        isClosed = true;
        delayed.shutdownNow();
        near.join();
        far.join();
    }

    private void pass(byte[] packet, End to) {
        Quality now = quality;
        if (next() < now.lost()) {
            lost.incrementAndGet();
            return;
        }
        send(packet, to, now);
        if (next() < now.doubled()) {
            send(packet, to, now);
        }
    }

    private double next() {
        synchronized (random) {
            return random.nextDouble();
        }
    }

    private void send(byte[] packet, End to, Quality now) {
        passed.incrementAndGet();
        long delay = now.delayMillis() + (long) (next() * now.jitterMillis());
        if (delay == 0) {
            to.write(packet);
            return;
        }
        try {
            delayed.schedule(() -> to.write(packet), delay, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            lost.incrementAndGet(); // the link is closed
        }
    }

    /// A device, and the thread that reads from it.
    private final class End {
        private final String address;
        private final CountDownLatch ready = new CountDownLatch(1);
        private volatile @Nullable Thread thread;
        private volatile @Nullable IOException failure;
        private volatile int device = -1;
        private volatile Path network = Path.of("/proc/self/ns/net");

        End(String address) {
            this.address = address;
        }

        /// @param isApart whether it is in a network namespace of its own
        void start(End other, boolean isApart) throws IOException, InterruptedException {
            Thread reading = new Thread(() -> run(other, isApart), "link-" + address);
            reading.setDaemon(true);
            thread = reading;
            reading.start();
            ready.await();
            IOException failed = failure;
            if (failed != null) {
                throw failed;
            }
        }

        private void run(End other, boolean isApart) {
            try (var arena = Arena.ofConfined()) {
                try {
                    if (isApart) {
                        LinuxCalls.require(
                                LinuxCalls.call(LinuxCalls.UNSHARE, LinuxCalls.NEW_NETWORK),
                                "unshare");
                        network = Path.of("/proc", own(), "ns/net");
                    }
                    device = open(arena);
                } catch (IOException e) {
                    failure = e;
                    return;
                } catch (InterruptedException e) {
                    failure = new IOException("interrupted");
                    return;
                } finally {
                    ready.countDown();
                }
                readAll(arena, other);
            } finally {
                closeDevice();
            }
        }

        private synchronized void closeDevice() {
            if (device >= 0) {
                int _ = LinuxCalls.call(LinuxCalls.CLOSE, device);
                device = -1;
            }
        }

        /// The calling thread, such as `12/task/14`.
        private static String own() throws IOException {
            return Files.readSymbolicLink(Path.of("/proc/thread-self")).toString();
        }

        private int open(Arena arena) throws IOException, InterruptedException {
            int opened =
                    LinuxCalls.require(
                            LinuxCalls.call(
                                    LinuxCalls.OPEN,
                                    arena.allocateFrom("/dev/net/tun"),
                                    READ_AND_WRITE),
                            "/dev/net/tun");
            device = opened;
            MemorySegment request = arena.allocate(REQUEST_LENGTH, Long.BYTES);
            request.setString(0, "tandem%d");
            request.set(ValueLayout.JAVA_SHORT, NAME_LENGTH, TUN);
            LinuxCalls.require(
                    LinuxCalls.call(LinuxCalls.IOCTL, opened, SET_DEVICE, request), "a TUN device");
            String name = request.getString(0);
            ip("addr", "add", address + "/30", "dev", name);
            ip("link", "set", name, "up");
            return opened;
        }

        /// A process that the calling thread starts is in its network namespace.
        private static void ip(String... words) throws IOException, InterruptedException {
            var command = new ArrayList<>(List.of("ip"));
            command.addAll(List.of(words));
            String said;
            try {
                said = Toolbox.output(IP_SECONDS_MAX, command);
            } catch (LabException e) {
                throw new IOException(e.getMessage(), e);
            }
            if (!said.isBlank()) {
                throw new IOException(String.join(" ", command) + ": " + said.strip());
            }
        }

        private void readAll(Arena arena, End other) {
            MemorySegment wait = arena.allocate(Long.BYTES, Long.BYTES);
            MemorySegment buffer = arena.allocate(PACKET_MAX);
            while (!isClosed) {
                wait.set(ValueLayout.JAVA_INT, 0, device);
                wait.set(ValueLayout.JAVA_SHORT, Integer.BYTES, READABLE);
                if (LinuxCalls.call(LinuxCalls.POLL, wait, 1L, POLL_MILLIS) > 0) {
                    long count =
                            LinuxCalls.callLong(LinuxCalls.READ, device, buffer, (long) PACKET_MAX);
                    if (count > 0) {
                        pass(buffer.asSlice(0, count).toArray(ValueLayout.JAVA_BYTE), other);
                    }
                }
            }
        }

        /// Not written where the end is closed already.
        synchronized void write(byte[] packet) {
            if (device >= 0) {
                try (var arena = Arena.ofConfined()) {
                    MemorySegment bytes = arena.allocateFrom(ValueLayout.JAVA_BYTE, packet);
                    long _ =
                            LinuxCalls.callLong(
                                    LinuxCalls.WRITE, device, bytes, (long) packet.length);
                }
            }
        }

        /// Moves the calling thread to this end's network namespace.
        void enter() throws IOException {
            try (var arena = Arena.ofConfined()) {
                int file =
                        LinuxCalls.require(
                                LinuxCalls.call(
                                        LinuxCalls.OPEN, arena.allocateFrom(network.toString()), 0),
                                network.toString());
                try {
                    LinuxCalls.require(
                            LinuxCalls.call(LinuxCalls.SETNS, file, LinuxCalls.NEW_NETWORK),
                            "setns");
                } finally {
                    int _ = LinuxCalls.call(LinuxCalls.CLOSE, file);
                }
            }
        }

        void join() {
            Thread reading = thread;
            if (reading != null) {
                try {
                    reading.join(TimeUnit.SECONDS.toMillis(IP_SECONDS_MAX));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }
}
