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

    /// In bytes, beyond the TLS state, which these connections do not have.
    private static final long HEAP_EACH_MAX = 2048;

    /// What the JDK has for each channel over java.nio: the channel, its key, locks, a cleaner, in
    /// bytes, rounded up.
    private static final long CHANNEL_EACH_MAX = 1024;

    /// The process allocates other things meanwhile: a worker or a standby thread of the loop with
    /// its buffers, where a busy machine holds up a request.
    private static final int ATTEMPTS = 20;

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

    private static long heapEach(Child child) throws IOException {
        long before = Long.parseLong(child.ask("heap"));
        List<Socket> sockets = idleClients(child, MANY);
        assertEquals("" + MANY, child.ask("connections"));
        long each = (Long.parseLong(child.ask("heap")) - before) / MANY;
        close(sockets);
        return each;
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void idleConnectionHoldsLittleHeap(Network network) throws IOException {
        assumeTrue(Descriptors.connectionsMax() > MANY + 500, "skipped: needs more descriptors");
        try (Child child = new Child(network, ":", "-Xmx128m", "-XX:+UseSerialGC")) {
            close(idleClients(child, MANY));
            long least = Long.MAX_VALUE;
            long most = HEAP_EACH_MAX + (network.name().equals("nio") ? CHANNEL_EACH_MAX : 0);
            for (int i = 0; i < ATTEMPTS && least > most; i++) {
                Patience.until("all are forgotten", () -> isEmpty(child));
                least = Math.min(least, heapEach(child));
            }
            System.out.println(network.name() + ": " + least + " bytes of heap an idle connection");
            assertTrue(least <= most, least + " bytes");
        }
    }
}
