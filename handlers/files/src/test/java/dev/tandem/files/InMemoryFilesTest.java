package dev.tandem.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.files.FileLookup.Document;
import dev.tandem.files.ResolvedFiles.ResolvedFile;
import dev.tandem.testkit.Shelved;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InMemoryFilesTest {
    private static final int SIZE = 3_072;
    private static final int NAME_BYTES = 2;
    private static final int CHARGE = SIZE + FolderOptions.ENTRY_BYTES + NAME_BYTES;

    private Path root;
    private InMemoryFiles cache;

    @BeforeEach
    void createFiles(@TempDir Path folder) {
        root = folder;
        cache = new InMemoryFiles(3 * CHARGE, SIZE, InMemoryFile::load);
    }

    @Test
    void foundFileIsHeld() throws IOException {
        find("a");
        assertNotNull(cache.get("a"));
        assertEquals(CHARGE, cache.heldBytes());
    }

    @Test
    void tooLargeFileIsNotHeld() throws IOException {
        Shelved.write(root.resolve("a"), "x".repeat(SIZE + 1));
        find("a");
        assertEquals(0, cache.count());
    }

    @Test
    void unstableFileIsNotHeld() throws IOException {
        Path file = Shelved.write(root.resolve("a"), "new");
        Document document = document("a");
        FileMetadata metadata = FileMetadata.of(document, document.stamp().modifiedNanos());
        cache.update(new ResolvedFile("a", document, metadata, 0));
        assertTrue(Files.exists(file));
        assertEquals(0, cache.count());
    }

    @Test
    void fileChangedSinceItsLookupIsNotHeld() throws IOException {
        Shelved.write(root.resolve("a"), "first");
        Document document = document("a");
        Shelved.write(root.resolve("a"), "other", Shelved.LONG_AGO.plusMillis(1));
        cache.update(new ResolvedFile("a", document, stable(document), 0));
        assertEquals(0, cache.count());
    }

    @Test
    void fileTruncatedSinceItsLookupIsNotHeld() throws IOException {
        Shelved.write(root.resolve("a"), "first");
        Document document = document("a");
        Shelved.write(root.resolve("a"), "1st");
        cache.update(new ResolvedFile("a", document, stable(document), 0));
        assertEquals(0, cache.count());
    }

    @Test
    void fileRemovedSinceItsLookupIsNotHeld() throws IOException {
        Shelved.write(root.resolve("a"), "first");
        Document document = document("a");
        Files.delete(root.resolve("a"));
        cache.update(new ResolvedFile("a", document, stable(document), 0));
        assertEquals(0, cache.count());
    }

    @Test
    void unchangedFileRemainsHeld() throws IOException {
        find("a");
        InMemoryFile before = cache.get("a");
        find("a");
        assertSame(before, cache.get("a"));
    }

    @Test
    void changedFileIsReplaced() throws IOException {
        find("a");
        Shelved.write(root.resolve("a"), "other", Shelved.LONG_AGO.plusMillis(1));
        Document document = document("a");
        cache.update(new ResolvedFile("a", document, stable(document), 0));
        InMemoryFile held = cache.get("a");
        assertNotNull(held);
        assertTrue(held.isSameAs(document));
        assertEquals(5 + FolderOptions.ENTRY_BYTES + NAME_BYTES, cache.heldBytes());
    }

    @Test
    void removedFileIsNotHeld() throws IOException {
        find("a");
        cache.remove("a");
        assertNull(cache.get("a"));
        assertEquals(0, cache.heldBytes());
    }

    @Test
    void removedMemoryIsCountedUntilItsCollection() throws IOException {
        find("a");
        cache.remove("a");
        assertEquals(SIZE, cache.retiredBytes());
        for (int i = 0; i < 100 && cache.retiredBytes() > 0; i++) {
            System.gc();
        }
        assertEquals(0, cache.retiredBytes());
    }

    @Test
    void newFileRequestedOnceEvictsNone() throws IOException {
        find("a", "b", "c", "d");
        assertNull(cache.get("d"));
        assertEquals(3 * CHARGE, cache.heldBytes());
    }

    @Test
    void newFileRequestedAgainEvictsTheEldest() throws IOException {
        find("a", "b", "c", "d", "d");
        assertNull(cache.get("a"));
        assertNotNull(cache.get("d"));
        assertEquals(3 * CHARGE, cache.heldBytes());
    }

    @Test
    void usedFileGetsASecondChance() throws IOException {
        find("a", "b", "c");
        use("a");
        find("d", "d");
        assertNotNull(cache.get("a"));
        assertNull(cache.get("b"));
    }

    @Test
    void secondChanceIsTheLast() throws IOException {
        find("a", "b", "c");
        use("a");
        find("d", "d", "e", "e", "f", "f");
        assertNull(cache.get("a"));
    }

    @Test
    void eldestIsEvictedIfAllWereUsed() throws IOException {
        find("a", "b", "c");
        use("a");
        use("b");
        use("c");
        find("d", "d");
        assertNull(cache.get("a"));
        assertNotNull(cache.get("b"));
    }

    @Test
    void noFileIsEvictedWhileTooMuchIsRetired() throws IOException {
        cache = new InMemoryFiles(2 * CHARGE, SIZE, InMemoryFile::load);
        var used = new ArrayList<@Nullable InMemoryFile>(); // by active responses
        for (String tail : List.of("a", "b", "c", "d", "e")) {
            find(tail, tail);
            used.add(cache.get(tail));
        }
        assertEquals(2 * SIZE, cache.retiredBytes());
        assertNotNull(cache.get("c"));
        assertNull(cache.get("e"));
        Reference.reachabilityFence(used);
    }

    @Test
    void fileLargerThanTheCapacityIsNotHeld() throws IOException {
        cache = new InMemoryFiles(CHARGE - 1, SIZE, InMemoryFile::load);
        find("a", "a");
        assertEquals(0, cache.count());
    }

    /// Paths have up to 4,095 bytes: many small files with long ones fill the heap.
    @Test
    void lengthOfThePathCounts() throws IOException {
        find("abc");
        assertEquals(CHARGE + 2 * NAME_BYTES, cache.heldBytes());
        find("a", "b");
        assertEquals(2, cache.count());
        cache.remove("abc");
        assertEquals(CHARGE, cache.heldBytes());
    }

    @Test
    void shrunkenCapacityAdmitsLess() {
        var shelf = new ClockEviction(2 * CHARGE);
        assertTrue(shelf.admits("a", SIZE + 1));
        shelf.shrink();
        assertTrue(shelf.admits("a", SIZE));
        assertFalse(shelf.admits("a", SIZE + 1));
    }

    private void use(String tail) {
        InMemoryFile file = cache.get(tail);
        assertNotNull(file);
        assertNotNull(file.response(TestRequestHead.get(), 0, 1));
    }

    /// Looks up files of [#SIZE] bytes.
    private void find(String... tails) throws IOException {
        for (String tail : tails) {
            Path file = root.resolve(tail);
            if (!Files.exists(file)) {
                Shelved.write(file, "x".repeat(SIZE));
            }
            Document document = document(tail);
            cache.update(new ResolvedFile(tail, document, stable(document), 0));
        }
    }

    private Document document(String tail) throws IOException {
        return assertInstanceOf(
                Document.class, new FileTree(root, FolderOptions.DEFAULT).find(tail));
    }

    private static FileMetadata stable(Document document) {
        return FileMetadata.of(document, document.stamp().modifiedNanos() + 3_000_000_000L);
    }
}
