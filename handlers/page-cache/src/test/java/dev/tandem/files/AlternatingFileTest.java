package dev.tandem.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.Shelved;
import dev.tandem.testkit.server.Counted;
import dev.tandem.testkit.server.Web;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A file that is replaced continuously while many clients request it.
class AlternatingFileTest {
    private static final int CLIENTS = 3;

    /// Minimum number for each client; more, until there were enough responses of both kinds.
    private static final int REQUESTS = 500;

    /// Minimum number of responses from memory, and from disk: fewer would prove nothing.
    private static final int ENOUGH = 100;

    private static final int SIZE = 20_000;
    private static final String[][] FIELDS = {
        {"Range: bytes=0-"}, {}, {"Accept-Encoding: gzip"}, {}, {"Accept-Encoding: zstd"}, {}, {}
    };
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Map<String, String> statesByTag = new ConcurrentHashMap<>();
    private final AtomicInteger left = new AtomicInteger(CLIENTS);

    @ParameterizedTest
    @ValueSource(strings = {"nio", "epoll"})
    void everyResponseIsOneStateUnderItsOwnTag(String network, @TempDir Path root)
            throws Exception {
        Path file = Shelved.write(root.resolve("a.txt"), content(0));
        // Short, so that the file is in every state in memory: fresh, stale, expired, replaced.
        var options = FolderOptions.DEFAULT.withRecheck(Duration.ofMillis(1));
        var counted = new Counted(Folder.of(root, options));
        try (var web = Web.of(counted, Web.network(network));
                ExecutorService threads = Executors.newFixedThreadPool(CLIENTS + 1)) {
            List<Callable<Integer>> tasks = new ArrayList<>();
            tasks.add(() -> replaceUntilAllHaveLeft(file));
            for (int i = 0; i < CLIENTS; i++) {
                tasks.add(() -> ask(web, counted));
            }
            for (Future<Integer> task :
                    threads.invokeAll(tasks, PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                task.get();
            }
        }
    }

    private static boolean isTried(Counted counted) {
        return counted.fromMemory() > ENOUGH && counted.fromDisk() > ENOUGH;
    }

    /// The sizes are equal: only the modification times differ.
    private static String content(int state) {
        return String.valueOf((char) ('a' + state % 26)).repeat(SIZE);
    }

    private int replaceUntilAllHaveLeft(Path file) throws IOException {
        int state = 0;
        while (left.get() > 0) {
            state++;
            Shelved.replace(file, content(state), Shelved.LONG_AGO.plusMillis(state));
        }
        return state;
    }

    /// Maximum duration of all clients.
    private int ask(Web web, Counted counted) throws IOException {
        try {
            int asked = 0;
            while ((asked < REQUESTS || !isTried(counted))
                    && !Thread.currentThread().isInterrupted()) {
                check(web.get("/a.txt", FIELDS[asked % FIELDS.length]));
                asked++;
            }
            return asked;
        } finally {
            left.decrementAndGet();
        }
    }

    private void check(Web.Response response) throws IOException {
        if (response.status() == 503) {
            return; // it changed too often for a response
        }
        String text = CompressedTest.content(response);
        String state = text.substring(0, 1);
        assertEquals(String.valueOf(response.body().length), response.field("Content-Length"));
        assertEquals(SIZE, text.length());
        assertTrue(state.repeat(SIZE).equals(text), "mixed states");
        String before = statesByTag.putIfAbsent(String.valueOf(response.field("ETag")), state);
        assertEquals(before == null ? state : before, state);
    }
}
