package dev.tandem.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.ServerProcess;
import dev.tandem.trace.Trace;
import dev.tandem.trace.TraceReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// How a process reacts to signals that end it.
@DisabledOnOs(OS.WINDOWS)
class SignalTest {
    private static final String CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n";

    private static final String FORM = "name=a&likes=events";

    /// A server with one client that is idle and one that is not.
    private record Running(ServerProcess server, RawClient idle, RawClient busy)
            implements AutoCloseable {
        static Running start(Path root) throws IOException {
            var server = ServerProcess.start(root, "demo", "files");
            var idle = RawClient.connect(server.address());
            idle.send("GET /hello/a HTTP/1.1\nHost: a\n\n").response();
            return new Running(server, idle, RawClient.connect(server.address()));
        }

        /// Begins a request, and returns when its handler waits for the body.
        void begin() throws IOException {
            busy.send(
                    """
                    POST /form HTTP/1.1
                    Host: a
                    Content-Type: application/x-www-form-urlencoded
                    Content-Length: %d
                    Expect: 100-continue

                    """
                            .formatted(FORM.length()));
            byte[] bytes = busy.bytes(CONTINUE.length());
            assertEquals(CONTINUE, new String(bytes, StandardCharsets.US_ASCII));
        }

        @Override
        public void close() throws IOException {
            idle.close();
            busy.close();
            server.close();
        }
    }

    @Test
    void firstSignalFinishesRequestsAndExitsWithStatusZero(@TempDir Path root) throws Exception {
        try (var running = Running.start(root)) {
            running.begin();
            running.server.terminate();
            assertTrue(running.idle.isClosedByServer(), "an idle connection stays open");
            running.busy.send(FORM.getBytes(StandardCharsets.US_ASCII));
            String page = running.busy.response().text();
            assertTrue(page.contains("a likes events"), page);
            assertEquals(0, running.server.end());
        }
    }

    @Test
    void secondSignalEndsAtOnce(@TempDir Path root) throws Exception {
        try (var running = Running.start(root)) {
            running.begin();
            running.server.terminate();
            assertTrue(running.idle.isClosedByServer(), "an idle connection stays open");
            running.server.terminate();
            assertEquals(130, running.server.end());
        }
    }

    /// logrotate sends it to whatever the service runs.
    @Test
    void signalToReopenLogsEndsNoServerWithoutLogs(@TempDir Path root) throws Exception {
        try (var running = Running.start(root)) {
            running.server.signal("USR1");
            var response = running.idle.send("GET /hello/a HTTP/1.1\nHost: a\n\n").response();
            assertEquals(200, response.status());
            running.server.terminate();
            assertEquals(0, running.server.end());
        }
    }

    @Test
    void demoLeavesNoFiles(@TempDir Path temporary) throws Exception {
        try (var demo = ServerProcess.start(temporary, "demo", "files")) {
            demo.terminate();
            demo.end();
        }
        try (Stream<Path> left = Files.list(temporary)) {
            assertEquals(0, left.filter(Files::isDirectory).count());
        }
    }

    @Test
    void recordingFromTheStartIsWrittenAtTheEnd(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("trace.jfr");
        String[] command = {"serve", folder.toString(), "--trace", file.toString()};
        try (var traced = ServerProcess.start(folder, command)) {
            try (var client = RawClient.connect(traced.address())) {
                client.send("GET /none HTTP/1.1\nHost: a\n\n").response();
            }
            traced.terminate();
            traced.end();
        }
        Trace trace = TraceReader.read(file);
        assertTrue(trace.nanos() > 0, "it is as long as nothing");
        assertTrue(trace.threads().stream().anyMatch(Trace.Thread::isLoop), trace.toString());
    }
}
