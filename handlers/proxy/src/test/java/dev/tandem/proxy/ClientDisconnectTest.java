package dev.tandem.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.http.Exchange;
import dev.tandem.http.ExchangeWrapper;
import dev.tandem.testkit.DeafPort;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.server.Web;
import dev.tandem.upstream.Upstream;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Clients that disconnect before their responses.
@Timeout(60)
class ClientDisconnectTest {
    private static final String HELLO = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

    private final AtomicInteger disconnectChecks = new AtomicInteger();
    private final CountDownLatch asked = new CountDownLatch(1);
    private final CountDownLatch left = new CountDownLatch(1);
    private final CountDownLatch isEnded = new CountDownLatch(1);

    private ScriptedServer silent(String before) throws IOException {
        return new ScriptedServer(
                talk -> {
                    if (talk.readHead() != null) {
                        talk.say(before);
                        asked.countDown();
                        talk.awaitEnd();
                        left.countDown();
                    }
                });
    }

    private void isGivenUp(String before) throws Exception {
        try (var upstream = silent(before);
                var proxy = Proxy.to(List.of(upstream.address()));
                var web = new Web(site -> site.route("*", "/{path...}", proxy))) {
            Socket client = web.connect();
            Web.send(client, "GET", "/");
            asked.await();
            client.setSoLinger(true, 0);
            client.close();
            assertTrue(left.await(20, TimeUnit.SECONDS), "the upstream is let go of");
            assertTrue(proxy.upstreams().members().stream().allMatch(Upstream::isUp));
        }
    }

    @Test
    void responseIsNotAwaitedForADisconnectedClient() throws Exception {
        isGivenUp("");
    }

    @Test
    void restOfAResponseIsNotAwaitedForADisconnectedClient() throws Exception {
        isGivenUp("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
    }

    /// Takes longer than two checks. It begins after the client's end of input: an end that comes
    /// between two checks means that the client has disconnected.
    @Test
    void halfClosedClientGetsItsResponse() throws Exception {
        try (var upstream =
                        new ScriptedServer(
                                talk -> {
                                    if (talk.readHead() != null) {
                                        pause();
                                        talk.say(HELLO);
                                    }
                                });
                var proxy = Proxy.to(List.of(upstream.address()));
                var web = new Web(site -> site.get("/", x -> afterTheEnd(x, proxy)));
                Socket client = web.connect()) {
            Web.send(client, "GET", "/");
            client.shutdownOutput();
            isEnded.countDown();
            assertEquals("hello", Web.read(client.getInputStream()).text());
        }
    }

    /// Like a machine whose backlog is full: the TCP handshake is never completed.
    @Test
    void disconnectDuringTheConnectIsDetected() throws Exception {
        try (var upstream = new DeafPort();
                var proxy = Proxy.to(List.of(upstream.address()), patient());
                var web = new Web(site -> site.get("/", x -> proxy.handle(observed(x))))) {
            Socket client = web.connect();
            Web.send(client, "GET", "/");
            Patience.until("it is looked at", () -> disconnectChecks.get() > 0);
            client.close();
            Patience.until("it is given up", () -> proxy.requestCount() == 0);
            assertTrue(proxy.upstreams().members().stream().allMatch(Upstream::isUp));
        }
    }

    /// The upstream stops reading the body, and so does the proxy.
    @Test
    void resetDuringABlockedBodyIsDetected() throws Exception {
        try (var upstream =
                        new ScriptedServer(
                                talk -> {
                                    talk.readHead();
                                    asked.countDown();
                                    awaitQuietly(left);
                                });
                var proxy = Proxy.to(List.of(upstream.address()), patient());
                var web = new Web(site -> site.route("*", "/", x -> proxy.handle(observed(x))))) {
            Socket client = web.connect();
            Web.send(client, "POST", "/", "Content-Length: 16000000");
            var buffer = new byte[1 << 16];
            Thread sender = Thread.ofPlatform().start(() -> sendWithoutEnd(client, buffer));
            asked.await();
            Patience.until("it is looked at", () -> disconnectChecks.get() > 0);
            client.setSoLinger(true, 0);
            client.close();
            Patience.until("it is given up", () -> proxy.requestCount() == 0);
            sender.join();
        } finally {
            left.countDown();
        }
    }

    private static void sendWithoutEnd(Socket client, byte[] buffer) {
        try {
            for (int i = 0; i < 244; i++) {
                client.getOutputStream().write(buffer);
            }
        } catch (IOException _) {
            // It was closed.
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static ProxyOptions patient() {
        Duration most = Duration.ofMinutes(5);
        return ProxyOptions.DEFAULT.withUpstream(
                ProxyOptions.DEFAULT
                        .upstream()
                        .withConnectTimeout(most)
                        .withResponseTimeout(most)
                        .withInactivityTimeout(most));
    }

    private Exchange observed(Exchange x) {
        return new ExchangeWrapper(x) {
            @Override
            public boolean isClientDisconnected() {
                boolean isGone = super.isClientDisconnected();
                disconnectChecks.incrementAndGet();
                return isGone;
            }
        };
    }

    private void afterTheEnd(Exchange x, Proxy proxy) throws Exception {
        isEnded.await();
        proxy.handle(x);
    }

    private static void pause() {
        try {
            Thread.sleep(800);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
