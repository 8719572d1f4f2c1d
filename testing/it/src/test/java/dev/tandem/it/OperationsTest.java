package dev.tandem.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tandem.net.Datagrams;
import dev.tandem.testkit.FreePort;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// An operator's actions on a running server.
@EnabledOnOs(OS.LINUX)
@Timeout(60)
class OperationsTest {
    /// Becomes the server, with a listening socket as its descriptor 3, as systemd does it.
    private static final String ACTIVATION =
            "use Socket; use POSIX (); socket(my $s, PF_INET, SOCK_STREAM, 0) or die;"
                    + " setsockopt($s, SOL_SOCKET, SO_REUSEADDR, 1);"
                    + " bind($s, sockaddr_in(shift, INADDR_LOOPBACK)) or die; listen($s, 64);"
                    + " POSIX::dup2(fileno($s), 3); $^F = 3; fcntl($s, 2, 0);"
                    + " $ENV{LISTEN_PID} = $$; $ENV{LISTEN_FDS} = 1;"
                    + " $ENV{LISTEN_FDNAMES} = 'web'; exec @ARGV or die";

    private final Path folder;

    OperationsTest(@TempDir Path folder) {
        this.folder = folder;
    }

    private Path write(String listen, String text) throws IOException {
        String file =
                """
                [process]
                control = "%1$s/control.sock"
                pid_file = "%1$s/pid"
                [access_log]
                file = "%1$s/access.log"
                [[listen]]
                address = "%2$s"
                [[site]]
                respond = { text = "%3$s" }
                """;
        return Files.writeString(folder.resolve("t.toml"), file.formatted(folder, listen, text));
    }

