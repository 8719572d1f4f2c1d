package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.files.Folder;
import dev.tandem.files.FolderOptions;
import dev.tandem.http.Handler;
import dev.tandem.net.Network;
import dev.tandem.net.NioNetwork;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// A response with a cached file is sent on the event loop without an allocation for the request.
class CachedFileAllocationTest {
    private static final int REQUESTS = 4_000;

    /// The JVM compiles meanwhile, and until then a response allocates; on a busy machine, for
    /// longer.
    private static final int BATCHES_MAX = 75;

    /// Less than the smallest object, 16 bytes: no request allocates one. What the loop does by the
    /// clock, such as a Date field each second, allocates more for each request on a slow machine.
    private static final double CACHED_BYTES_MAX = 8;

    /// Far more than the wasteful handler allocates: the first batch ends the loop.
    private static final double WASTED_BYTES_MAX = 100_000;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /// Threads of servers that other tests of this JVM started, and that are still ending.
    private final Set<Long> others = allocatedBytes(Set.of()).keySet();

    static Stream<Arguments> networks() {
        return Stream.of(
                Arguments.of(Network.best(), CACHED_BYTES_MAX),
                Arguments.of(new NioNetwork(), CACHED_BYTES_MAX));
    }

    @ParameterizedTest
    @MethodSource("networks")
    void cachedFileAllocatesNothingForARequest(Network network, double eachMax) throws Exception {
        // Checking the disk again is a worker's task, and not counted here.
        var options = FolderOptions.DEFAULT.withRecheck(Duration.ofHours(1));
        try (var workFolder = WorkFolder.make();
                Server server =
                        Tandem.listen("127.0.0.1", 0)
                                .network(network)
                                .get("/{path...}", Folder.of(workFolder.root(), options))
                                .start()) {
            double least = leastBytes(server, "/static/1k.bin", eachMax);
            assertTrue(least <= eachMax, least + " bytes a request over " + network.name());
        }
    }

    /// Without this the other test would prove nothing.
    @Test
    void allocationOfAHandlerOnTheLoopIsDetected() throws Exception {
        Handler waster = Handler.nonBlocking(x -> x.send(new byte[1_000]));
        try (Server server = Tandem.listen("127.0.0.1", 0).get("/waste", waster).start()) {
            double least = leastBytes(server, "/waste", WASTED_BYTES_MAX);
            assertTrue(least >= 1_000, least + " bytes a request");
        }
    }

    /// Returns the allocation of one request on the server's threads, in bytes: the minimum of
    /// several batches, until one has not more than `enough`.
    private double leastBytes(Server server, String path, double enough) throws IOException {
        double least = Double.MAX_VALUE;
        try (var socket = new Socket("127.0.0.1", server.port())) {
            socket.setTcpNoDelay(true);
            byte[] request = Caller.request(path, "").getBytes(StandardCharsets.US_ASCII);
            var response = new byte[responseLength(server, path)];
            for (int i = 0; i < BATCHES_MAX && least > enough; i++) {
                Map<Long, Long> before = allocatedBytes(others);
                request(socket, request, response);
                least = Math.min(least, (double) growth(before) / REQUESTS);
            }
        }
        return least;
    }

    private static int responseLength(Server server, String path) throws IOException {
        String close = "Connection: close\r\n";
        try (var socket = new Socket("127.0.0.1", server.port())) {
            byte[] request = Caller.request(path, close).getBytes(StandardCharsets.US_ASCII);
            socket.getOutputStream().write(request);
            return socket.getInputStream().readAllBytes().length - close.length();
        }
    }

    private static void request(Socket socket, byte[] request, byte[] response) throws IOException {
        for (int i = 0; i < REQUESTS; i++) {
            socket.getOutputStream().write(request);
            int got = socket.getInputStream().readNBytes(response, 0, response.length);
            String line = new String(response, 0, 15, StandardCharsets.US_ASCII);
            if (got < response.length || !line.equals("HTTP/1.1 200 OK")) {
                throw new IOException("response " + i + " has " + got + " bytes: " + line);
            }
        }
    }

    private long growth(Map<Long, Long> before) {
        long sum = 0;
        for (var thread : allocatedBytes(others).entrySet()) {
            sum += thread.getValue() - before.getOrDefault(thread.getKey(), 0L);
        }
        return sum;
    }

    /// By each thread of the server that could have sent the response.
    ///
    /// @param others the ids of threads that are not this server's
    private static Map<Long, Long> allocatedBytes(Set<Long> others) {
        var bytes = new HashMap<Long, Long>();
        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            boolean isOther = others.contains(thread.threadId());
            if (thread.getName().startsWith("tandem-") && !isOther) {
                bytes.put(thread.threadId(), THREADS.getThreadAllocatedBytes(thread.threadId()));
            }
        }
        return bytes;
    }
}
