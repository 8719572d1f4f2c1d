package dev.tandem.engine.http2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tandem.engine.Child;
import dev.tandem.engine.Descriptors;
import dev.tandem.http.h2.Settings;
import dev.tandem.net.Network;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// What silent subscribers of events, and silent WebSocket sessions over HTTP/2, cost, in a process
/// of its own: memory and threads.
@EnabledOnOs({OS.LINUX, OS.MAC})
@Timeout(120)
class SilentSubscribersTest {
    private static final int CONNECTIONS = 1_000;
    private static final int STREAMS = 100;
    private static final int CONNECTIONS_OF_STREAMS = 10;

    /// In bytes, each with its connection over HTTP/1.1.
    private static final long HEAP_HTTP1_MAX = 2_048;

    /// The process sometimes allocates other things meanwhile, once.
    private static final int ATTEMPTS = 3;

    /// In bytes, each stream of HTTP/2.
    private static final long HEAP_HTTP2_MAX = 2_048;

    /// In bytes, each WebSocket session on a stream, without its connection.
    private static final long HEAP_SESSION_MAX = 2_048;

    private static final String[] SESSION = {
        ":protocol", "websocket", "sec-websocket-version", "13"
    };
    private static final byte[] HI = {(byte) 0x81, (byte) 0x82, 0, 0, 0, 0, 'H', 'i'};

    private final List<AutoCloseable> clients = new ArrayList<>();

    private static long number(Child child, String question) {
        try {
            return Long.parseLong(child.ask(question));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<RawClient> subscribeOverHttp1(Child child, int count) throws IOException {
        var subscribed = new ArrayList<RawClient>();
        for (int i = 0; i < count; i++) {
            RawClient client = child.client();
            clients.add(client);
            subscribed.add(client);
            client.send("GET /events HTTP/1.1\nHost: a\n\n");
            untilText(client, "retry: ");
        }
        return subscribed;
    }

    private static void untilText(RawClient client, String wanted) throws IOException {
        var text = new StringBuilder();
        while (text.indexOf(wanted) < 0) {
            byte[] bytes = client.bytes(4096);
            assertTrue(bytes.length > 0, "the end, after " + text);
            text.append(new String(bytes, StandardCharsets.UTF_8));
        }
    }

    private List<Http2Client> subscribeOverHttp2(Child child, int connections) throws IOException {
        var subscribed = new ArrayList<Http2Client>();
        for (int i = 0; i < connections; i++) {
            var socket = new Socket(child.address().getAddress(), child.address().getPort());
            Http2Client client = Http2Client.to(socket, Settings.CLIENT).hello();
            clients.add(client);
            subscribed.add(client);
            for (int s = 0; s < STREAMS; s++) {
                int id = client.get("/events");
                client.until("retry", () -> client.expect(id).text().contains("retry: "));
            }
        }
        return subscribed;
    }

    private void disconnectAll(Child child) throws Exception {
        for (AutoCloseable client : clients) {
            client.close();
        }
        clients.clear();
        Patience.until("all are forgotten", () -> number(child, "subscribers") == 0);
        Patience.until("all are closed", () -> number(child, "connections") == 0);
    }

    @FunctionalInterface
    private interface Load {
        void begin() throws Exception;
    }

    /// Returns the heap that each of `count` clients takes, in bytes: the least of some attempts.
    private long heapEach(Child child, int count, long most, Load load) throws Exception {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < ATTEMPTS && least >= most; i++) {
            disconnectAll(child);
            long before = number(child, "heap");
            load.begin();
            least = Math.min(least, (number(child, "heap") - before) / count);
        }
        return least;
    }

    @Test
    void silentSubscribersHoldLittleHeapAndNoThread() throws Exception {
        assumeTrue(Descriptors.connectionsMax() > CONNECTIONS + 500, "skipped: descriptors");
        try (Child child = new Child(Network.best(), ":", "-Xmx128m", "-XX:+UseSerialGC")) {
            subscribeOverHttp1(child, 100);
            subscribeOverHttp2(child, 1);
            child.ask("publish");
            disconnectAll(child);

            long threads = number(child, "threads");
            var http1 = new ArrayList<RawClient>();
            long each1 =
                    heapEach(
                            child,
                            CONNECTIONS,
                            HEAP_HTTP1_MAX,
                            () -> {
                                http1.clear();
                                http1.addAll(subscribeOverHttp1(child, CONNECTIONS));
                            });
            assertTrue(number(child, "threads") <= threads + 4, "threads");
            child.ask("publish");
            for (RawClient client : http1) {
                untilText(client, "data: news\n\n");
            }

            var http2 = new ArrayList<Http2Client>();
            int streams = CONNECTIONS_OF_STREAMS * STREAMS;
            long each2 =
                    heapEach(
                            child,
                            streams,
                            HEAP_HTTP2_MAX,
                            () -> {
                                http2.clear();
                                http2.addAll(subscribeOverHttp2(child, CONNECTIONS_OF_STREAMS));
                                assertEquals(streams, number(child, "subscribers"));
                            });
            assertTrue(number(child, "threads") <= threads + 4, "threads");
            child.ask("publish");
            for (Http2Client client : http2) {
                int last = 2 * STREAMS - 1;
                client.until("news", () -> client.expect(last).text().contains("data: news\n\n"));
            }
            disconnectAll(child);
            String shown = each1 + " bytes a connection, " + each2 + " a stream of HTTP/2";
            assertTrue(each1 < HEAP_HTTP1_MAX && each2 < HEAP_HTTP2_MAX, shown);
            System.out.println("silent subscribers: " + shown + ", " + threads + " threads");
        }
    }

    private void beginSessions(Child child, int connections) throws IOException {
        for (int i = 0; i < connections; i++) {
            var socket = new Socket(child.address().getAddress(), child.address().getPort());
            Http2Client client = Http2Client.to(socket, Settings.CLIENT).hello().roundTrip();
            clients.add(client);
            for (int s = 0; s < STREAMS; s++) {
                int id = client.write("CONNECT", "/live", false, SESSION);
                client.data(id, HI, false);
                client.until("an echo", () -> client.expect(id).content.size() == 4);
            }
        }
    }

    @Test
    void silentSessionsOnStreamsHoldLittleHeapAndNoThread() throws Exception {
        try (Child child = new Child(Network.best(), ":", "-Xmx128m", "-XX:+UseSerialGC")) {
            beginSessions(child, 2);
            disconnectAll(child);
            long threads = number(child, "threads");
            long each =
                    heapEach(
                            child,
                            CONNECTIONS_OF_STREAMS * STREAMS,
                            HEAP_SESSION_MAX,
                            () -> beginSessions(child, CONNECTIONS_OF_STREAMS));
            assertTrue(number(child, "threads") <= threads + 4, "threads");
            System.out.println("silent sessions: " + each + " bytes a stream of HTTP/2");
            assertTrue(each < HEAP_SESSION_MAX, each + " bytes");
        }
    }
}
