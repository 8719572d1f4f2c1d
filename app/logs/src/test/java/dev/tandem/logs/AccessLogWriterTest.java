package dev.tandem.logs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tandem.AccessLog.Entry;
import dev.tandem.http.HttpVersion;
import dev.tandem.testkit.Patience;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(20)
class AccessLogWriterTest {
    private final Path folder;

    AccessLogWriterTest(@TempDir Path folder) {
        this.folder = folder;
    }

    private static Entry entry(String target) {
        var remote = new InetSocketAddress(0);
        return new Entry(
                "",
                remote,
                false,
                "GET",
                target,
                HttpVersion.HTTP_1_1,
                0,
                200,
                0,
                0,
                List.of("", ""));
    }

    private AccessSettings settings() {
        return AccessSettings.DEFAULT.withFile(Optional.of(folder.resolve("a.log")));
    }

    private List<String> lines(String name) throws IOException {
        return Files.readAllLines(folder.resolve(name));
    }

    private void awaitLines(String name, int count) {
        Patience.until(
                count + " lines of " + name,
                () -> {
                    try {
                        return Files.exists(folder.resolve(name)) && lines(name).size() >= count;
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }

    @Test
    void closeWritesAllLines() throws IOException {
        AccessLogWriter log = AccessLogWriter.open(settings());
        for (int i = 0; i < 3000; i++) {
            log.log(entry("/" + i));
        }
        log.close();
        assertEquals(3000, lines("a.log").size());
        assertTrue(lines("a.log").get(2999).contains("GET /2999 "));
        assertEquals(0, log.lost());
    }

    /// Fails once as code does for which there is no memory at the moment.
    private static final class ForgetfulSink implements Sink {
        private final AtomicInteger writes = new AtomicInteger();
        private final List<String> written = new CopyOnWriteArrayList<>();

        @Override
        public void write(ByteBuffer lines) {
            if (writes.incrementAndGet() == 1) {
                throw new OutOfMemoryError("at the moment");
            }
            written.add(StandardCharsets.UTF_8.decode(lines).toString());
        }

        @Override
        public void reopen() {}

        @Override
        public void close() {}
    }

    @Test
    void lackOfMemoryLosesCountedLinesAndNotTheLog() {
        var sink = new ForgetfulSink();
        var log = new AccessLogWriter(sink, settings());
        log.start();
        log.log(entry("/lost"));
        Patience.until("a loss", () -> log.lost() == 1);
        log.log(entry("/written"));
        Patience.until("a line", () -> !sink.written.isEmpty());
        assertTrue(sink.written.getFirst().contains("GET /written "), sink.written::toString);
        log.close();
        assertEquals(1, log.lost());
    }

    @Test
    void fullDiskLosesCountedLines() throws Exception {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.exists(full), "no /dev/full here");
        AccessLogWriter log = AccessLogWriter.open(settings().withFile(Optional.of(full)));
        for (int i = 0; i < 1000; i++) {
            log.log(entry("/" + i));
        }
        log.close();
        assertEquals(1000, log.lost());
    }

    @Test
    void slowSinkLosesCountedLinesWithoutDelay() throws Exception {
        var release = new CountDownLatch(1);
        var slow = new SlowSink(release);
        var log = new AccessLogWriter(slow, settings().withQueueMax(1024));
        log.start();
        log.log(entry("/first"));
        slow.begun.await();
        for (int i = 0; i < 3000; i++) {
            log.log(entry("/" + i));
        }
        assertEquals(3000 - 1024, log.lost());
        release.countDown();
        log.close();
        assertEquals(1 + 1024, slow.lines);
        assertEquals(3000 - 1024, log.lost());
    }

    /// Their memory is bounded, too.
    @Test
    void longLinesAreLostBeforeTheyFillTheHeap() throws Exception {
        var release = new CountDownLatch(1);
        var slow = new SlowSink(release);
        var log = new AccessLogWriter(slow, settings());
        log.start();
        log.log(entry("/first"));
        slow.begun.await();
        String target = "/" + "x".repeat(15_000);
        for (int i = 0; i < 10_000; i++) {
            log.log(entry(target));
        }
        long most = AccessLogWriter.HELD_MAX / target.length();
        assertTrue(log.lost() >= 10_000 - most, log.lost() + " lost");
        release.countDown();
        log.close();
        assertEquals(1 + 10_000 - log.lost(), slow.lines);
    }

    /// As where there is no memory for it at the moment: its budget would be used up until the
    /// restart.
    @Test
    void entryThatCannotBeMadeTakesNoBudget() {
        var isLacking = new AtomicBoolean(true);
        var sink = new SlowSink(new CountDownLatch(0));
        var log =
                new AccessLogWriter(
                        sink,
                        settings(),
                        () -> {
                            if (isLacking.get()) {
                                throw new OutOfMemoryError("at the moment");
                            }
                            return 0;
                        });
        log.start();
        Entry large = entry("/" + "x".repeat(15_000));
        for (long size = 0; size <= AccessLogWriter.HELD_MAX; size += 15_000) {
            assertThrows(OutOfMemoryError.class, () -> log.log(large));
        }
        isLacking.set(false);
        log.log(entry("/written"));
        log.close();
        assertEquals(1, sink.lines);
        assertEquals(0, log.lost());
    }

    private static final class SlowSink implements Sink {
        final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch release;
        volatile int lines;

        SlowSink(CountDownLatch release) {
            this.release = release;
        }

        @Override
        public void write(ByteBuffer bytes) throws IOException {
            begun.countDown();
            try {
                release.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            while (bytes.hasRemaining()) {
                lines += bytes.get() == '\n' ? 1 : 0;
            }
        }

        @Override
        public void reopen() {
            // The sink has no name.
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }

    @Test
    void renamedFileIsReopened() throws Exception {
        AccessLogWriter log = AccessLogWriter.open(settings());
        log.log(entry("/before"));
        awaitLines("a.log", 1);
        Files.move(folder.resolve("a.log"), folder.resolve("b.log"));
        log.reopen();
        awaitLines("a.log", 0);
        log.log(entry("/after"));
        log.close();
        assertTrue(lines("b.log").getFirst().contains("/before"));
        assertEquals(1, lines("b.log").size());
        assertTrue(lines("a.log").getFirst().contains("/after"));
    }

    @Test
    void fullFileIsRotatedAndOldestDeleted() throws Exception {
        var sink = new FileSink(folder.resolve("a.log"), 4096, 2);
        byte[] line = "x".repeat(3000).concat("\n").getBytes();
        for (int i = 0; i < 5; i++) {
            sink.write(ByteBuffer.wrap(line));
        }
        sink.close();
        try (var all = Files.list(folder)) {
            List<String> names = all.map(path -> path.getFileName().toString()).sorted().toList();
            assertEquals(List.of("a.log", "a.log.1", "a.log.2"), names);
        }
        assertEquals(3001, Files.size(folder.resolve("a.log.2")));
    }

    /// Fails until the test lets it write.
    private static final class FailingSink implements Sink {
        private final AtomicInteger attempts = new AtomicInteger();
        private volatile boolean isFailing = true;
        private volatile int lines;

        @Override
        public void write(ByteBuffer bytes) throws IOException {
            attempts.incrementAndGet();
            if (isFailing) {
                throw new IOException("no space");
            }
            while (bytes.hasRemaining()) {
                lines += bytes.get() == '\n' ? 1 : 0;
            }
        }

        @Override
        public void reopen() throws IOException {
            throw new IOException("cannot be reopened");
        }

        @Override
        public void close() throws IOException {
            throw new IOException("cannot be closed");
        }
    }

    @Test
    void writerSurvivesFailingSink() {
        var sink = new FailingSink();
        var log = new AccessLogWriter(sink, settings());
        log.start();
        log.log(entry("/lost"));
        Patience.until("a line is lost", () -> log.lost() == 1);
        log.reopen();
        sink.isFailing = false;
        log.log(entry("/written"));
        log.close();
        assertEquals(1, sink.lines);
        assertEquals(1, log.lost());
    }

    @Test
    void entriesAfterCloseAreLost() throws IOException {
        AccessLogWriter log = AccessLogWriter.open(settings());
        log.log(entry("/a"));
        log.close();
        log.log(entry("/b"));
        log.close();
        assertEquals(1, log.lost());
        assertEquals(1, lines("a.log").size());
    }

    @Test
    void fullFileIsRotatedWhileWriting() throws IOException {
        AccessLogWriter log = AccessLogWriter.open(settings().withRotateAt(4096).withKeep(100));
        for (int i = 0; i < 50; i++) {
            log.log(entry("/" + "x".repeat(200)));
            int lines = i + 1;
            Patience.until("it is written", () -> written() == lines);
        }
        log.close();
        assertTrue(Files.size(folder.resolve("a.log")) <= 4096);
        assertTrue(Files.size(folder.resolve("a.log.1")) <= 4096);
        assertEquals(0, log.lost());
    }

    private int written() {
        int count = 0;
        try (var all = Files.list(folder)) {
            for (Path file : all.toList()) {
                count += Files.readAllLines(file).size();
            }
        } catch (IOException e) {
            return -1; // a file was renamed meanwhile
        }
        return count;
    }

    @Test
    void fileThatCannotBeOpenedIsNamed() {
        Path wrong = folder.resolve("none/a.log");
        var e =
                assertThrows(
                        IOException.class,
                        () -> AccessLogWriter.open(settings().withFile(Optional.of(wrong))));
        assertTrue(String.valueOf(e.getMessage()).startsWith("cannot write the access log"));
        assertTrue(String.valueOf(e.getMessage()).contains("none/a.log"), e::getMessage);
    }

    @Test
    void settingsOutOfRangeAreRejected() {
        AccessSettings settings = settings();
        assertEquals(4096, settings.withRotateAt(4096).rotateAt());
        assertThrows(IllegalArgumentException.class, () -> settings.withRotateAt(4095));
        assertThrows(IllegalArgumentException.class, () -> settings.withRotateAt(-1));
        assertThrows(IllegalArgumentException.class, () -> settings.withKeep(-1));
        assertThrows(IllegalArgumentException.class, () -> settings.withKeep(1001));
        assertThrows(IllegalArgumentException.class, () -> settings.withQueueMax(1023));
        assertThrows(IllegalArgumentException.class, () -> settings.withQueueMax((1 << 20) + 1));
    }
}
