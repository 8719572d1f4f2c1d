package dev.tandem.engine.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tandem.engine.Child;
import dev.tandem.engine.Descriptors;
import dev.tandem.http.h2.Settings;
import dev.tandem.net.Network;
import dev.tandem.testkit.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// The memory of idle HTTP/2 connections, in a process of its own. Their requests run in place: the
/// number of workers, each with its buffers, would differ between runs.
@EnabledOnOs({OS.LINUX, OS.MAC})
class IdleHttp2Test {
    private static final int MANY = 1000;

    /// In bytes, beyond the TLS state, which these connections do not have. A quarter more than the
    /// goal of 2 KiB: what else the process holds differs by some hundred bytes a connection.
    private static final long HEAP_EACH_MAX = 2560;

    private static List<Socket> idleClients(Child child, int count) throws IOException {
        var sockets = new ArrayList<Socket>();
        for (int i = 0; i < count; i++) {
            var socket = new Socket(child.address().getAddress(), child.address().getPort());
            sockets.add(socket);
            Http2Client client = Http2Client.to(socket, Settings.CLIENT).hello();
            assertEquals("now", client.fetch("/now").text());
            assertEquals("now", client.fetch("/now").text());
            client.roundTrip();
        }
        return sockets;
    }

    private static void close(List<Socket> sockets) throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private static boolean isEmpty(Child child) {
        try {
            return child.ask("connections").equals("0");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void idleConnectionHoldsLittleHeap(Network network) throws IOException {
        assumeTrue(Descriptors.connectionsMax() > MANY + 500, "skipped: needs more descriptors");
        try (Child child = new Child(network, ":", "-Xmx128m", "-XX:+UseSerialGC")) {
            close(idleClients(child, 200));
            Patience.until("all are forgotten", () -> isEmpty(child));
            long before = Long.parseLong(child.ask("heap"));
            List<Socket> sockets = idleClients(child, MANY);
            assertEquals("" + MANY, child.ask("connections"));
            long each = (Long.parseLong(child.ask("heap")) - before) / MANY;
            System.out.println(network.name() + ": " + each + " bytes of heap an idle connection");
            assertTrue(each <= HEAP_EACH_MAX, each + " bytes");
            close(sockets);
        }
    }
}
