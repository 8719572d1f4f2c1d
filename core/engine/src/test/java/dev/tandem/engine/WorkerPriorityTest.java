package dev.tandem.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tandem.Options;
import dev.tandem.http.Exchange;
import dev.tandem.http.Handler;
import dev.tandem.net.Network;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Workers run at a lower priority than event loops.
class WorkerPriorityTest {
    private static final Path FIRST = Path.of("/proc/" + ProcessHandle.current().pid() + "/stat");

    @BeforeEach
    void needsEpoll() {
        assumeTrue(Network.best().name().equals("epoll"), "needs epoll");
    }

    private static void nice(Exchange x) throws IOException {
        x.send("" + nice(Path.of("/proc/thread-self/stat")));
    }

    /// The nineteenth field (`proc_pid_stat(5)`).
    private static int nice(Path stat) throws IOException {
        String line = Files.readString(stat);
        return Integer.parseInt(line.substring(line.lastIndexOf(')') + 2).split(" ")[16]);
    }

    private static int difference(Options options, String path) throws IOException {
        try (Served served =
                        Served.on(
                                Network.best(),
                                options,
                                tandem ->
                                        tandem.get("/worker", WorkerPriorityTest::nice)
                                                .get(
                                                        "/loop",
                                                        Handler.nonBlocking(
                                                                WorkerPriorityTest::nice)));
                RawClient client = served.client()) {
            String found = client.send("GET " + path + " HTTP/1.1\nHost: h\n\n").response().text();
            return Integer.parseInt(found) - nice(FIRST);
        }
    }

    @Test
    void workerIsFiveLevelsBelowTheLoop() throws IOException {
        int most = 19 - nice(FIRST); // tests may run at a low priority
        assertEquals(Math.min(5, most), difference(Options.DEFAULT, "/worker"));
        assertEquals(0, difference(Options.DEFAULT, "/loop"));
    }

    @Test
    void levelsAreAnOption() throws IOException {
        Options none = Options.DEFAULT.withThreads(t -> t.withWorkersNice(0));
        assertEquals(0, difference(none, "/worker"));
    }
}
