package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LimitedLinkTest {
    /// Below the ports of clients; no other process is in this network.
    private static final int PORT = 20_000;

    private static final int BYTES = 3_000_000;
    private static final int MEGABITS = 100;

    /// More than the kernel's bucket and its buffers hold.
    private static final int BURST = 500_000;

    @BeforeEach
    void needsANamespace() throws Exception {
        String problem = LimitedLink.problem();
        Assumptions.assumeTrue(problem.isEmpty(), problem);
    }

    private static long nanosOfTransfer() throws LabException {
        try (var listener = new ServerSocket(PORT, 1, InetAddress.getLoopbackAddress());
                var client = new Socket(InetAddress.getLoopbackAddress(), PORT);
                Socket server = listener.accept()) {
            long from = System.nanoTime();
            var sender = new Thread(() -> send(server));
            sender.start();
            InputStream in = client.getInputStream();
            assertEquals(BYTES, in.readAllBytes().length);
            return System.nanoTime() - from;
        } catch (IOException e) {
            throw new LabException("no transfer: " + e.getMessage());
        }
    }

    private static void send(Socket server) {
        try {
            server.getOutputStream().write(new byte[BYTES]);
            server.shutdownOutput();
        } catch (IOException e) {
            throw new AssertionError("the client reads all", e);
        }
    }

    @Test
    void serverSendsNoFasterThanTheLimit() throws Exception {
        LimitedLink.run(
                link -> {
                    link.limit(MEGABITS);
                    double seconds = nanosOfTransfer() / 1e9;
                    double least = 8.0 * (BYTES - BURST) / (1e6 * MEGABITS);
                    assertTrue(seconds >= least, "seconds: " + seconds);
                });
    }

    @Test
    void limitIsChangedAndRemoved() throws Exception {
        LimitedLink.run(
                link -> {
                    link.limit(MEGABITS);
                    link.limit(200);
                    assertTrue(queues().contains("rate 200Mbit"), queues());
                    link.limit(0);
                    assertEquals(-1, queues().indexOf("tbf"), queues());
                });
    }

    @Test
    void networkOfTheMachineIsLeftAsItIs() throws Exception {
        String before = queues();
        LimitedLink.run(link -> link.limit(MEGABITS));
        assertEquals(before, queues());
    }

    private static String queues() throws LabException, InterruptedException {
        return Toolbox.output(10, List.of("tc", "qdisc", "show", "dev", "lo"));
    }

    @Test
    void failureOfTheTaskIsThrown() {
        var failure =
                assertThrows(
                        LabException.class,
                        () ->
                                LimitedLink.run(
                                        _ -> {
                                            throw new LabException("as it is");
                                        }));
        assertEquals("as it is", failure.line());
    }
}
