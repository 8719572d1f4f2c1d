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

/// A file that is replaced all the time, while it is asked for from all sides.
class AlternatingFileTest {
    private static final int CLIENTS = 3;

    /// Of each client, at least: more, until there were enough of both kinds of answers.
    private static final int REQUESTS = 500;

    /// So many from memory, and so many from the disk: else it was no trial.
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
    void everyAnswerIsOneStateOfItUnderItsOwnTag(String network, @TempDir Path root)
            throws Exception {
        Path file = Shelved.write(root.resolve("a.txt"), content(0));
        // Short, so that all of memory's ways are gone: fresh, stale, old, replaced.
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

    /// The sizes are equal: only the times of change tell the states apart.
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

    /// As long as all clients may take, at most.
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

    private void check(Web.Answer answer) throws IOException {
        if (answer.status() == 503) {
            return; // it changed too often to be sent
        }
        String text = CompressedTest.content(answer);
        String state = text.substring(0, 1);
        assertEquals(String.valueOf(answer.body().length), answer.field("Content-Length"));
        assertEquals(SIZE, text.length());
        assertTrue(state.repeat(SIZE).equals(text), "mixed states");
        String before = statesByTag.putIfAbsent(String.valueOf(answer.field("ETag")), state);
        assertEquals(before == null ? state : before, state);
    }
}
