package dev.tandem.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.net.AddressRange;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The agent's port, by sockets, as HAProxy and its enemies use it.
class AgentTest {
    private static final FleetOptions OPTIONS =
            FleetOptions.DEFAULT.withAgent(new InetSocketAddress("127.0.0.1", 0));

    private final List<Socket> sockets = new ArrayList<>();
    private Fleet fleet = open(OPTIONS);

    @AfterEach
    void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        fleet.close();
    }

    private static Fleet open(FleetOptions options) {
        try {
            return Fleet.open(options);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void instanceThatStartsIsDown() throws IOException {
        assertEquals("down\n", ask(""));
        assertEquals("down\n", ask("shop\n"));
    }

    @Test
    void checkThatSendsNothingGetsItsReplyAfterAMoment() throws IOException {
        Socket silent = connect();
        assertEquals("down\n", text(silent));
    }

    @Test
    void checkThatEndsItsInputGetsItsReply() throws IOException {
        Socket half = connect();
        half.shutdownOutput();
        assertEquals("down\n", text(half));
    }

    @Test
    void longOrBinaryNameIsCut() throws IOException {
        assertEquals("down\n", ask("x".repeat(1_000)));
        assertEquals("down\n", ask("\u0000\u001b[31m\r\n"));
    }

    @Test
    void connectionsThatAreHeldOpenDelayNoCheck() throws IOException {
        for (int i = 0; i < 2 * Agent.CONNECTIONS_MAX; i++) {
            connect();
        }
        for (int i = 0; i < 20; i++) {
            assertEquals("down\n", ask("shop\n"));
        }
    }

    @Test
    void heldConnectionIsClosedAfterItsDeadline() throws IOException {
        Socket held = connect();
        assertEquals("down\n", text(held));
        long begin = System.nanoTime();
        held.setSoTimeout(10_000);
        assertThrows(
                IOException.class,
                () -> {
                    while (System.nanoTime() - begin < 10_000_000_000L) {
                        held.getOutputStream().write('x');
                        Thread.onSpinWait();
                    }
                });
    }

    @Test
    void floodOfConnectionsAndBytesIsSurvived() throws Exception {
        var flood =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    for (int i = 0; i < 500; i++) {
                                        try (var socket = new Socket()) {
                                            socket.setSoLinger(true, 0); // reset
                                            socket.connect(fleet.agentAddress());
                                            socket.getOutputStream().write(new byte[4_096]);
                                        } catch (IOException e) {
                                            // It was closed for a newer one.
                                        }
                                    }
                                });
        int replied = 0;
        for (int i = 0; i < 50; i++) {
            try {
                replied += ask("shop\n").equals("down\n") ? 1 : 0;
            } catch (IOException e) {
                // A check may lose its place to the flood; HAProxy repeats it.
            }
        }
        flood.join();
        assertTrue(replied > 25, "replied to " + replied + " of 50 during the flood");
        assertEquals("down\n", ask("shop\n"));
    }

    @Test
    void otherPeersGetNoReply() throws IOException {
        fleet.close();
        fleet = open(OPTIONS.withPeers(List.of(AddressRange.parse("10.0.0.0/8"))));
        String reply;
        try {
            reply = ask("shop\n");
        } catch (IOException e) {
            reply = ""; // reset
        }
        assertEquals("", reply);
    }

    @Test
    void addressInUseIsNamed() throws IOException {
        var taken = OPTIONS.withAgent(fleet.agentAddress());
        var e = assertThrows(IOException.class, () -> Fleet.open(taken));
        assertTrue(String.valueOf(e.getMessage()).contains("127.0.0.1:"), e.getMessage());
        var unknown =
                OPTIONS.withAgent(InetSocketAddress.createUnresolved("no.such.host.invalid", 1));
        e = assertThrows(IOException.class, () -> Fleet.open(unknown));
        assertTrue(String.valueOf(e.getMessage()).contains("no.such.host"), e.getMessage());
    }

    private Socket connect() throws IOException {
        var socket = new Socket();
        sockets.add(socket);
        InetSocketAddress address = fleet.agentAddress();
        socket.connect(address, 10_000);
        socket.setSoTimeout(10_000);
        return socket;
    }

    private String ask(String name) throws IOException {
        try (Socket socket = connect()) {
            if (!name.isEmpty()) {
                socket.getOutputStream().write(name.getBytes(StandardCharsets.ISO_8859_1));
            }
            return text(socket);
        }
    }

    private static String text(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
}
