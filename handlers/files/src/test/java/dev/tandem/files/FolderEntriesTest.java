package dev.tandem.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The cost of a folder with very many files.
class FolderEntriesTest {
    private static final int MILLION = 1_000_000;

    private final AtomicInteger entriesRead = new AtomicInteger();

    private static Iterable<Path> million() {
        return () -> Stream.generate(() -> Path.of("file")).limit(MILLION).iterator();
    }

    private FolderEntries.Entry shown(Path path) {
        entriesRead.incrementAndGet();
        return new FolderEntries.Entry(path.toString(), false, 1, 1);
    }

    @Test
    void listingReadsOnlyAsManyFilesAsItLists() {
        FolderEntries entries = FolderEntries.of(million(), this::shown, 1_000);
        assertTrue(entries.isTruncated());
        assertEquals(1_000, entries.list().size());
        assertEquals(1_000, entriesRead.get());
    }

    @Test
    void numberOfHiddenFilesSkippedIsBounded() {
        FolderEntries entries =
                FolderEntries.of(
                        million(),
                        _ -> {
                            entriesRead.incrementAndGet();
                            return null;
                        },
                        1_000);
        assertTrue(entries.isTruncated());
        assertEquals(FolderEntries.SKIPPED_MAX, entriesRead.get());
    }

    @Test
    void completeListingIsNotTruncated() {
        FolderEntries entries = FolderEntries.of(Stream.of(Path.of("a")).toList(), this::shown, 1);
        assertEquals(1, entries.list().size());
        assertTrue(!entries.isTruncated());
    }
}
