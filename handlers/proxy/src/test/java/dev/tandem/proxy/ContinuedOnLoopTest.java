package dev.tandem.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.Tandem;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.server.Web;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is new where an exchange waits on the loop: no thread, and data in any portions.
@Timeout(60)
class ContinuedOnLoopTest {
    private static final String FIXED =
            "HTTP/1.1 200 OK\r\nX-Token: t\r\nContent-Length: 11\r\n\r\nhello world";
    private static final String CHUNKED =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                    + "5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n";

    private static UnaryOperator<Tandem> site(Proxy proxy) {
        return site -> site.route("*", "/{path...}", proxy);
    }

    /// One connection serves all splits, so that none of them leaves anything behind.
    @ParameterizedTest
    @ValueSource(strings = {FIXED, CHUNKED})
    void responseInTwoPortionsIsForwarded(String response) throws IOException {
        var split = new AtomicInteger();
        try (var upstream =
                        new ScriptedServer(
                                talk -> {
                                    talk.socket().setTcpNoDelay(true);
                                    while (talk.readHead() != null) {
                                        int at = split.get();
                                        talk.say(response.substring(0, at));
                                        talk.say(response.substring(at));
                                    }
                                });
                var proxy = Proxy.to(List.of(upstream.address()));
                var web = new Web(site(proxy))) {
            for (int at = 1; at < response.length(); at++) {
                split.set(at);
                try (RawClient client = RawClient.connect(web.serverAddress())) {
                    client.send("GET / HTTP/1.1\nHost: a\n\n");
                    assertEquals("hello world", client.response().text(), "split at " + at);
                }
                Patience.until("it is returned", () -> proxy.requestCount() == 0);
            }
            assertEquals(1, upstream.connections());
        }
    }

    /// The client never takes a part of a response for the whole.
    @ParameterizedTest
    @ValueSource(strings = {FIXED, CHUNKED})
    void upstreamThatDiesAtAnyByteLeavesNoCompleteResponse(String response) throws IOException {
        var length = new AtomicInteger();
        int head = response.indexOf("\r\n\r\n") + 4;
        try (var upstream =
                        new ScriptedServer(
                                talk -> {
                                    talk.readHead();
                                    talk.say(response.substring(0, length.get()));
                                });
                var proxy =
                        Proxy.to(
                                List.of(upstream.address()),
                                ProxyOptions.DEFAULT
                                        .withAttemptsMax(1)
                                        .withUpstream(
                                                ProxyOptions.DEFAULT
                                                        .upstream()
                                                        .withFailuresMax(60_000)));
                var web = new Web(site(proxy))) {
            for (int at = 0; at < response.length(); at++) {
                length.set(at);
                if (at < head) {
                    assertEquals(502, web.get("/").status(), "after " + at);
                } else {
                    assertIncomplete(web, at);
                }
                Patience.until("it is returned", () -> proxy.requestCount() == 0);
            }
        }
    }

    private static void assertIncomplete(Web web, int at) throws IOException {
        try (Socket socket = web.connect()) {
            Web.send(socket, "GET", "/");
            String all =
                    new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
            boolean isError = all.startsWith("HTTP/1.1 502");
            boolean isFixed = all.contains("Content-Length: 11") && all.endsWith("hello world");
            boolean isChunked = all.contains("chunked") && all.endsWith("0\r\n\r\n");
            boolean isOther = all.contains("Content-Length: ") && !all.contains("Length: 11");
            assertTrue(isError || !isFixed && !isChunked && !isOther, "after " + at + ": " + all);
        }
    }

