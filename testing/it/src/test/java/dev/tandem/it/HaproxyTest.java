package dev.tandem.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.fleet.Fleet;
import dev.tandem.fleet.FleetOptions;
import dev.tandem.testkit.FreePort;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Three instances behind the real HAProxy, which reads their agents ten times a second.
@Timeout(120)
class HaproxyTest {
    private static final int INSTANCES = 3;
    private static final int CLIENTS = 6;
    private static final String GET = "GET /%s HTTP/1.1\nHost: shop\n\n";

    private static final String CONFIGURATION =
            """
            defaults
                mode http
                timeout connect 2s
                timeout client 30s
                timeout server 30s
                timeout queue 5s
                retries 3
                option redispatch 1
                retry-on conn-failure empty-response
            frontend in
                bind 127.0.0.1:%d
                default_backend shop
            backend shop
                balance roundrobin
                cookie AT insert indirect nocache
                default-server check inter 100ms fall 1 rise 1 weight 100
                default-server agent-check agent-inter 100ms
            """;

    private final Path folder;
    private final List<Instance> instances = new ArrayList<>();
    private final Queue<String> failures = new ConcurrentLinkedQueue<>();
    private final AtomicLong responses = new AtomicLong();
    private volatile boolean isEnding;
    private final List<Process> processes = new ArrayList<>();

    HaproxyTest(@TempDir Path folder) {
        this.folder = folder;
    }

    /// One instance, started again at the same addresses.
    private static final class Instance {
        final int number;
        final int port;
        final int agentPort;
        Fleet fleet;
        Server server;

        Instance(int number) throws IOException {
            this.number = number;
            port = FreePort.find();
            agentPort = FreePort.find();
            fleet = open();
            server = start();
        }

        private Fleet open() throws IOException {
            return Fleet.open(
                    FleetOptions.DEFAULT
                            .withAgent(new InetSocketAddress("127.0.0.1", agentPort))
                            .withNotice(Duration.ofSeconds(1))
                            .withEnding(Duration.ofSeconds(2)));
        }

        private Server start() throws IOException {
            Server started =
                    fleet.addTo(Tandem.listen("127.0.0.1", port))
                            .get("/{name...}", x -> x.send("instance " + number))
                            .start();
            fleet.join(started);
            return started;
        }

        void restart() throws IOException {
            assertTrue(fleet.drain(Duration.ofSeconds(10)), "its requests finished");
            fleet.close();
            fleet = open();
            server = start();
        }

        void close() {
            server.stop(Duration.ZERO);
            fleet.close();
        }
    }

    @AfterEach
    void close() {
        isEnding = true;
        processes.forEach(Process::destroyForcibly);
        instances.forEach(Instance::close);
    }

    @Test
    void rollingRestartLosesNoRequest() throws Exception {
        new Tool("haproxy", List.of()).needed();
        for (int i = 1; i <= INSTANCES; i++) {
            instances.add(new Instance(i));
        }
        int port = startHaproxy();
        var clients = new ArrayList<Thread>();
        for (int i = 0; i < CLIENTS; i++) {
            boolean isSticky = i % 2 == 0;
            clients.add(Thread.ofVirtual().start(() -> request(port, isSticky)));
        }
        for (Instance each : instances) {
            each.restart();
            awaitUse(each, port);
        }
        isEnding = true;
        for (Thread client : clients) {
            client.join();
        }
        assertEquals(0, failures.size(), () -> failures.size() + ", first " + failures.peek());
        assertTrue(responses.get() > 100, "there was load");
    }

    /// Waits until HAProxy sends requests to an instance again: whatever restarts instances waits,
    /// too, until one is ready, before it drains the next.
    private static void awaitUse(Instance instance, int port) throws IOException {
        try (var client = RawClient.connect(new InetSocketAddress("127.0.0.1", port))) {
            Patience.until(
                    "HAProxy uses instance " + instance.number,
                    () -> text(client).equals("instance " + instance.number));
        }
    }

    private static String text(RawClient client) {
        try {
            return client.send(GET.formatted("last")).response().text();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private int startHaproxy() throws Exception {
        int port = FreePort.find();
        var text = new StringBuilder(CONFIGURATION.formatted(port));
        for (Instance each : instances) {
            text.append(
                    "    server s%1$d 127.0.0.1:%2$d agent-port %3$d cookie s%1$d\n"
                            .formatted(each.number, each.port, each.agentPort));
        }
        Path file = Files.writeString(folder.resolve("haproxy.cfg"), text);
        processes.add(
                new ProcessBuilder("haproxy", "-db", "-f", file.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("haproxy.log").toFile())
                        .start());
        Patience.until("HAProxy responds with 200", () -> isServing(port));
        return port;
    }

    private static boolean isServing(int port) {
        try (var client = RawClient.connect(new InetSocketAddress("127.0.0.1", port))) {
            return client.send(GET.formatted("first")).response().status() == 200;
        } catch (IOException e) {
            return false;
        }
    }

    /// A client that keeps its connection to HAProxy, and perhaps the cookie for an instance.
    private void request(int port, boolean isSticky) {
        String cookie = "";
        try (var client = RawClient.connect(new InetSocketAddress("127.0.0.1", port))) {
            while (!isEnding) {
                RawResponse response =
                        client.send("GET / HTTP/1.1\nHost: shop\n" + cookie + "\n").response();
                if (response.status() != 200) {
                    failures.add(response.toString());
                }
                String set = response.field("set-cookie");
                if (isSticky && set != null) {
                    cookie = "Cookie: " + set.replaceFirst(";.*", "") + "\n";
                }
                responses.incrementAndGet();
                Thread.sleep(1);
            }
        } catch (IOException | InterruptedException e) {
            failures.add(e.toString());
        }
    }
}
