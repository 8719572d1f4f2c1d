package dev.tandem.lab.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.cli.command.Command;
import dev.tandem.cli.command.Failure;
import dev.tandem.cli.command.Terminal;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.io.UncheckedIOException;
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

/// The commands of the laboratory, as `tandem` finds them.
class LabCommandsTest {
    private final Path folder;

    LabCommandsTest(@TempDir Path folder) throws IOException {
        this.folder = folder.toRealPath();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    demo x                  | 'x' is one argument too many; see tandem demo --help
                    lab walk                | unknown command 'lab walk'; see tandem lab --help
                    lab run                 | NAME is missing; see tandem lab run --help
                    lab run --quick         | NAME is missing; see tandem lab run --help
                    lab run sped            | unknown experiment 'sped'; did you mean speed? (tandem lab list shows all)
                    lab run speed qqqqqqqqqq | unknown experiment 'qqqqqqqqqq' (tandem lab list shows all)
                    lab run nothing --x     | unknown option '--x'; see tandem lab run --help
                    lab run start --secs 3  | unknown option '--secs'; see tandem lab run --help
                    lab run start --quick --full | --quick and --full exclude each other; see tandem lab run --help
                    lab run start --quick=1 | option '--quick' takes no value; see tandem lab run --help
                    lab run start --seed -1 | --seed must be a number of 1 to 18 digits, was '-1'; see tandem lab run --help
                    lab run papers x        | 'x' is one argument too many; see tandem lab run papers --help
                    lab run papers --list --figure thesis-9.9 | --figure has no 'thesis-9.9'; tandem lab run papers --list shows all; see tandem lab run papers --help
                    lab run papers --quick --full | --quick and --full exclude each other; see tandem lab run papers --help
                    lab report              | DIR is missing; see tandem lab report --help
                    lab list x              | 'x' is one argument too many; see tandem lab list --help
                    lab peers ping --to 192.0.2.1:80 | /192.0.2.1:80 is not a loopback address; see tandem lab peers --help
                    lab peers ping --connections 0 | --connections must be 1..1000, was 0; see tandem lab peers --help
                    lab target .            | '.' is one argument too many; see tandem lab target --help
                    """)
    void invalidCommandPrintsOneLineAndExitsWithTwo(String command, String line) {
        var console = Console.plain();
        assertEquals(Failure.USAGE_ERROR, console.execute(command.split(" ")));
        assertEquals("tandem: " + line + "\n", console.err());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "lab",
                "demo -h",
                "lab",
                "lab --help",
                "lab run --help",
                "lab run speed --help",
                "lab run idle soak --help",
                "lab run papers --help",
                "lab report --help",
                "lab rival",
                "lab rival multi-threaded -h",
                "lab rivals -h",
                "load --help",
                "load httperf --help",
                "lab peers -h",
                "lab target -h"
            })
    void helpFitsAScreen(String command) {
        var console = Console.plain();
        assertEquals(0, console.execute(command.split(" ")));
        List<String> lines = console.out().lines().toList();
        assertTrue(lines.size() < 24, lines.size() + " lines");
        assertEquals(List.of(), lines.stream().filter(line -> line.length() > 80).toList());
    }

    /// The product lists these commands before they are built, so it has a list of its own.
    @Test
    void helpOfTheProductListsTheCommands() throws IOException {
        Files.createFile(folder.resolve("pom.xml"));
        System.setProperty("tandem.home", folder.toString());
        try {
            var console = Console.plain();
            assertEquals(0, console.execute("--help"));
            var all = new LabCommands().commands(Terminal.ofProcess(), (_, _) -> {});
            for (Command command : all) {
                boolean isGroup = command.words().getFirst().equals("lab");
                String line = command.synopsis() + " * +" + command.help();
                assertTrue(
                        isGroup
                                || console.out()
                                        .matches(
                                                "(?s).*\\Q"
                                                        + line.replace(" * +", " *\\E +\\Q")
                                                        + "\\E\n.*"),
                        line + " in " + console.out());
            }
        } finally {
            System.clearProperty("tandem.home");
        }
    }

    @Test
    void papersAreListedWithTheirState() {
        var console = Console.plain();
        String out = folder.resolve("raw").toString();
        String page = folder.resolve("docs/papers.md").toString();
        assertEquals(
                0,
                console.execute(
                        "lab",
                        "run",
                        "papers",
                        "--list",
                        "--quick",
                        "--figure",
                        "thesis-4.18,thesis-3.20",
                        "--out",
                        out,
                        "--page",
                        page));
        assertEquals(
                """
                thesis 3.20  mean time by phase of a connection
                          not run yet
                          tandem lab run secure --quick --processor-part 0.5, 6 min
                          tandem lab run secure --quick --contenders tandem,tomcat,\
                tomcat-virtual --processor-part 0.5 --shares 0.5,1,2, 6 min
                thesis 4.18  the hybrid by its threads
                          not run yet
                          tandem lab run specweb-threads --quick --clients 500,1000,2000 \
                --sites banking, 3 min
                          tandem lab run specweb-threads --quick --clients 500,1000,2000 \
                --sites ecommerce, 3 min
                          tandem lab run specweb-threads --quick --clients 500,1000,2000 \
                --sites support, 3 min
                5 runs to measure, about 21 min in all
                """,
                console.out());
        assertTrue(Files.notExists(folder.resolve("docs")));
    }

    @Test
    void targetServesItsEndpoints() throws IOException {
        Files.writeString(folder.resolve("a.txt"), "from the folder");
        assertEquals(
                List.of("Hello, World!", "from the folder"),
                responses(
                        List.of("/hello", "/a.txt"), "lab", "target", "--root", folder.toString()));
    }

    @Test
    void listNamesExperimentsWithTheirNeeds() {
        var console = Console.plain();
        assertEquals(0, console.execute("lab", "list"));
        assertTrue(
                console.out().contains("speed     compares CPU per request with nginx (3 min"),
                console.out());
        assertTrue(console.out().matches("(?s).*needs wrk: (here|missing).*"), console.out());
    }

    @Test
    void folderWithoutResultsIsNotCompared() {
        var console = Console.plain();
        assertEquals(
                Failure.FAILED,
                console.execute("lab", "report", folder.toString(), folder.toString()));
        assertEquals(
                "tandem: no result.json in " + folder + ": name what --out named\n", console.err());
    }

    @Test
    void targetRunsPrograms() throws IOException {
        Path programs = Files.createDirectory(folder.resolve("run"));
        Path program = programs.resolve("a");
        Files.writeString(
                program, "#!/bin/sh\nprintf 'Content-Type: a/b\\n\\n'\nprintf $SCRIPT_NAME\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        assertEquals(
                List.of("/cgi-bin/a"),
                responses(
                        List.of("/cgi-bin/a"),
                        "lab",
                        "target",
                        "--root",
                        folder.toString(),
                        "--cgi",
                        programs.toString()));
    }

    @Test
    void rehearsalEndsByItself(@TempDir Path home) throws IOException {
        Files.createDirectory(home.resolve(".tandem"));
        System.setProperty("tandem.home", home.toString());
        try {
            assertEquals(0, new Console(false, _ -> {}).execute("rehearse", "laboratory"));
        } finally {
            System.clearProperty("tandem.home");
        }
    }

    /// Starts the command on a free port, requests each path, and stops it.
    private static List<String> responses(List<String> paths, String... command) {
        var responses = new ArrayList<String>();
        Consumer<Server> requests =
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
        var console = new Console(false, requests);
        assertEquals(0, console.execute(words.toArray(new String[0])), console.err());
        return responses;
    }
}
