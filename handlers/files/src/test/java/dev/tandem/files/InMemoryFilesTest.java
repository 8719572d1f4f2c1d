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
    private static final int CHARGE = SIZE + FolderOptions.ENTRY_BYTES;

    private Path root;
    private InMemoryFiles hot;

    @BeforeEach
    void createFiles(@TempDir Path folder) {
        root = folder;
        hot = new InMemoryFiles(3 * CHARGE, SIZE, InMemoryFile::load);
    }

    @Test
    void foundFileIsHeld() throws IOException {
        find("a");
        assertNotNull(hot.get("a"));
        assertEquals(CHARGE, hot.heldBytes());
    }

    @Test
    void tooLargeFileIsNotHeld() throws IOException {
        Shelved.write(root.resolve("a"), "x".repeat(SIZE + 1));
        find("a");
        assertEquals(0, hot.count());
    }

    @Test
    void unstableFileIsNotHeld() throws IOException {
        Path file = Shelved.write(root.resolve("a"), "new");
        Document document = document("a");
        FileMetadata metadata = FileMetadata.of(document, document.stamp().modifiedNanos());
        hot.update(new ResolvedFile("a", document, metadata, 0));
        assertTrue(Files.exists(file));
        assertEquals(0, hot.count());
    }

    @Test
    void fileChangedSinceItsLookupIsNotHeld() throws IOException {
        Shelved.write(root.resolve("a"), "first");
        Document document = document("a");
        Shelved.write(root.resolve("a"), "other", Shelved.LONG_AGO.plusMillis(1));
        hot.update(new ResolvedFile("a", document, stable(document), 0));
        assertEquals(0, hot.count());
    }

    @Test
    void fileTruncatedSinceItsLookupIsNotHeld() throws IOException {
        Shelved.write(root.resolve("a"), "first");
        Document document = document("a");
        Shelved.write(root.resolve("a"), "1st");
        hot.update(new ResolvedFile("a", document, stable(document), 0));
        assertEquals(0, hot.count());
    }

    @Test
    void fileRemovedSinceItsLookupIsNotHeld() throws IOException {
        Shelved.write(root.resolve("a"), "first");
        Document document = document("a");
        Files.delete(root.resolve("a"));
        hot.update(new ResolvedFile("a", document, stable(document), 0));
        assertEquals(0, hot.count());
    }

    @Test
    void unchangedFileRemainsHeld() throws IOException {
        find("a");
        InMemoryFile before = hot.get("a");
        find("a");
        assertSame(before, hot.get("a"));
    }

    @Test
    void changedFileIsReplaced() throws IOException {
        find("a");
        Shelved.write(root.resolve("a"), "other", Shelved.LONG_AGO.plusMillis(1));
        Document document = document("a");
        hot.update(new ResolvedFile("a", document, stable(document), 0));
        InMemoryFile held = hot.get("a");
        assertNotNull(held);
        assertTrue(held.isSameAs(document));
        assertEquals(5 + FolderOptions.ENTRY_BYTES, hot.heldBytes());
    }

    @Test
    void removedFileIsNotHeld() throws IOException {
        find("a");
        hot.remove("a");
        assertNull(hot.get("a"));
        assertEquals(0, hot.heldBytes());
    }

    @Test
    void removedMemoryIsCountedUntilItsCollection() throws IOException {
        find("a");
        hot.remove("a");
        assertEquals(SIZE, hot.retiredBytes());
        for (int i = 0; i < 100 && hot.retiredBytes() > 0; i++) {
            System.gc();
        }
        assertEquals(0, hot.retiredBytes());
    }

    @Test
    void newFileRequestedOnceEvictsNone() throws IOException {
        find("a", "b", "c", "d");
        assertNull(hot.get("d"));
        assertEquals(3 * CHARGE, hot.heldBytes());
    }

    @Test
    void newFileRequestedAgainEvictsTheEldest() throws IOException {
        find("a", "b", "c", "d", "d");
        assertNull(hot.get("a"));
        assertNotNull(hot.get("d"));
        assertEquals(3 * CHARGE, hot.heldBytes());
    }

    @Test
    void usedFileGetsASecondChance() throws IOException {
        find("a", "b", "c");
        use("a");
        find("d", "d");
        assertNotNull(hot.get("a"));
        assertNull(hot.get("b"));
    }

    @Test
    void secondChanceIsTheLast() throws IOException {
        find("a", "b", "c");
        use("a");
        find("d", "d", "e", "e", "f", "f");
        assertNull(hot.get("a"));
    }

    @Test
    void eldestIsEvictedIfAllWereUsed() throws IOException {
        find("a", "b", "c");
        use("a");
        use("b");
        use("c");
        find("d", "d");
        assertNull(hot.get("a"));
        assertNotNull(hot.get("b"));
    }

    @Test
    void noFileIsEvictedWhileTooMuchIsRetired() throws IOException {
        hot = new InMemoryFiles(2 * CHARGE, SIZE, InMemoryFile::load);
        var used = new ArrayList<@Nullable InMemoryFile>(); // by active responses
        for (String tail : List.of("a", "b", "c", "d", "e")) {
            find(tail, tail);
            used.add(hot.get(tail));
        }
        assertEquals(2 * SIZE, hot.retiredBytes());
        assertNotNull(hot.get("c"));
        assertNull(hot.get("e"));
        Reference.reachabilityFence(used);
    }

    @Test
    void fileLargerThanTheCapacityIsNotHeld() throws IOException {
        hot = new InMemoryFiles(CHARGE - 1, SIZE, InMemoryFile::load);
        find("a", "a");
        assertEquals(0, hot.count());
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
        InMemoryFile file = hot.get(tail);
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
            hot.update(new ResolvedFile(tail, document, stable(document), 0));
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
