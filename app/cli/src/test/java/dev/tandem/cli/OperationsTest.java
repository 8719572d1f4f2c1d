package dev.tandem.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.cli.command.Failure;
import dev.tandem.cli.serving.OperatedServer;
import dev.tandem.cli.serving.ServerLifecycle;
import dev.tandem.config.ConfigFile;
import dev.tandem.config.ConfiguredServer;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Configuration commands, and their effect on a running server.
@DisabledOnOs(OS.WINDOWS)
class OperationsTest {
    private final Path folder;
    private final Path file;

    OperationsTest(@TempDir Path folder) {
        this.folder = folder;
        this.file = folder.resolve("t.toml");
    }

    private void write(String text) throws IOException {
        Files.writeString(
                file,
                """
                [process]
                control = "%s/control.sock"
                [[listen]]
                address = "127.0.0.1:0"
                [[site]]
                %s
                """
                        .formatted(folder, text));
    }

    /// Runs an action while the server runs.
    private record ActionLifecycle(Consumer<Operations> action) implements ServerLifecycle {
        @Override
        public void awaitStop(Server server, Runnable announce) {
            throw new AssertionError("it cannot be reloaded");
        }

        @Override
        public void awaitStop(OperatedServer operated, Runnable announce) {
            var operations = (Operations) operated;
            announce.run();
            action.accept(operations);
            operations.stop(Duration.ofSeconds(5));
        }
    }

