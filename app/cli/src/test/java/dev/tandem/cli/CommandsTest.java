package dev.tandem.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.cli.command.Failure;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandsTest {
    private final Path folder;

    CommandsTest(@TempDir Path folder) throws IOException {
        this.folder = folder.toRealPath();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    serv                    | unknown command 'serv' (did you mean serve?); see tandem --help
                    -x                      | unknown command '-x'; see tandem --help
                    serve                   | DIR is missing; see tandem serve --help
                    serve a b               | 'b' is one argument too many; see tandem serve --help
                    serve --port 80 .       | unknown option '--port'; see tandem serve --help
                    serve --proxy x .       | unknown option '--proxy' (a configuration file has site.proxy: docs/sites.md shows how); see tandem serve --help
                    serve --liste x .       | unknown option '--liste' (did you mean --listen?); see tandem serve --help
                    serve -p .              | unknown option '-p'; see tandem serve --help
                    serve . --listen        | option '--listen' needs a value; see tandem serve --help
                    serve --listen=a:1 --listen=b:1 . | option '--listen' is given twice; see tandem serve --help
                    serve . --cgi x         | --cgi must be /PATH=DIR, was 'x'; see tandem serve --help
                    serve . --cgi a=.       | --cgi must be /PATH=DIR, was 'a=.'; see tandem serve --help
                    serve . --cgi /a/=.     | --cgi must be /PATH=DIR, was '/a/=.'; see tandem serve --help
                    serve . --cgi /a=       | --cgi must be /PATH=DIR, was '/a='; see tandem serve --help
                    serve . --page-cache 9x | --page-cache: must be auto, or a size such as 64m, was '9x'; see tandem serve --help
                    --listen                | unknown command '--listen'; see tandem --help
                    """)
    void usageErrorIsOneLineWithStatusTwo(String command, String line) {
        var console = TestConsole.plain();
        assertEquals(Failure.USAGE_ERROR, console.execute(command.split(" ")));
        assertEquals("tandem: " + line + "\n", console.err());
    }

    @Test
    void invalidAddressIsNamed() {
        var console = TestConsole.plain();
        int status = console.execute("serve", folder.toString(), "--listen", "8080");
        assertEquals(Failure.USAGE_ERROR, status);
        assertEquals(
                "tandem: --listen '8080' is not ADDR:PORT, such as 127.0.0.1:8080, [::1]:8080 or"
                        + " 0.0.0.0:0; see tandem serve --help\n",
                console.err());
    }

    @Test
    void missingFolderIsNamed() {
        Path missing = folder.resolve("missing");
        var console = TestConsole.plain();
        assertEquals(Failure.FAILED, console.execute("serve", missing.toString()));
        assertEquals("tandem: no such folder: " + missing + "\n", console.err());
    }

    @Test
    void fileInsteadOfFolderIsNamed() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");
        var console = TestConsole.plain();
        assertEquals(Failure.FAILED, console.execute("serve", file.toString()));
        assertEquals(
                "tandem: not a folder: " + file + "; name the one that it is in\n", console.err());
    }

    @Test
    void portInUseIsNamed() throws IOException {
        try (var taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            String address = "127.0.0.1:" + taken.getLocalPort();
            var console = TestConsole.plain();
            int status = console.execute("serve", folder.toString(), "--listen", address);
            assertEquals(Failure.FAILED, status);
            assertTrue(
                    console.err()
                            .matches(
                                    "tandem: .*"
                                            + address
                                            + ".*; --listen ADDR:PORT chooses another.*\n"),
                    console.err());
        }
    }

    @Test
    void folderIsServed() throws IOException {
        Files.writeString(folder.resolve("a.txt"), "from the folder");
        assertEquals(
                List.of("from the folder"),
                responses(List.of("/a.txt"), "serve", folder.toString()));
    }

    @Test
    void cgiProgramIsRun() throws IOException {
        Path programs = Files.createDirectory(folder.resolve("run"));
        Path program = programs.resolve("a");
        Files.writeString(
                program, "#!/bin/sh\nprintf 'Content-Type: a/b\\n\\n'\nprintf $SCRIPT_NAME\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        String root = folder.toString();
        assertEquals(
                List.of("/run/a"),
                responses(List.of("/run/a"), "serve", root, "--cgi=/run=" + programs));
    }

    @Test
    void programsInServedFolderAreRejected() throws IOException {
        Path programs = Files.createDirectory(folder.resolve("run"));
        var console = TestConsole.plain();
        int status = console.execute("serve", folder.toString(), "--cgi", "/cgi-bin=" + programs);
        assertEquals(Failure.FAILED, status);
        assertTrue(console.err().contains("would be served as files"), console.err());
    }

    /// As `tandem cert` writes it, into the current folder.
    @Test
    void keyInServedFolderIsRejected() {
        assertEquals(0, TestConsole.plain().execute("cert", "--out", folder.toString()));
        String key = folder.resolve("key.pem").toString();
        String chain = folder.resolve("cert.pem").toString();
        for (String command : List.of("serve", "run")) {
            var console = TestConsole.plain();
            String any = "127.0.0.1:0";
            int status =
                    console.execute(
                            command,
                            folder.toString(),
                            "--listen",
                            any,
                            "--tls",
                            any,
                            "--cert",
                            chain,
                            "--key",
                            key);
            assertEquals(Failure.FAILED, status, console.err());
            assertTrue(
                    console.err().startsWith("tandem: " + key + ", a private key ("),
                    console.err());
            assertTrue(console.err().contains("--key), would be served to clients"), console.err());
        }
    }

    @Test
    void operandAfterTwoDashesIsAFolder() {
        var console = TestConsole.plain();
        console.execute("serve", "--", "--listen");
        assertTrue(console.err().contains("no such folder"), console.err());
    }

    @Test
    void startInAPipePrintsOneLine() {
        var console = new TestConsole(false, server -> {});
        assertEquals(0, console.execute("serve", folder.toString(), "--listen", "127.0.0.1:0"));
        assertTrue(
                console.out()
                        .matches(
                                "tandem: http://127\\.0\\.0\\.1:\\d+/ serves "
                                        + folder
                                        + " \\((epoll|nio)\\)\n"),
                console.out());
    }

    @Test
    void startOnATerminalSaysHowToStop() {
        var console = new TestConsole(true, server -> {});
        assertEquals(0, console.execute("serve", folder.toString(), "--listen", "127.0.0.1:0"));
        assertTrue(console.out().contains("Ctrl-C stops it"), console.out());
    }

    /// The overview fits the smallest usual screen; a server has more options.
    @ParameterizedTest
    @CsvSource({"--help, 24", "serve --help, 30"})
    void helpFitsAScreen(String command, int screen) {
        var console = TestConsole.plain();
        assertEquals(0, console.execute(command.split(" ")));
        List<String> lines = console.out().lines().toList();
        assertTrue(lines.size() < screen, lines.size() + " lines");
        assertEquals(List.of(), lines.stream().filter(line -> line.length() > 80).toList());
    }

    @Test
    void commandWithoutWordsShowsHelp() {
        var console = TestConsole.plain();
        console.execute();
        assertTrue(console.out().contains("Begin with: tandem demo files"), console.out());
    }

    @Test
    void helpInAPipeHasNoColours() {
        var console = TestConsole.plain();
        console.execute("--help");
        assertFalse(console.out().contains("\033"), console.out());
    }

    @ParameterizedTest
    @ValueSource(strings = {"demo", "demo bookstore --help", "lab", "lab run speed", "load -x"})
    void laboratoryCommandSaysHowToGetIt(String command) {
        var console = TestConsole.plain();
        assertEquals(Failure.FAILED, console.execute(command.split(" ")));
        String asked = command.replaceFirst(" -.*", "");
        assertEquals(
                "tandem: '"
                        + asked
                        + "' is a command of the laboratory, which is not installed here: the"
                        + " launcher ./tandem of a clone builds it on first use\n",
                console.err());
    }

    @Test
    void helpOfACloneHasTheLaboratoryAndFitsAScreen() throws IOException {
        Files.createFile(folder.resolve("pom.xml"));
        String help = helpAt(folder);
        assertTrue(help.contains("\n  lab * "), help);
        assertTrue(help.contains("Begin with: tandem demo  "), help);
        assertTrue(help.lines().count() < 24, help);
    }

    /// Their launcher sets the same property.
    @Test
    void helpOfAPackageHasOnlyWhatIsInstalled() {
        String help = helpAt(folder);
        assertFalse(help.contains("\n  lab * "), help);
        assertTrue(help.contains("Begin with: tandem demo files\n"), help);
    }

    private static String helpAt(Path home) {
        System.setProperty("tandem.home", home.toString());
        try {
            var console = TestConsole.plain();
            assertEquals(0, console.execute("--help"));
            return console.out();
        } finally {
            System.clearProperty("tandem.home");
        }
    }

    @Test
    void versionIsThatOfTheBuild() {
        var console = TestConsole.plain();
        console.execute("--version");
        assertTrue(console.out().matches("tandem \\d+\\.\\d+\\.\\d+.*\nJDK .*\n"), console.out());
    }

    @Test
    void trainingRunEndsByItself() {
        assertEquals(0, new TestConsole(false, _ -> {}).execute("rehearse"));
    }

    /// Starts the command on a free port, requests each path, and stops it.
    private static List<String> responses(List<String> paths, String... command) {
        var responses = new ArrayList<String>();
        Consumer<Server> ask =
                server -> {
                    try (var client = RawClient.connect(server.address())) {
                        for (String path : paths) {
                            client.send("GET " + path + " HTTP/1.1\nHost: a\n\n");
                            responses.add(client.response().text());
                        }
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                };
        var words = new ArrayList<>(List.of(command));
        words.addAll(List.of("--listen", "127.0.0.1:0"));
        var console = new TestConsole(false, ask);
        assertEquals(0, console.execute(words.toArray(new String[0])), console.err());
        return responses;
    }
}
