package dev.tandem.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.cli.command.Failure;
import dev.tandem.testkit.FreePort;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExplainCommandTest {
    private final Server server;
    private final String management;

    ExplainCommandTest() throws IOException {
        server =
                Tandem.listen("127.0.0.1", 0)
                        .manage("127.0.0.1", 0)
                        .get("/explain", x -> x.send("mine"))
                        .start();
        management = text(Objects.requireNonNull(server.managementAddress()));
    }

    @AfterEach
    void stop() {
        server.stop(Duration.ZERO);
    }

    @Test
    void outputInAPipeHasColumns() {
        var console = TestConsole.plain();
        assertEquals(0, console.execute("explain", "--server", management), console.err());
        List<String> lines = console.out().lines().toList();
        assertTrue(lines.size() > 14, console.out());
        assertFalse(console.out().contains("\033"));
        assertEquals(List.of("", "Server"), lines.subList(1, 3));
        int reason = lines.get(3).indexOf("open;");
        assertTrue(reason > 0, console.out());
        var headings = new ArrayList<String>();
        for (String line : lines) {
            if (line.contains("  ")) {
                assertEquals("  ", line.substring(reason - 2, reason), line);
            } else if (!line.isEmpty()) {
                headings.add(line);
            }
        }
        assertEquals(List.of("Server", "Workers", "Lanes", "Sessions", "Rejections"), headings);
    }

    @Test
    void outputOnATerminalIsColoured() {
        var console = new TestConsole(true, _ -> {});
        assertEquals(0, console.execute("explain", "--server", management));
        String plain = console.out().replaceAll("\033\\[[0-9]+m", "");
        assertTrue(plain.length() < console.out().length());
        assertTrue(plain.startsWith("state  "), plain);
    }

    @Test
    void refusedConnectionIsReported() throws IOException {
        int port = FreePort.find();
        assertEquals(
                "tandem: nothing listens at 127.0.0.1:%d; start the server with --manage"
                                .formatted(port)
                        + " 127.0.0.1:%d\n".formatted(port),
                failed("127.0.0.1:" + port));
    }

    @Test
    void otherServerIsReported() {
        assertTrue(failed(text(server.address())).contains("is not a management address"));
    }

    @Test
    void invalidAddressIsReported() {
        var console = TestConsole.plain();
        assertEquals(Failure.USAGE_ERROR, console.execute("explain", "--server", "x"));
        assertTrue(console.err().startsWith("tandem: --server 'x' is not ADDR:PORT"));
    }

    @Test
    void controlCharactersAreRemoved() throws IOException {
        try (Server other =
                Tandem.listen("127.0.0.1", 0)
                        .get(
                                "/explain",
                                x ->
                                        x.contentType("text/tab-separated-values")
                                                .send("a\033[2J\tb\u009b\tc\r\n"))
                        .start()) {
            var console = TestConsole.plain();
            assertEquals(0, console.execute("explain", "--server", text(other.address())));
            assertEquals("a?[2J  b?  c?\n", console.out());
        }
    }

    @Test
    void startPrintsManagementAddress(@TempDir Path folder) {
        var seen = new String[1];
        var console =
                new TestConsole(
                        false,
                        started ->
                                seen[0] =
                                        text(Objects.requireNonNull(started.managementAddress())));
        assertEquals(0, console.execute(words(folder, "--manage", "127.0.0.1:0")), console.err());
        assertTrue(console.out().contains("http://" + seen[0] + "/ shows the console and metrics"));
    }

    @Test
    void explainWorksOverUnixSocket(@TempDir Path folder) {
        String at = "unix:" + folder.resolve("manage");
        var seen = TestConsole.plain();
        var console =
                new TestConsole(
                        false, _ -> assertEquals(0, seen.execute("explain", "--server", at)));
        assertEquals(0, console.execute(words(folder, "--manage", at)), console.err());
        assertTrue(console.out().contains(at + " shows the console and metrics"), console.out());
        assertTrue(seen.out().startsWith("state  "), seen.out());
        assertEquals(
                "tandem: nothing listens at %s; start the server with --manage %s\n"
                        .formatted(at, at),
                failed(at));
    }

    @Test
    void openAddressNeedsFlag(@TempDir Path folder) {
        var console = TestConsole.plain();
        String[] words = words(folder, "--manage", "0.0.0.0:0");
        assertEquals(Failure.USAGE_ERROR, console.execute(words));
        assertEquals(
                "tandem: --manage '0.0.0.0:0' can be reached from other machines; use 127.0.0.1, or"
                        + " add --manage-openly; see tandem serve --help\n",
                console.err());
        var open = new TestConsole(false, _ -> {});
        assertEquals(0, open.execute(words(folder, "--manage", "0.0.0.0:0", "--manage-openly")));
    }

    @Test
    void openFlagNeedsAddress(@TempDir Path folder) {
        var console = TestConsole.plain();
        assertEquals(Failure.USAGE_ERROR, console.execute(words(folder, "--manage-openly")));
    }

    @Test
    void tokenIsReadFromFile(@TempDir Path folder) throws IOException {
        Path token = folder.resolve("token");
        Path root = Files.createDirectory(folder.resolve("www"));
        String[] words = words(root, "--manage", "127.0.0.1:0", "--manage-token", token + "");
        assertEquals(Failure.FAILED, TestConsole.plain().execute(words));
        for (String unfit :
                List.of("", "short\n", "a space in its middle\n", "\u00e9".repeat(20))) {
            Files.writeString(token, unfit);
            var console = TestConsole.plain();
            assertEquals(Failure.FAILED, console.execute(words), unfit);
            assertTrue(console.err().contains("openssl rand -hex 16"), console.err());
        }
        Files.writeString(token, "0123456789abcdef\nmore\n");
        var console = new TestConsole(false, started -> explainWithToken(started, token));
        assertEquals(0, console.execute(words), console.err());
    }

    private static void explainWithToken(Server server, Path token) {
        String at = text(Objects.requireNonNull(server.managementAddress()));
        assertTrue(failed(at).contains("requires its token: --token FILE"));
        var console = TestConsole.plain();
        assertEquals(0, console.execute("explain", "--server", at, "--token", token + ""));
        assertTrue(console.out().startsWith("state  "), console.out());
    }

    private static String[] words(Path folder, String... more) {
        String[] words = {"serve", folder.toString(), "--listen", "127.0.0.1:0"};
        String[] all = Arrays.copyOf(words, words.length + more.length);
        System.arraycopy(more, 0, all, words.length, more.length);
        return all;
    }

    private static String failed(String server) {
        var console = TestConsole.plain();
        assertEquals(Failure.FAILED, console.execute("explain", "--server", server));
        assertEquals("", console.out());
        return console.err();
    }

    private static String text(InetSocketAddress address) {
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }
}
