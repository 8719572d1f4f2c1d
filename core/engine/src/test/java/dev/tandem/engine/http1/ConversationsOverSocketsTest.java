package dev.tandem.engine.http1;

import static dev.tandem.engine.http1.WireCases.get;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.engine.Networks;
import dev.tandem.engine.Served;
import dev.tandem.http.Handler;
import dev.tandem.net.Network;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import dev.tandem.testkit.WireText;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Short conversations over real sockets: the kernel behaves differently from memory.
class ConversationsOverSocketsTest {

    /// Otherwise all tests here could pass without having used epoll.
    @Test
    @EnabledOnOs(
            value = OS.LINUX,
            architectures = {"amd64", "aarch64"})
    void epollIsAmongTheNetworksTested() {
        assertEquals(
                List.of("nio", "epoll"), Networks.plain().stream().map(Named::getName).toList());
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void connectionIsKept(Network network) throws IOException {
        try (Served served = Served.on(network)) {
            RawClient client = served.client();
            for (int i = 0; i < 50; i++) {
                assertEquals("Hello, World!", client.send(get("/hello")).response().text());
                assertEquals("now", client.send(get("/now")).response().text());
            }
            assertEquals(1, served.server().connectionCount());
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void requestMayComeByteByByte(Network network) throws IOException {
        try (Served served = Served.on(network)) {
            RawClient client = served.client();
            client.sendBytewise(WireText.bytes(get("/hello") + get("/now")));
            assertEquals("Hello, World!", client.response().text());
            assertEquals("now", client.response().text());
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void pipelinedResponsesAreInOrder(Network network) throws IOException {
        try (Served served =
                Served.on(
                        network,
                        Options.DEFAULT.withThreads(t -> t.withWorkersMax(1)),
                        t -> t.get("/n/{n}", x -> x.send(x.pathParam("n"))))) {
            RawClient client = served.client();
            var requests = new StringBuilder();
            for (int i = 0; i < 200; i++) {
                requests.append(get(i % 3 == 0 ? "/now" : "/n/" + i));
            }
            client.send(requests.toString());
            for (int i = 0; i < 200; i++) {
                assertEquals(i % 3 == 0 ? "now" : "" + i, client.response().text());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void oneWorkerServesConcurrentClientsOneAfterTheOther(Network network) throws IOException {
        var running = new AtomicInteger();
        var most = new AtomicInteger();
        Handler alone =
                x -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    LockSupport.parkNanos(100_000); // long enough to be met by another
                    running.decrementAndGet();
                    x.send("alone");
                };
        Options one = Options.DEFAULT.withThreads(t -> t.withWorkersMax(1).withInPlace(false));
        try (Served site = Served.on(network, one, t -> t.get("/alone", alone))) {
            List<RawClient> clients = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                clients.add(site.client());
            }
            int served = 0;
            for (int round = 0; round < 10; round++) {
                for (RawClient client : clients) {
                    client.send(get("/alone"));
                }
                for (RawClient client : clients) {
                    RawResponse response = client.response();
                    boolean isServed = response.status() == 200;
                    // Only where the worker has not had a processor for a while.
                    assertTrue(isServed || response.status() == 503);
                    served += isServed ? 1 : 0;
                }
            }
            assertTrue(served >= 100, served + " served");
            assertEquals(1, most.get(), "at once"); // though more threads may be on their way
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#plain")
    void halfClosedClientGetsItsResponses(Network network) throws IOException {
        try (Served served = Served.on(network)) {
            RawClient client = served.client();
            client.send(get("/hello") + get("/now") + get("/hello")).halfClose();
            assertEquals("Hello, World!", client.response().text());
            assertEquals("now", client.response().text());
            assertEquals("Hello, World!", client.response().text());
            assertTrue(client.isClosedByServer());
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void lastResponseIsNotLostToAClientThatStillSends(Network network) throws IOException {
        try (Served served =
                Served.on(network, Options.DEFAULT, t -> t.post("/no", x -> x.send("no")))) {
            for (int i = 0; i < 20; i++) {
                RawClient client = served.client();
                client.send("POST /no HTTP/1.1\nHost: a\nContent-Length: 1000000\n\n");
                client.send(new byte[100_000]);
                RawResponse response = client.response();
                assertEquals("no", response.text());
                assertTrue(response.saysClose());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void largeResponseFromTheLoopIsComplete(Network network) throws IOException {
        var large = new byte[3_000_000];
        for (int i = 0; i < large.length; i++) {
            large[i] = (byte) (i * 31 >> 3);
        }
        try (Served served =
                Served.on(
                        network,
                        Options.DEFAULT,
                        t -> t.get("/large", Handler.nonBlocking(x -> x.send(large))))) {
            RawClient client = served.client(4096);
            client.send(get("/large") + get("/now") + get("/large"));
            assertArrayEquals(large, client.response().body());
            assertEquals("now", client.response().text());
            assertArrayEquals(large, client.response().body());
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void streamOfManyPiecesIsComplete(Network network) throws IOException {
        try (Served served =
                Served.on(
                        network,
                        Options.DEFAULT,
                        t ->
                                t.get(
                                        "/pieces",
                                        x -> {
                                            OutputStream out = x.outputStream();
                                            for (int i = 0; i < 100_000; i++) {
                                                out.write((i + "\n").getBytes());
                                            }
                                        }))) {
            var expected = new StringBuilder();
            for (int i = 0; i < 100_000; i++) {
                expected.append(i).append('\n');
            }
            RawClient client = served.client(4096);
            RawResponse response = client.send(get("/pieces")).response();
            assertEquals("chunked", response.field("Transfer-Encoding"));
            assertEquals(expected.toString(), response.text());
            assertEquals("now", client.send(get("/now")).response().text());
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void throwingHandlerGives500WithAnIdThatIsOnceInTheLog(Network network) throws IOException {
        try (var log = LogCapture.of("dev.tandem.engine");
                Served served =
                        Served.on(
                                network,
                                Options.DEFAULT,
                                t ->
                                        t.get(
                                                "/throws",
                                                _ -> {
                                                    throw new IllegalStateException("on purpose");
                                                }))) {
            RawClient client = served.client();
            RawResponse response = client.send(get("/throws")).response();
            assertEquals(500, response.status());
            assertFalse(response.text().contains("on purpose"));
            String id = response.text().lines().toList().getLast();
            assertEquals(1, log.messages(line -> line.contains(id)).size());
            assertEquals(200, client.send(get("/hello")).response().status());
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void responseToHeadHasNoContent(Network network) throws IOException {
        try (Served served = Served.on(network)) {
            RawClient client = served.client();
            RawResponse head = client.send("HEAD /hello HTTP/1.1\nHost: a\n\n").responseToHead();
            assertEquals("13", head.field("Content-Length"));
            assertEquals("now", client.send(get("/now")).response().text());
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void bothEndsKnowEachOther(Network network) throws IOException {
        try (Served served =
                Served.on(
                        network,
                        Options.DEFAULT,
                        t ->
                                t.get(
                                        "/ends",
                                        x ->
                                                x.send(
                                                        x.request().remoteAddress()
                                                                + " "
                                                                + x.request().localAddress())))) {
            RawClient client = served.client();
            String expected =
                    "/127.0.0.1:" + client.localPort() + " /127.0.0.1:" + served.server().port();
            assertEquals(expected, client.send(get("/ends")).response().text());
        }
    }
}