    private static String request(int port) {
        try (var client = RawClient.connect(new InetSocketAddress("127.0.0.1", port))) {
            return client.send("GET / HTTP/1.1\nHost: a\n\n").response().text();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void hangUpReloadsTheFileAndAnInvalidOneChangesNothing() throws Exception {
        HangUp.assumeNotIgnored();
        int port = FreePort.find();
        Path file = write("127.0.0.1:" + port, "first");
        Path socket = folder.resolve("notify");
        var datagrams = Datagrams.find().orElseThrow();
        try (var box = datagrams.bind(socket);
                var server =
                        OperatedProcess.start(
                                folder,
                                Map.of("NOTIFY_SOCKET", socket.toString()),
                                List.of(),
                                "serve",
                                "--config",
                                file.toString())) {
            Patience.until("the news", () -> heard(box).contains("READY=1"));
            String pid = Files.readString(folder.resolve("pid")).strip();
            assertEquals(Long.toString(server.pid()), pid);
            assertEquals("first", request(port));
            write("127.0.0.1:" + port, "second");
            server.signal("HUP");
            server.awaitError("configuration was reloaded");
            assertEquals("second", request(port));
            Patience.until("the news", () -> heard(box).contains("RELOADING=1"));
            Files.writeString(file, "[[site]]\nrespnd = 3\n");
            server.signal("HUP");
            server.awaitError("t.toml:2: site[1].respnd is no key; did you mean respond?");
            assertEquals("second", request(port));
            logIsBegunAnew(server, port);
            server.signal("TERM");
            assertEquals(0, server.end());
            assertTrue(Files.notExists(folder.resolve("pid")), "the PID file is left");
        }
    }

    private static String heard(Datagrams.Receiver box) {
        try {
            return box.receive().map(Datagrams.Datagram::content).orElse("");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void logIsBegunAnew(OperatedProcess server, int port) throws Exception {
        Path log = folder.resolve("access.log");
        Files.move(log, folder.resolve("access.log.old"));
        server.signal("USR1");
        Patience.until("a new log", () -> Files.exists(log));
        request(port);
        Patience.until("a line", () -> log.toFile().length() > 0);
    }

    @Test
    void takeoverByAnotherProcessLosesNoRequest() throws Exception {
        int port = FreePort.find();
        String file = write("127.0.0.1:" + port, "same").toString();
        try (var first = start(file);
                var clients = new KeptClients(port)) {
            Patience.until("responses", () -> clients.responses() > 100);
            try (var second = start(file, "--replace")) {
                assertEquals(0, first.end());
                int before = clients.responses();
                Patience.until("responses of the second", () -> clients.responses() > before + 100);
                clients.end();
                assertEquals(List.of(), clients.failures());
                String pid = Files.readString(folder.resolve("pid")).strip();
                assertEquals(Long.toString(second.pid()), pid);
                try (var third = start(file, "--replace")) {
                    assertEquals(0, second.end());
                    assertEquals("same", request(port));
                    third.signal("TERM");
                    assertEquals(0, third.end());
                }
            }
        }
    }

    @Test
    void takeoverClosesListenersThatTheFileNoLongerHas() throws Exception {
        int port = FreePort.find();
        String both = "127.0.0.1:%d\"\n[[listen]]\naddress = \"127.0.0.1:%d";
        int removed = FreePort.find();
        String file = write(both.formatted(port, removed), "same").toString();
        try (var first = start(file)) {
            assertEquals("same", request(removed));
            write("127.0.0.1:" + port, "same");
            try (var second = start(file, "--replace")) {
                assertEquals(0, first.end());
                assertEquals("same", request(port));
                var e = assertThrows(UncheckedIOException.class, () -> request(removed));
                assertInstanceOf(ConnectException.class, e.getCause(), "it is not refused");
                second.signal("TERM");
                assertEquals(0, second.end());
            }
        }
    }

    /// As a unit of systemd has it.
    @Test
    void takeoverNeedsNoFolderForTemporaryFiles() throws Exception {
        int port = FreePort.find();
        String file = write("127.0.0.1:" + port, "same").toString();
        String temporary = "-Djava.io.tmpdir=" + folder.resolve("none");
        var variables = Map.of("JAVA_TOOL_OPTIONS", temporary);
        String[] command = {"serve", "--config", file, "--replace"};
        try (var first = start(file);
                var second = OperatedProcess.start(folder, variables, List.of(), command)) {
            assertEquals(0, first.end());
            assertEquals("same", request(port));
            second.signal("TERM");
            assertEquals(0, second.end());
        }
    }

    /// If two servers had the sockets, both would stay, each with half of the clients.
    @Test
    void secondTakeoverAtTheSameTimeIsRejected() throws Exception {
        int port = FreePort.find();
        String file = write("127.0.0.1:" + port, "same").toString();
        String pid = "&pid=" + ProcessHandle.current().pid();
        Path socket = folder.resolve("box");
        try (var first = start(file);
                var box = Datagrams.find().orElseThrow().bind(socket)) {
            Patience.until("the control", this::isControlled);
            assertEquals(409, handOver("/nowhere/box" + pid));
            assertEquals(400, handOver(socket.toString()));
            assertEquals(200, handOver(socket + pid));
            var e = assertThrows(IOException.class, () -> start(file, "--replace"));
            String said = String.valueOf(e.getMessage());
            assertTrue(said.contains("another process is taking them over"), said);
            assertTrue(box.receive().isPresent());
            assertEquals("same", request(port));
            first.signal("TERM");
            assertEquals(0, first.end());
        }
    }

    /// It would report itself as the main process, which is another one.
    @Test
    void serverThatRetiresIsNotReloaded() throws Exception {
        int port = FreePort.find();
        String file = write("127.0.0.1:" + port, "same").toString();
        try (var server = start(file)) {
            Patience.until("the control", this::isControlled);
            var control = UnixDomainSocketAddress.of(folder.resolve("control.sock"));
            try (var channel = SocketChannel.open(control)) {
                assertTrue(post(channel, "/retire").startsWith("HTTP/1.1 202"));
                String reloaded = post(channel, "/reload");
                assertTrue(reloaded.startsWith("HTTP/1.1 409"), reloaded);
                assertTrue(reloaded.contains("the server is stopping"), reloaded);
            }
            assertEquals(0, server.end());
        }
    }

    /// @return the response, which fits into one read
    private static String post(SocketChannel channel, String path) throws IOException {
        String request = "POST " + path + " HTTP/1.1\r\nHost: a\r\n\r\n";
        channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
        var response = ByteBuffer.allocate(4096);
        channel.read(response);
        return new String(response.array(), 0, response.position(), StandardCharsets.US_ASCII);
    }

    /// Whether the control file exists; it is made before the server listens.
    private boolean isControlled() {
        var control = UnixDomainSocketAddress.of(folder.resolve("control.sock"));
        try (var _ = SocketChannel.open(control)) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /// @return the status of the response
    private int handOver(String to) throws IOException {
        var control = UnixDomainSocketAddress.of(folder.resolve("control.sock"));
        try (var channel = SocketChannel.open(control)) {
            String request = "POST /handover?to=" + to + " HTTP/1.1\r\nHost: a\r\n\r\n";
            channel.write(ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII)));
            var line = ByteBuffer.allocate(12);
            while (line.hasRemaining() && channel.read(line) >= 0) {
                // The status is the last word.
            }
            String text = new String(line.array(), StandardCharsets.US_ASCII);
            return Integer.parseInt(text.substring(9));
        }
    }

    private OperatedProcess start(String file, String... further) throws IOException {
        var words = new ArrayList<>(List.of("serve", "--config", file));
        words.addAll(List.of(further));
        return OperatedProcess.start(folder, Map.of(), List.of(), words.toArray(String[]::new));
    }

    @Test
    void inheritedSocketIsServed() throws Exception {
        HangUp.assumeNotIgnored();
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/perl")), "no Perl here");
        int port = FreePort.find();
        String file = write("systemd:web", "activated").toString();
        List<String> perl = List.of("/usr/bin/perl", "-e", ACTIVATION, Integer.toString(port));
        Path socket = folder.resolve("notify");
        var news = Map.of("NOTIFY_SOCKET", socket.toString());
        try (var box = Datagrams.find().orElseThrow().bind(socket);
                var server = OperatedProcess.start(folder, news, perl, "serve", "--config", file)) {
            // It responds before it handles signals.
            Patience.until("the news", () -> heard(box).contains("READY=1"));
            assertEquals("activated", request(port));
            server.signal("HUP");
            server.awaitError("configuration was reloaded");
            assertEquals("activated", request(port));
        }
    }
}
