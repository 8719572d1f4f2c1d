package dev.tandem.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.cli.command.Failure;
import dev.tandem.testkit.RawClient;
import dev.tandem.trace.Trace;
import dev.tandem.trace.TraceReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TraceCommandTest {
    private static Tandem site() {
        return Tandem.listen("127.0.0.1", 0)
                .manage("127.0.0.1", 0)
                .get("/hello", x -> x.send("hello"));
    }

    private static InetSocketAddress management(Server server) {
        return Objects.requireNonNull(server.managementAddress());
    }

    private static String at(Server server) {
        return "127.0.0.1:" + management(server).getPort();
    }

    @Test
    void traceIsWrittenForBrowsersParaverAndPerfetto(@TempDir Path folder) throws IOException {
        try (Server server = site().manageTraces().start();
                var client = RawClient.connect(server.address())) {
            client.send("GET /hello HTTP/1.1\nHost: a\n\n").response();
            var console = TestConsole.plain();
            Path out = folder.resolve("out");
            int status =
                    console.execute(
                            "trace", "--server", at(server), "--seconds", "1", "--out", out + "");
            assertEquals(0, status, console.err());
            assertTrue(console.out().contains("Blocked Synch"), console.out());
            assertTrue(console.out().contains("see " + out.resolve("trace.html")), console.out());
            for (String end : List.of("jfr", "prv", "pcf", "row", "json", "html")) {
                assertTrue(Files.size(out.resolve("trace." + end)) > 0, end);
            }
            assertTrue(Files.readString(out.resolve("trace.row")).contains("tandem-worker-1\n"));
            assertEquals(
                    0, console.execute("trace", "--read", out + "/trace.jfr", "--out", out + ""));
            assertBrowsersAreRejected(server);
            server.stop(Duration.ZERO);
        }
    }

    @Test
    void serverIsRecordedFromItsStart(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("start.jfr");
        var console = new TestConsole(false, TraceCommandTest::askOnce);
        int status =
                console.execute(
                        "serve", folder + "", "--listen", "127.0.0.1:0", "--trace", file + "");
        assertEquals(0, status, console.err());
        Trace trace = TraceReader.read(file);
        assertTrue(trace.threads().stream().anyMatch(Trace.Thread::isLoop), trace.toString());
        for (String wrong : List.of(folder + "", folder + "/none/x.jfr")) {
            assertEquals(Failure.FAILED, console.execute("serve", folder + "", "--trace", wrong));
        }
    }

    private static void askOnce(Server server) {
        try (var client = RawClient.connect(server.address())) {
            client.send("GET /start.jfr HTTP/1.1\nHost: a\n\n").response();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void assertBrowsersAreRejected(Server server) throws IOException {
        for (String field : List.of("Origin: http://localhost", "Sec-Fetch-Site: same-origin")) {
            try (var client = RawClient.connect(management(server))) {
                client.send("POST /trace/begin HTTP/1.1\nHost: localhost\n" + field + "\n\n");
                assertEquals(403, client.response().status());
            }
        }
    }

    @Test
    void serverWithoutTracesIsReportedWithHint(@TempDir Path folder) throws IOException {
        try (Server server = site().start()) {
            var console = TestConsole.plain();
            String[] words = {"trace", "--server", at(server), "--out", folder + ""};
            assertEquals(Failure.FAILED, console.execute(words));
            assertTrue(
                    console.err().contains("start the server with --manage-trace"), console.err());
        }
    }

    @Test
    void invalidArgumentsAreReported(@TempDir Path folder) throws IOException {
        var console = TestConsole.plain();
        for (String seconds : List.of("0", "241", "x")) {
            assertEquals(Failure.USAGE_ERROR, console.execute("trace", "--seconds", seconds));
        }
        assertEquals(Failure.FAILED, console.execute("trace", "--read", folder + "/none.jfr"));
        Path no = Files.writeString(folder.resolve("no.jfr"), "no recording");
        assertEquals(
                Failure.FAILED, console.execute("trace", "--read", no + "", "--out", folder + ""));
    }
}
