package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// What both rival architectures must do as Tandem does it, and what distinguishes each of them.
class RivalTargetTest {
    private static final Duration LONG = Duration.ofMinutes(5);

    /// Long enough for a client's request, even on a busy machine.
    private static final Duration BRIEF = Duration.ofSeconds(4);

    /// Larger than the sockets' buffers and than one sending step.
    private static final int LARGE = 5 << 20;

    private final Path root;

    RivalTargetTest(@TempDir Path root) {
        this.root = root;
    }

    private enum Architecture {
        MULTI_THREADED,
        EVENT_DRIVEN
    }

    /// A running rival.
    private record Run(RivalTarget target, Server server) implements AutoCloseable {
        static Run of(RivalTarget target) throws IOException {
            return new Run(target, target.addTo(Tandem.listen("127.0.0.1", 0)).start());
        }

        RawClient client() throws IOException {
            return RawClient.connect(server.address());
        }

        @Override
        public void close() {
            assertTrue(server.stop(Duration.ofSeconds(5)), "did not stop in time");
            target.close();
        }
    }

    private Run run(Architecture architecture) throws IOException {
        return switch (architecture) {
            case MULTI_THREADED -> multiThreaded(3, LONG);
            case EVENT_DRIVEN -> Run.of(RivalTarget.eventDriven(root, 1));
        };
    }

    private Run multiThreaded(int threads, Duration keepAlive) throws IOException {
        return Run.of(RivalTarget.multiThreaded(root, threads, keepAlive, false));
    }

    private static RawResponse get(RawClient client, String path) throws IOException {
        return client.send("GET " + path + " HTTP/1.1\nHost: a\n\n").response();
    }

    // ---- Both.

    @ParameterizedTest
    @EnumSource
    void connectionIsKept(Architecture architecture) throws IOException {
        try (Run run = run(architecture);
                RawClient client = run.client()) {
            for (int i = 0; i < 20; i++) {
                assertEquals("Hello, World!", get(client, "/hello").text());
            }
            assertEquals(1, run.server().connectionCount());
        }
    }

    @ParameterizedTest
    @EnumSource
    void connectionIsClosedOnRequest(Architecture architecture) throws IOException {
        try (Run run = run(architecture);
                RawClient client = run.client()) {
            client.send("GET /hello HTTP/1.1\nHost: a\nConnection: close\n\n");
            assertEquals(200, client.response().status());
            assertTrue(client.isClosedByServer());
        }
    }

