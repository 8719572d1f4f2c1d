package dev.tandem.lab.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.cli.command.Failure;
import dev.tandem.testkit.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoadCommandTest {
    /// A report's beginning, with the time from the start to the end of the load.
    private static final Pattern BEGINNING =
            Pattern.compile("GET /a\\?b=c: ([0-9]+\\.[0-9]) s\n  replies ");

    private final Path folder;
    private final Console console = Console.plain();
    private final AtomicLong requests = new AtomicLong();
    private final Server server;
    private final String url;

    LoadCommandTest(@TempDir Path folder) throws IOException {
        this.folder = folder;
        this.server =
                Tandem.listen("127.0.0.1", 0)
                        .route(
                                "*",
                                "/a",
                                x -> {
                                    requests.incrementAndGet();
                                    x.send("ok");
                                })
                        .start();
        this.url = "http://127.0.0.1:" + server.port() + "/a?b=c";
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void loadCommandPrintsAReport() throws IOException {
        Path json = folder.resolve("load.json");
        String line = "load " + url + " --connections 3 --duration 0.5 --json " + json;
        assertEquals(0, console.execute(line.split(" ")), console.err());
        Matcher beginning = BEGINNING.matcher(console.out());
        assertTrue(beginning.lookingAt(), console.out());
        double seconds = Double.parseDouble(beginning.group(1));
        assertTrue(seconds >= 0.5 && seconds < 30, console.out());
        assertTrue(console.out().contains("\n  errors       none\n"), console.out());
        assertTrue(Files.readString(json).contains("\"repliesPerSecond\": "));
        assertTrue(requests.get() > 3);
    }

    @Test
    void clientsStartAtTheGivenRate() {
        String line = "load " + url + " --rate 100 --duration 0.3 --calls 2 --think 0.01 --close";
        assertEquals(0, console.execute(line.split(" ")), console.err());
        assertTrue(console.out().contains(" 0 failed   0 unfinished"), console.out());
        assertTrue(requests.get() % 2 == 0 && requests.get() > 0);
    }

    @Test
    void clientsShareConnectionsOfHttp2() {
        String line = "load " + url + " --http2 --connections 2 --streams 3 --duration 3";
        assertEquals(0, console.execute(line.split(" ")), console.err());
        assertTrue(console.out().contains("at most 2 at once"), console.out());
        assertTrue(console.out().contains("   6 unfinished"), console.out());
        assertTrue(console.out().contains("\n  errors       none\n"), console.out());
    }

    @ParameterizedTest
    @CsvSource({"--streams 3", "--retry-refused 1"})
    void optionOfHttp2NeedsHttp2(String option) {
        assertEquals(2, console.execute(("load " + url + " " + option).split(" ")));
        assertTrue(console.err().contains(option.split(" ")[0] + " needs --http2"), console.err());
    }

    @Test
    void loadSendsBodiesHeadersAndPipelines() throws IOException {
        Path body = Files.writeString(folder.resolve("body"), "abc");
        int status =
                console.execute(
                        List.of(
                                        "load",
                                        url,
                                        "--duration",
                                        "2",
                                        "--method",
                                        "POST",
                                        "--body",
                                        body.toString(),
                                        "--header",
                                        "X-B: y\\nX-C: z",
                                        "--pipeline",
                                        "4")
                                .toArray(String[]::new));
        assertEquals(0, status, console.err());
        assertTrue(console.out().contains("errors       none"), console.out());
    }

    @Test
    void httperfReportHasHttperfsFormat() {
        String line =
                "load httperf --server 127.0.0.1 --port %d --uri /a --wsess=5,2,0.01 --rate=50"
                        .formatted(server.port());
        assertEquals(0, console.execute(line.split(" ")), console.err());
        assertTrue(
                console.out().startsWith("Total: connections 5 requests 10 replies 10 "),
                console.out());
        assertEquals(10, requests.get());
    }

    @Test
    void unreachableServerPrintsOneLine() throws IOException {
        String line = "load http://127.0.0.1:" + FreePort.find() + " --duration 0.2";
        assertEquals(Failure.FAILED, console.execute(line.split(" ")));
        assertTrue(console.err().matches("tandem: no reply: refused \\d+\n"), console.err());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    load                                   | URL is missing
                    load ftp://a                           | 'ftp://a' is not http://HOST[:PORT]/... or https://HOST[:PORT]/...
                    load http://192.0.2.1/                 | 192.0.2.1 is not this machine: only load servers that are yours to load, and say so (--i-may-load-it, Load.withOwnTarget)
                    load http://127.0.0.1 --threads 0      | threads must be 1..256, was 0
                    load http://127.0.0.1 --duration 0     | the load has no end: give it a time or a number of sessions
                    load http://127.0.0.1 --rate x         | --rate must be a number, was x
                    load http://127.0.0.1 --think -1       | --think must be seconds, was -1
                    load http://127.0.0.1 --close=yes      | option '--close' takes no value
                    load http://127.0.0.1 --header A       | --header 'A' is not NAME: VALUE
                    load http://127.0.0.1 --connections 999999 | 999999 users need as many descriptors
                    """)
    void invalidCommandPrintsOneLine(String command, String line) {
        assertEquals(Failure.USAGE_ERROR, console.execute(command.split(" ")));
        assertTrue(console.err().startsWith("tandem: " + line), console.err());
        assertTrue(console.err().endsWith("; see tandem load --help\n"), console.err());
    }
}
