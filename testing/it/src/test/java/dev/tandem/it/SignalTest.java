package dev.tandem.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.RawClient;
import dev.tandem.trace.Trace;
import dev.tandem.trace.TraceReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// What a process does when it is told to end.
@DisabledOnOs(OS.WINDOWS)
class SignalTest {
    /// More than an answer's buffer holds, less than the sockets' buffers do.
    private static final int HALF = 128 << 10;

    /// A server with one client that is idle and one that is not.
    private record Running(ServerProcess server, RawClient idle, RawClient busy)
            implements AutoCloseable {
        static Running start(Path root) throws IOException {
            var server = ServerProcess.start(root, "lab", "target", "--root", root.toString());
            var idle = RawClient.connect(server.address());
            idle.send("GET /hello HTTP/1.1\nHost: a\n\n").response();
            return new Running(server, idle, RawClient.connect(server.address()));
        }

        /// @return how much has come back
        int beginToEcho() throws IOException {
            busy.send("POST /echo HTTP/1.1\nHost: a\nContent-Length: " + 2 * HALF + "\n\n");
            return busy.send(new byte[HALF]).bytes(1024).length;
        }

        @Override
        public void close() throws IOException {
            idle.close();
            busy.close();
            server.close();
        }
    }

    @Test
    void theFirstLetsWhatRunsFinishAndEndsWithStatusZero(@TempDir Path root) throws Exception {
        try (var running = Running.start(root)) {
            int soFar = running.beginToEcho();
            running.server.terminate();
            assertTrue(running.idle.isClosedByServer(), "an idle connection stays open");
            int rest = running.busy.send(new byte[HALF]).rest().length;
            assertTrue(soFar + rest > 2 * HALF, "only " + (soFar + rest) + " bytes came back");
            assertEquals(0, running.server.end());
        }
    }

    @Test
    void theSecondEndsAtOnce(@TempDir Path root) throws Exception {
        try (var running = Running.start(root)) {
            running.beginToEcho();
            running.server.terminate();
            assertTrue(running.idle.isClosedByServer(), "an idle connection stays open");
            running.server.terminate();
            assertEquals(130, running.server.end());
        }
    }

    @Test
    void theDemoLeavesNoFiles(@TempDir Path temporary) throws Exception {
        try (var demo = ServerProcess.start(temporary, "demo", "files")) {
            demo.terminate();
            demo.end();
        }
        try (Stream<Path> left = Files.list(temporary)) {
            assertEquals(0, left.filter(Files::isDirectory).count());
        }
    }

    @Test
    void theAuctionIsOpenUntilItIsToldToEndAndLeavesNoFiles(@TempDir Path temporary)
            throws Exception {
        List<String> small =
                List.of(
                        "-Dtandem.auction=" + System.getProperty("tandem.auction"),
                        "-Dauction.users=20",
                        "-Dauction.items=30",
                        "-Dauction.olditems=5");
        try (var demo = ServerProcess.start(temporary, small, "demo", "--manage", "127.0.0.1:0")) {
            try (var client = RawClient.connect(demo.address())) {
                String page = client.send("GET / HTTP/1.1\nHost: a\n\n").response().text();
                assertTrue(page.contains("<meta name=\"page\" content=\"Home\">"), page);
                assertTrue(page.contains("What the server does now"), page);
            }
            demo.terminate();
            demo.end();
        }
        try (Stream<Path> left = Files.list(temporary)) {
            assertEquals(0, left.filter(Files::isDirectory).count());
        }
    }

    @Test
    void aRecordingFromTheStartIsWrittenAtTheEnd(@TempDir Path folder) throws Exception {
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
