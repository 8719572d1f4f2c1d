package dev.tandem.engine.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.engine.Child;
import dev.tandem.http.h2.FrameWriter;
import dev.tandem.http.h2.Settings;
import dev.tandem.net.Network;
import dev.tandem.testkit.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// The heap that attackers occupy in a server of its own process: at most twice that of an honest
/// load with as many connections and streams.
@Timeout(120)
@EnabledOnOs({OS.LINUX, OS.MAC})
class Http2AttackMemoryTest {
    private static final int CONNECTIONS = 20;
    private static final int STREAMS = 100;

    /// 1 MiB: what else the process allocates meanwhile, such as further workers.
    private static final long SLACK = 1 << 20;

    /// The heap before a load may still have parts of the one before.
    private static final int ATTEMPTS = 3;

    private Child child;

    @BeforeEach
    void start() throws IOException {
        child = new Child(Network.best(), ":", "-Xmx256m", "-XX:+UseSerialGC");
        heapOf(this::honest); // loads classes
    }

    @AfterEach
    void stop() throws IOException {
        child.close();
    }

    private interface Load {
        void begin(Http2Client client) throws IOException;
    }

    private long heapOf(Load load) throws IOException {
        long before = heap();
        var clients = new ArrayList<Http2Client>();
        Settings closed = Settings.CLIENT.withInitialWindowSize(0);
        for (int i = 0; i < CONNECTIONS; i++) {
            var socket = new Socket(child.address().getAddress(), child.address().getPort());
            Http2Client client = Http2Client.to(socket, closed).hello().keepWindows();
            clients.add(client);
            load.begin(client);
            client.roundTrip();
        }
        assertEquals("" + CONNECTIONS, child.ask("connections"));
        long heap = heap() - before;
        for (Http2Client client : clients) {
            client.close();
        }
        Patience.until("all are forgotten", this::isEmpty);
        return heap;
    }

    private long heap() {
        try {
            return Long.parseLong(child.ask("heap"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private boolean isEmpty() {
        try {
            return child.ask("connections").equals("0");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Requests whose responses wait for a window.
    private void honest(Http2Client client) throws IOException {
        int last = 0;
        for (int i = 0; i < STREAMS; i++) {
            last = client.write("GET", "/hello", true, "user-agent", "honest", "x-number", "" + i);
        }
        client.flush();
        int id = last;
        client.until("a head", () -> client.expect(id).status != 0);
    }

    private void expectLittle(Load attack) throws IOException {
        long honest = 0;
        long attacked = Long.MAX_VALUE;
        for (int i = 0; i < ATTEMPTS && attacked > 2 * honest + SLACK; i++) {
            honest = Math.max(honest, heapOf(this::honest));
            attacked = Math.min(attacked, heapOf(attack));
        }
        System.out.println(attacked / 1024 + " KiB under attack, " + honest / 1024 + " else");
        assertTrue(attacked <= 2 * honest + SLACK, attacked + " bytes, honest " + honest);
    }

    /// Each stream lists 2,000 headers of 1,900 bytes, at a byte each on the wire.
    @Test
    void headerBombWithClosedWindowsHoldsLittle() throws IOException {
        var fields = new ArrayList<String>();
        for (int i = 0; i < 2_000; i++) {
            fields.add("x-bomb");
            fields.add("x".repeat(1_900));
        }
        String[] bomb = fields.toArray(String[]::new);
        expectLittle(
                client -> {
                    client.get("/hello", bomb); // adds them to the table
                    client.get("/hello", bomb);
                    for (int i = 2; i < STREAMS; i++) {
                        client.writeAgain();
                        client.flush();
                    }
                });
    }

    /// As many cookie crumbs as a header list may have.
    @Test
    void cookieCrumbsHoldLittle() throws IOException {
        var fields = new ArrayList<String>();
        for (int i = 0; i < 190; i++) {
            fields.add("cookie");
            fields.add("a=0123456789012345678901234");
        }
        String[] crumbs = fields.toArray(String[]::new);
        expectLittle(
                client -> {
                    for (int i = 0; i < STREAMS; i++) {
                        client.get("/hello", crumbs);
                    }
                });
    }

    @Test
    void halfOpenStreamsHoldLittle() throws IOException {
        expectLittle(
                client -> {
                    for (int i = 0; i < STREAMS; i++) {
                        client.write("POST", "/hello", false, "x-number", "" + i);
                    }
                    client.flush();
                });
    }

    /// At most a few times the bytes that wait, and the threads that handle them: with a buffer for
    /// each frame or message it would be thirty to seventy times as much.
    ///
    /// @param bytes that wait for each client
    private void expectFewBytesEach(int bytes, Load attack) throws IOException {
        long most = heapOf(this::honest) + 6L * CONNECTIONS * bytes + SLACK;
        long held = heapOf(attack);
        System.out.println(held / 1024 + " KiB for " + CONNECTIONS + " times " + bytes + " bytes");
        assertTrue(held <= most, held + " bytes, more than " + most);
    }

    @Test
    void bodiesWithAByteInEachFrameHoldLittle() throws IOException {
        int count = 40_000;
        expectFewBytesEach(
                count,
                client -> {
                    int id = client.write("POST", "/upload", false);
                    for (int i = 1; i <= count; i++) {
                        FrameWriter.data(client.out(), id, 1, false);
                        client.out().put((byte) 'a');
                        if (i % 1_000 == 0) {
                            client.flush();
                        }
                    }
                });
    }

    /// Each is echoed in two bytes, which the client's window keeps back.
    @Test
    void emptyMessagesThatAreNotReadHoldLittle() throws IOException {
        int sessions = 4;
        int count = 20_000;
        byte[] empty = {(byte) 0x81, (byte) 0x80, 0, 0, 0, 0};
        ByteBuffer messages = ByteBuffer.allocate(count * empty.length);
        for (int i = 0; i < count; i++) {
            messages.put(empty);
        }
        expectFewBytesEach(
                sessions * 2 * count,
                client -> {
                    for (int i = 0; i < sessions; i++) {
                        int id =
                                client.write(
                                        "CONNECT",
                                        "/live",
                                        false,
                                        ":protocol",
                                        "websocket",
                                        "sec-websocket-version",
                                        "13");
                        client.data(id, messages.array(), false);
                        long most = messages.capacity() * 3L / 4;
                        client.until("most are handled", () -> client.expect(id).window >= most);
                    }
                });
    }

    /// Header blocks that do not end: twice the limit of 64 KiB for each, since arrays double.
    @Test
    void incompleteHeaderBlocksHoldLittle() throws IOException {
        var sockets = new ArrayList<Socket>();
        long before = heap();
        for (int i = 0; i < CONNECTIONS; i++) {
            var socket = new Socket(child.address().getAddress(), child.address().getPort());
            sockets.add(socket);
            Http2Client client = Http2Client.to(socket, Settings.CLIENT).hello().roundTrip();
            client.out().putInt(16_384 << 8 | 1).put((byte) 0).putInt(1).put(new byte[16_384]);
            for (int j = 0; j < 2; j++) {
                client.out().putInt(16_384 << 8 | 9).put((byte) 0).putInt(1);
                client.out().put(new byte[16_384]);
            }
            client.flush();
        }
        Patience.until("they are held", () -> heap() - before >= CONNECTIONS * 32_768);
        long most = CONNECTIONS * 131_072 + SLACK;
        Patience.until("they hold no more than " + most, () -> heap() - before <= most);
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}
