package dev.tandem.engine;

import static dev.tandem.engine.http1.WireCases.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tandem.net.Network;
import dev.tandem.net.NioNetwork;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Tests that need a process of their own.
@EnabledOnOs({OS.LINUX, OS.MAC})
class ChildServerTest {
    private static final int MANY = 2000;

    /// Twice the goal of 1 KiB, so that a change of the JDK does not fail the build.
    private static final long HEAP_EACH_MAX = 2048;

    private static List<RawClient> idleClients(Child child, int count) throws IOException {
        var clients = new ArrayList<RawClient>();
        for (int i = 0; i < count; i++) {
            RawClient client = child.client();
            clients.add(client);
            assertEquals("now", client.send(get("/now")).response().text());
        }
        return clients;
    }

    private static void close(List<RawClient> clients) throws IOException {
        for (RawClient client : clients) {
            client.close();
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void idleConnectionsHoldNoWorkerAndLittleHeap(Network network) throws IOException {
        assumeTrue(Descriptors.connectionsMax() > MANY + 500, "skipped: needs more descriptors");
        try (Child child = new Child(network, ":", "-Xmx128m", "-XX:+UseSerialGC")) {
            close(idleClients(child, 200));
            Patience.until("all are forgotten", () -> responses(child, "connections", "0"));
            long before = Long.parseLong(child.ask("heap"));
            List<RawClient> clients = idleClients(child, MANY);
            assertEquals("" + MANY, child.ask("connections"));
            long each = (Long.parseLong(child.ask("heap")) - before) / MANY;
            System.out.println(network.name() + ": " + each + " bytes of heap an idle connection");
            assertTrue(each < HEAP_EACH_MAX, each + " bytes");
            assertEquals("0", child.ask("workers"));
            RawClient last = clients.getLast();
            assertEquals("Hello, World!", last.send(get("/hello")).response().text());
            close(clients);
        }
    }

    private static boolean responses(Child child, String question, String response) {
        try {
            return child.ask(question).equals(response);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("dev.tandem.engine.Networks#usable")
    void serverWithoutDescriptorsRespondsAndServesNewClients(Network network) throws IOException {
        try (Child child = new Child(network, "ulimit -n 64")) {
            // loads a worker's classes: one that found no descriptor would be missing for ever
            assertTrue(isServed(child));
            close(idleClients(child, 200));
            String said = "idle connections";
            Patience.until("it is said", () -> child.errors().contains(said));
            assertTrue(child.errors().toLowerCase(java.util.Locale.ROOT).contains("too many open"));
            Patience.until("who comes is served", () -> isServed(child));
        }
    }

    /// While disconnects are not all processed, a new connection may still be closed for another.
    private static boolean isServed(Child child) {
        try (RawClient client = child.client()) {
            return client.send(get("/hello")).response().text().equals("Hello, World!");
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void defaultsFollowTheMachine() throws IOException {
        try (Child child = new Child(new NioNetwork(), ":", "-XX:ActiveProcessorCount=16")) {
            assertEquals("8 800", child.ask("options"));
        }
    }
}
