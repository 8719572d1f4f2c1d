package dev.tandem.lab.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.cli.command.Failure;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RivalCommandsTest {
    private final Path folder;

    RivalCommandsTest(@TempDir Path folder) {
        this.folder = folder;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    lab rival single                         | unknown command 'lab rival single'; see tandem lab rival --help
                    lab rival multi-threaded --threads many  | --threads must be a number, was 'many'; see tandem lab rival multi-threaded --help
                    lab rival multi-threaded --threads 0     | threads must be 1..16384, was 0; see tandem lab rival multi-threaded --help
                    lab rival multi-threaded --keep-alive 15 | --keep-alive must be a time as 500ms, 15s or 2m, was '15'; see tandem lab rival multi-threaded --help
                    lab rival multi-threaded --keep-alive 0s | the keep-alive time-out must be 1 ms to 1 day, was PT0S; see tandem lab rival multi-threaded --help
                    lab rival multi-threaded --coyote-rule on | --coyote-rule must be yes or no, was 'on'; see tandem lab rival multi-threaded --help
                    lab rival event-driven --loops 99999     | loops must be 1..16384, was 99999; see tandem lab rival event-driven --help
                    lab rivals --install please              | --install must be yes or no, was 'please'; see tandem lab rivals --help
                    lab target --workers -1                  | --workers must be a number, was '-1'; see tandem lab target --help
                    lab target --workers 0                   | --workers: workersMax must be 1..65536, was 0; see tandem lab target --help
                    """)
    void invalidCommandPrintsOneLineAndExitsWithTwo(String command, String line) {
        var console = Console.plain();
        assertEquals(Failure.USAGE_ERROR, console.execute(command.split(" ")));
        assertEquals("tandem: " + line + "\n", console.err());
    }

    @ParameterizedTest
    @ValueSource(strings = {"multi-threaded", "event-driven"})
    void rivalServesAndReportsItsTimeouts(String name) {
        var statuses = new ArrayList<Integer>();
        var console = new Console(false, server -> statuses.add(status(server)));
        String root = folder.toString();
        int status =
                console.execute("lab", "rival", name, "--listen", "127.0.0.1:0", "--root", root);
        assertEquals("", console.err());
        assertEquals(0, status);
        assertEquals(List.of(200), statuses);
        assertTrue(console.out().endsWith("lab-stats {\"closedByTimeout\":0}\n"), console.out());
    }

    @Test
    void rivalsCommandListsTheRivals() {
        var console = Console.plain();
        assertEquals(0, console.execute("lab", "rivals"), console.err());
        assertTrue(console.out().contains("multi-threaded   this Tandem, on JDK "), console.out());
    }

    private static int status(Server server) {
        try (RawClient client = RawClient.connect(server.address())) {
            return client.send("GET /hello HTTP/1.1\nHost: a\n\n").response().status();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