    private static String ask(Server server) {
        try (var client = RawClient.connect(server.address())) {
            return client.send("GET / HTTP/1.1\nHost: a\n\n").response().text();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void reloads(Operations operations) {
        try {
            assertEquals("first", ask(operations.server()));
            write("respond = { text = \"second\" }");
            var good = TestConsole.plain();
            assertEquals(0, good.execute("reload", "--config", file.toString()), good.err());
            assertEquals("tandem: configuration was reloaded\n", good.out());
            assertEquals("second", ask(operations.server()));
            write("answr = 3");
            String control = folder.resolve("control.sock").toString();
            for (List<String> words :
                    List.of(
                            List.of("reload", "--control", control),
                            List.of("reload", "--config", file.toString()))) {
                var wrong = TestConsole.plain();
                assertEquals(Failure.FAILED, wrong.execute(words.toArray(String[]::new)));
                assertTrue(wrong.err().contains("nothing has changed"), wrong.err());
                assertTrue(wrong.err().contains("t.toml:6: site[1].answr is no key"), wrong.err());
            }
            assertNamesTheLineOfWhatCannotBeUsed();
            assertEquals("second", ask(operations.server()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void assertNamesTheLineOfWhatCannotBeUsed() throws IOException {
        write("respond = { text = \"third\" }");
        Files.writeString(file, Files.readString(file).replace("127.0.0.1:0", "systemd:none"));
        var wrong = TestConsole.plain();
        assertEquals(Failure.FAILED, wrong.execute("reload", "--config", file.toString()));
        String problem = "nothing has changed: " + file + ":4: no socket was inherited for ";
        assertTrue(wrong.err().contains(problem), wrong.err());
    }

    @Test
    void reloadReportsResult() throws IOException {
        write("respond = { text = \"first\" }");
        var console = new TestConsole(false, new ActionLifecycle(this::reloads));
        int status = console.execute("serve", "--config", file.toString());
        assertEquals(0, status, console.err());
        assertTrue(console.out().contains("/ serves " + file), console.out());
        assertTrue(console.out().contains("tandem:   any host: / a fixed response"), console.out());
        assertTrue(Files.notExists(folder.resolve("control.sock")), "the control socket is left");
    }

    @Test
    void drainIsRejectedWithoutAFleet() throws IOException {
        write("respond = { text = \"first\" }\n[manage]\naddress = \"127.0.0.1:0\"");
        var console =
                new TestConsole(
                        false,
                        new ActionLifecycle(
                                operations -> {
                                    var drain = TestConsole.plain();
                                    String at = managedBy(operations);
                                    assertEquals(1, drain.execute("drain", "--server", at));
                                    assertTrue(drain.err().contains("does not drain"), drain.err());
                                }));
        assertEquals(0, console.execute("serve", "--config", file.toString()), console.err());
    }

    /// The caller is a request of the server that stops.
    private static void stopByAnotherThread(Operations operations) {
        Thread.ofPlatform().daemon().start(() -> operations.stop(Duration.ofSeconds(5)));
    }

    @Test
    void stopOfAServerInAFleetBeginsWithItsBalancers() throws IOException {
        write(
                """
                respond = { text = "first" }
                [manage]
                address = "127.0.0.1:0"
                [fleet]
                agent = "127.0.0.1:0"
                load_reports = true
                notice = "0s"
                """);
        var console =
                new TestConsole(
                        false,
                        new ActionLifecycle(
                                operations -> {
                                    assertEquals("first", ask(operations.server()));
                                    var drain = TestConsole.plain();
                                    String at = managedBy(operations);
                                    operations
                                            .server()
                                            .onDrain(() -> stopByAnotherThread(operations));
                                    assertEquals(0, drain.execute("drain", "--server", at));
                                    assertEquals("stopped\n", drain.out());
                                    assertTrue(operations.server().isWithdrawn());
                                }));
        assertEquals(0, console.execute("serve", "--config", file.toString()), console.err());
    }

    private static String managedBy(Operations operations) {
        var address = Objects.requireNonNull(operations.server().managementAddress());
        return "127.0.0.1:" + address.getPort();
    }

    /// A reload does not change it.
    @Test
    void stopDeletesThePidFileOfTheStart() throws IOException {
        String text =
                """
                [process]
                pid_file = "%s"
                [[listen]]
                address = "127.0.0.1:0"
                [[site]]
                respond = { text = "" }
                """;
        Path first = folder.resolve("first.pid");
        Files.writeString(file, text.formatted(first));
        Consumer<Operations> change =
                operations -> {
                    assertTrue(Files.exists(first));
                    try {
                        Files.writeString(file, text.formatted(folder.resolve("other.pid")));
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                    assertTrue(operations.reload().contains("changes of [process]"));
                };
        var console = new TestConsole(false, new ActionLifecycle(change));
        int status = console.execute("serve", "--config", file.toString());
        assertEquals(0, status, console.err());
        assertTrue(Files.notExists(first), "the pid file is left");
    }

    /// A signal to the process that was replaced, as `systemctl stop` sends it to all of a unit.
    /// The process ends when the stop returns.
    @Test
    void stopOfARetiredServerWaitsForItsRequests() throws Exception {
        var arrived = new CountDownLatch(1);
        var goes = new CountDownLatch(1);
        var exits = new CountDownLatch(1);
        try (Server upstream =
                Tandem.listen("127.0.0.1", 0)
                        .get(
                                "/",
                                x -> {
                                    arrived.countDown();
                                    goes.await();
                                    x.send("late");
                                })
                        .start()) {
            write("proxy = { to = [\"127.0.0.1:%d\"] }".formatted(upstream.port()));
            var served = ConfiguredServer.start(ConfigFile.read(file), List.of());
            var operations =
                    new Operations(served, Optional.of(file), Optional.empty(), exits::countDown);
            var text = new FutureTask<>(() -> ask(operations.server()));
            Thread.ofVirtual().start(text);
            arrived.await();
            operations.retire();
            var stop = Thread.ofPlatform().start(() -> operations.stop(Duration.ZERO));
            Patience.until("it waits", () -> stop.getState() == Thread.State.WAITING);
            goes.countDown();
            assertEquals("late", text.get());
            stop.join();
            exits.await();
        }
    }

    @Test
    void reloadDuringAStopIsRejected() throws IOException {
        write("respond = { text = \"first\" }");
        Consumer<Operations> stop =
                operations -> {
                    operations.stop(Duration.ofSeconds(5));
                    Failure failure = assertThrows(Failure.class, operations::reload);
                    assertEquals(
                            "nothing has changed: the server is stopping", failure.getMessage());
                };
        var console = new TestConsole(false, new ActionLifecycle(stop));
        int status = console.execute("serve", "--config", file.toString());
        assertEquals(0, status, console.err());
    }

    /// As in the folder of a quick start.
    @Test
    void ownFileInTheServedFolderIsAWarning() throws IOException {
        Path log = folder.resolve("log");
        String served = "files.root = \"%s\"\n".formatted(folder);
        write(served + "[error_log]\nfile = \"" + log + "\"");
        String warning = file + " itself is served to clients; put it outside of " + folder;
        var checked = TestConsole.plain();
        assertEquals(0, checked.execute("check", file.toString()), checked.err());
        assertTrue(checked.out().contains(warning), checked.out());
        assertTrue(checked.out().contains(log + ", the error log (error_log), is served"));
        Consumer<Operations> reload =
                operations -> {
                    operations.reload();
                    try {
                        write("respond = { text = \"\" }"); // and the log is where others are
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                    operations.reload();
                };
        var console = new TestConsole(false, new ActionLifecycle(reload));
        assertEquals(0, console.execute("serve", "--config", file.toString()), console.err());
        List<String> lines = Files.readAllLines(log);
        assertEquals(2, lines.stream().filter(line -> line.contains(warning)).count(), log + "");
    }

    @Test
    void secretInTheServedFolderIsNamedWithItsLine() throws IOException {
        Files.writeString(folder.resolve("users"), "");
        String users = "password = { users = \"%1$s/users\", paths = [\"/a\"] }\n";
        write((users + "files.root = \"%1$s\"").formatted(folder));
        String problem = folder.resolve("users") + ", hashes of passwords (users), would be served";
        for (List<String> words :
                List.of(
                        List.of("serve", "--config", file.toString()),
                        List.of("check", file.toString()))) {
            var console = new TestConsole(false, new ActionLifecycle(_ -> {}));
            assertEquals(Failure.FAILED, console.execute(words.toArray(String[]::new)));
            assertTrue(console.err().startsWith("tandem: " + file + ":"), console.err());
            assertTrue(console.err().contains(problem), console.err());
        }
    }

    @Test
    void missingServerIsReported() {
        var console = TestConsole.plain();
        String control = folder.resolve("no.sock").toString();
        assertEquals(Failure.FAILED, console.execute("reload", "--control", control));
        assertTrue(console.err().startsWith("tandem: no server listens at " + control));
    }

    /// As another program's socket does.
    @Test
    void controlSocketThatDoesNotSpeakHttpIsReported() throws Exception {
        Path socket = folder.resolve("other.sock");
        try (var other = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            other.bind(UnixDomainSocketAddress.of(socket));
            Thread.ofPlatform().daemon().start(() -> greet(other));
            var console = TestConsole.plain();
            int status = console.execute("reload", "--control", socket.toString());
            assertEquals(Failure.FAILED, status);
            assertTrue(console.err().endsWith(": its response is not HTTP\n"), console.err());
        }
    }

    private static void greet(ServerSocketChannel other) {
        try (var client = other.accept()) {
            client.write(ByteBuffer.wrap("hello\n\n".getBytes(StandardCharsets.US_ASCII)));
            while (client.read(ByteBuffer.allocate(100)) >= 0) {
                // until the client has disconnected
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void checkReportsAllProblems() throws IOException {
        write("files = { root = \"%s/no\", indx = [] }".formatted(folder));
        var console = TestConsole.plain();
        assertEquals(Failure.FAILED, console.execute("check", file.toString()));
        assertTrue(console.err().startsWith("tandem: 2 problems\n"), console.err());
        assertTrue(console.err().contains("did you mean index?"), console.err());
    }

    @Test
    void addressInUseIsReportedWithItsLine() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            write("respond = { text = \"first\" }");
            String address = "127.0.0.1:" + taken.getLocalPort();
            Files.writeString(file, Files.readString(file).replace("127.0.0.1:0", address));
            var started = TestConsole.plain();
            assertEquals(Failure.FAILED, started.execute("serve", "--config", file.toString()));
            assertTrue(started.err().contains(file + ":4: cannot listen on " + address));
            var checked = TestConsole.plain();
            assertEquals(0, checked.execute("check", file.toString()), checked.err());
            assertTrue(
                    checked.out().contains("at a start: " + file + ":4: cannot listen"),
                    checked.out());
        }
    }

    @Test
    void managementAddressAndAgentInUseAreReportedByCheck() throws IOException {
        try (var manage = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var agent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Files.writeString(
                    file,
                    """
                    [manage]
                    address = "127.0.0.1:%d"
                    [fleet]
                    agent = "127.0.0.1:%d"
                    [[listen]]
                    address = "127.0.0.1:0"
                    [[site]]
                    respond = { text = "first" }
                    """
                            .formatted(manage.getLocalPort(), agent.getLocalPort()));
            var checked = TestConsole.plain();
            assertEquals(0, checked.execute("check", file.toString()), checked.err());
            for (String problem : List.of(":2: management: cannot", ":4: agent: cannot")) {
                assertTrue(checked.out().contains("at a start: " + file + problem), checked.out());
            }
        }
    }

    @Test
    void checkReadsCertificates() throws IOException {
        Path pem = Files.writeString(folder.resolve("no.pem"), "no certificate");
        Files.writeString(
                file,
                """
                [[listen]]
                address = "127.0.0.1:0"
                tls.certificate = [ { chain = "%1$s", key = "%1$s" } ]
                [[site]]
                respond = { text = "" }
                """
                        .formatted(pem));
        var console = TestConsole.plain();
        assertEquals(Failure.FAILED, console.execute("check", file.toString()));
        assertTrue(console.err().contains("no.pem"), console.err());
    }

    @Test
    void validFileIsAcceptedAndShown() throws IOException {
        write("respond = { text = \"hi\" }");
        var console = TestConsole.plain();
        assertEquals(0, console.execute("check", file.toString()), console.err());
        assertEquals(file + " can be used\n", console.out());
        var shown = TestConsole.plain();
        assertEquals(0, shown.execute("config", "--effective", "--config", file.toString()));
        assertTrue(shown.out().contains("text = \"hi\""), shown.out());
        assertTrue(shown.out().contains("head_timeout = \"20s\""), shown.out());
    }

    @Test
    void flagsWithFileAreRejected() throws IOException {
        write("respond = { text = \"hi\" }");
        var console = TestConsole.plain();
        int status =
                console.execute("serve", "--config", file.toString(), "--listen", "127.0.0.1:0");
        assertEquals(Failure.USAGE_ERROR, status);
        assertTrue(console.err().contains("--listen goes with DIR"), console.err());
    }
}
