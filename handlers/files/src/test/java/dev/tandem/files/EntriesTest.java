package dev.tandem.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What a folder of very many files costs.
class EntriesTest {
    private static final int MILLION = 1_000_000;

    private final AtomicInteger looks = new AtomicInteger();

    private static Iterable<Path> million() {
        return () -> Stream.generate(() -> Path.of("file")).limit(MILLION).iterator();
    }

    private Entries.Entry shown(Path path) {
        looks.incrementAndGet();
        return new Entries.Entry(path.toString(), false, 1, 1);
    }

    @Test
    void ofAMillionFilesAsManyAreReadAsAreListed() {
        Entries entries = Entries.of(million(), this::shown, 1_000);
        assertTrue(entries.isCut());
        assertEquals(1_000, entries.list().size());
        assertEquals(1_000, looks.get());
    }

    @Test
    void aMillionFilesThatAreNotShownAreNotAllPassedOver() {
        Entries entries =
                Entries.of(
                        million(),
                        _ -> {
                            looks.incrementAndGet();
                            return null;
                        },
                        1_000);
        assertTrue(entries.isCut());
        assertEquals(Entries.PASSED_MAX, looks.get());
    }

    @Test
    void whatEndsIsNotCut() {
        Entries entries = Entries.of(Stream.of(Path.of("a")).toList(), this::shown, 1);
        assertEquals(1, entries.list().size());
        assertTrue(!entries.isCut());
    }
}