    @ParameterizedTest
    @EnumSource
    void pipelinedResponsesAreInOrder(Architecture architecture) throws IOException {
        Files.writeString(root.resolve("a.txt"), "file");
        String hello = "GET /hello HTTP/1.1\nHost: a\n\n";
        String file = "GET /a.txt HTTP/1.1\nHost: a\n\n";
        try (Run run = run(architecture);
                RawClient client = run.client()) {
            client.send((hello + file).repeat(50)); // more than one step of sending
            for (int i = 0; i < 50; i++) {
                assertEquals("Hello, World!", client.response().text());
                assertEquals("file", client.response().text());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void responseToHeadHasNoContent(Architecture architecture) throws IOException {
        try (Run run = run(architecture);
                RawClient client = run.client()) {
            client.send("HEAD /hello HTTP/1.1\nHost: a\n\n");
            assertEquals("13", client.responseToHead().field("Content-Length"));
            assertEquals(200, get(client, "/hello").status());
        }
    }

    @ParameterizedTest
    @EnumSource
    void largeFileReachesAClientThatReadsLate(Architecture architecture) throws IOException {
        var bytes = new byte[LARGE];
        new Random(1).nextBytes(bytes);
        Files.write(root.resolve("large.bin"), bytes);
        try (Run run = run(architecture);
                RawClient slow = RawClient.connect(run.server().address(), 4096);
                RawClient other = run.client()) {
            slow.send("GET /large.bin HTTP/1.1\nHost: a\n\n".repeat(2));
            assertEquals(200, get(other, "/hello").status()); // no client waits for the slow one
            assertArrayEquals(bytes, slow.response().body());
            assertArrayEquals(bytes, slow.response().body());
        }
    }

    @ParameterizedTest
    @EnumSource
    void fragmentedHeadIsParsed(Architecture architecture) throws IOException {
        try (Run run = run(architecture);
                RawClient client = run.client()) {
            client.sendBytewise("GET /hello HTTP/1.1\r\nHost: a\r\n\r\n".getBytes());
            assertEquals("Hello, World!", client.response().text());
        }
    }

    @ParameterizedTest
    @EnumSource
    void malformedRequestIsRejected(Architecture architecture) throws IOException {
        try (Run run = run(architecture);
                RawClient client = run.client()) {
            client.send("no request\n\n");
            assertEquals(400, client.response().status());
            assertTrue(client.isClosedByServer());
        }
    }

    @ParameterizedTest
    @EnumSource
    void statsReportTimeouts(Architecture architecture) throws IOException {
        try (Run run = run(architecture);
                RawClient client = run.client()) {
            assertEquals("{\"closedByTimeout\":0}", get(client, "/lab-stats").text());
        }
    }

    @ParameterizedTest
    @EnumSource
    void serverStopsWithIdleConnections(Architecture architecture) throws IOException {
        try (Run run = run(architecture);
                RawClient client = run.client()) {
            assertEquals(200, get(client, "/hello").status());
            assertTrue(run.server().stop(Duration.ofSeconds(5)));
            assertTrue(client.isClosedByServer());
        }
    }

    // ---- Multi-threaded.

    @Test
    void lateBodyIsRead() throws IOException {
        try (Run run = multiThreaded(2, LONG);
                RawClient client = run.client()) {
            client.send("POST /echo HTTP/1.1\nHost: a\nContent-Length: 6\n\nabc");
            client.send("def");
            assertEquals("abcdef", client.response().text());
            assertEquals(200, get(client, "/hello").status());
        }
    }

    @Test
    void bodyLargerThanAllBuffersIsEchoed() throws IOException {
        var bytes = new byte[300_000];
        new Random(2).nextBytes(bytes);
        try (Run run = multiThreaded(1, LONG);
                RawClient client = run.client()) {
            client.send("POST /echo HTTP/1.1\nHost: a\nContent-Length: 300000\n\n").send(bytes);
            assertArrayEquals(bytes, client.response().body());
        }
    }

    @Test
    void connectionWithoutAThreadWaitsForOne() throws IOException {
        try (Run run = multiThreaded(2, LONG);
                RawClient first = run.client();
                RawClient second = run.client();
                RawClient third = run.client()) {
            assertEquals(200, get(first, "/hello").status());
            assertEquals(200, get(second, "/hello").status());
            third.send("GET /hello HTTP/1.1\nHost: a\n\n");
            assertEquals(200, get(first, "/hello").status()); // open connections are kept
            assertEquals(2, run.server().connectionCount());
            first.reset();
            assertEquals(200, third.response().status());
        }
    }

    private static void awaitTimeout(Run run) {
        Patience.until("counted", () -> run.target().stats().equals("{\"closedByTimeout\":1}"));
    }

    @Test
    void idleConnectionIsClosedAndCounted() throws IOException {
        try (Run run = multiThreaded(1, BRIEF);
                RawClient idle = run.client()) {
            assertEquals(200, get(idle, "/hello").status());
            assertTrue(idle.isClosedByServer());
            awaitTimeout(run);
            try (RawClient next = run.client()) {
                assertEquals(200, get(next, "/hello").status());
            }
        }
    }

    @Test
    void connectionWithoutARequestIsClosedAndCounted() throws IOException {
        try (Run run = multiThreaded(1, Duration.ofMillis(50));
                RawClient silent = run.client()) {
            assertTrue(silent.isClosedByServer());
            awaitTimeout(run);
        }
    }

    @Test
    void closedConnectionFreesItsThread() throws IOException {
        try (Run run = multiThreaded(1, LONG)) {
            for (int i = 0; i < 50; i++) {
                try (RawClient client = run.client()) {
                    assertEquals(200, get(client, "/hello").status());
                }
            }
            run.client().reset();
            try (RawClient client = run.client()) {
                assertEquals(200, get(client, "/hello").status());
            }
        }
    }

    @Test
    void threadsOutOfRangeAreRejected() {
        assertThrows(
                IllegalArgumentException.class,
                () -> RivalTarget.multiThreaded(root, 0, LONG, false));
    }

    // ---- Event-driven.

    @Test
    void eventDrivenRivalHasNoBlockingHandlers() throws IOException {
        try (Run run = run(Architecture.EVENT_DRIVEN);
                RawClient client = run.client()) {
            assertEquals(404, get(client, "/block?ms=1").status());
            assertEquals(0, run.server().workerCount());
        }
    }

    @Test
    void missingBodyDelaysNoOtherClient() throws IOException {
        try (Run run = run(Architecture.EVENT_DRIVEN);
                RawClient stuck = run.client();
                RawClient other = run.client()) {
            stuck.send("POST /hello HTTP/1.1\nHost: a\nContent-Length: 9\n\n");
            assertEquals(405, stuck.response().status());
            assertEquals(200, get(other, "/hello").status());
        }
    }
}