    /// More exchanges than the server may have workers wait at the same time.
    @Test
    void waitingExchangesHoldNoThread() throws Exception {
        int count = 100;
        var arrived = new CountDownLatch(count);
        var held = new CountDownLatch(1);
        try (var upstream =
                        new ScriptedServer(
                                talk -> {
                                    talk.readHead();
                                    arrived.countDown();
                                    await(held);
                                    talk.say(FIXED);
                                });
                var proxy = Proxy.to(List.of(upstream.address()));
                var web = new Web(site -> site(proxy).apply(site).options(twoWorkers()))) {
            var clients = new ArrayList<Socket>();
            for (int i = 0; i < count; i++) {
                Socket client = web.connect();
                Web.send(client, "GET", "/");
                clients.add(client);
            }
            arrived.await();
            assertEquals(count, proxy.requestCount());
            held.countDown();
            for (Socket client : clients) {
                assertEquals("hello world", Web.read(client.getInputStream()).text());
                client.close();
            }
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private static Options twoWorkers() {
        return Options.DEFAULT.withThreads(Options.DEFAULT.threads().withWorkersMax(2));
    }

    /// Of a response that its client does not read, the proxy keeps little: the upstream has to
    /// wait. When the client reads, it gets all of it.
    @Test
    void slowClientMakesTheUpstreamWait() throws Exception {
        long size = 200_000_000;
        var sent = new AtomicLong();
        try (var upstream =
                        new ScriptedServer(
                                talk -> {
                                    talk.readHead();
                                    talk.say(
                                            "HTTP/1.1 200 OK\r\nContent-Length: "
                                                    + size
                                                    + "\r\n\r\n");
                                    var part = new byte[100_000];
                                    for (long at = 0; at < size; at += part.length) {
                                        talk.socket().getOutputStream().write(part);
                                        sent.addAndGet(part.length);
                                    }
                                });
                var proxy = Proxy.to(List.of(upstream.address()));
                var web = new Web(site(proxy));
                Socket client = web.connect()) {
            Web.send(client, "GET", "/");
            var before = new AtomicLong(-1);
            Patience.until(
                    "the upstream waits",
                    () -> {
                        long now = sent.get();
                        return now > 0 && before.getAndSet(now) == now && isSteady(sent, now);
                    });
            assertTrue(sent.get() < 50_000_000, sent + " bytes are on their way");
            InputStream in = client.getInputStream();
            while (in.read() != '\n' || in.read() != '\r') {
                // The head.
            }
            in.read();
            long count = 0;
            var buffer = new byte[100_000];
            while (count < size) {
                int read = in.read(buffer);
                assertTrue(read > 0, "the response ends after " + count);
                count += read;
            }
            assertEquals(size, count);
        }
    }

    private static boolean isSteady(AtomicLong sent, long value) {
        for (int i = 0; i < 20; i++) {
            Thread.yield();
        }
        return sent.get() == value;
    }

    /// A name is resolved by a thread of its own, and a name that does not exist is a failure like
    /// any other.
    @Test
    void namesAreResolved() throws IOException {
        try (var upstream = ScriptedServer.responding(FIXED);
                var proxy =
                        Proxy.to(List.of(upstream.address().replace("127.0.0.1", "localhost")));
                var web = new Web(site(proxy))) {
            assertEquals("hello world", web.get("/").text());
        }
        try (var proxy = Proxy.to(List.of("name.invalid:80"));
                var web = new Web(site(proxy))) {
            assertEquals(502, web.get("/").status());
        }
    }

    /// The exchange is over when its server stops, and its client sees the end.
    @Test
    void stopEndsAnExchangeThatWaits() throws Exception {
        var asked = new CountDownLatch(1);
        try (var upstream =
                        new ScriptedServer(
                                talk -> {
                                    talk.readHead();
                                    asked.countDown();
                                    talk.awaitEnd();
                                });
                var proxy = Proxy.to(List.of(upstream.address()))) {
            Web web = new Web(site(proxy));
            Socket client = web.connect();
            Web.send(client, "GET", "/");
            asked.await();
            web.close();
            assertThrows(
                    IOException.class,
                    () -> {
                        if (client.getInputStream().read() < 0) {
                            throw new IOException("the end");
                        }
                    });
            client.close();
            Patience.until("it is given up", () -> proxy.requestCount() == 0);
        }
    }
}
