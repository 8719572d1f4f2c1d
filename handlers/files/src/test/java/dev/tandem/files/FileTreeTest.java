package dev.tandem.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.sun.management.ThreadMXBean;
import dev.tandem.files.FileLookup.Document;
import dev.tandem.files.FileLookup.Forbidden;
import dev.tandem.files.FileLookup.MissingSlash;
import dev.tandem.files.FileLookup.NotFound;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FileTreeTest {
    private Path temp;
    private Path root;
    private Path outside;
    private FileTree tree;

    /// ```
    /// site/a.txt  site/sub/index.htm  site/empty/  site/.hidden
    /// site-secret/key.txt
    /// ```
    @BeforeEach
    void makeTree(@TempDir Path folder) throws IOException {
        temp = folder.toRealPath();
        root = Files.createDirectory(temp.resolve("site"));
        // Its path has the root's path as a string prefix.
        outside = Files.createDirectory(temp.resolve("site-secret"));
        Files.writeString(outside.resolve("key.txt"), "secret");
        Files.writeString(root.resolve("a.txt"), "a");
        Files.writeString(root.resolve(".hidden"), "hidden");
        Files.createDirectories(root.resolve("sub/deep"));
        Files.writeString(root.resolve("sub/index.htm"), "index");
        Files.createDirectory(root.resolve("empty"));
        tree = new FileTree(root, FolderOptions.DEFAULT);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "missing",
                "missing/",
                "sub/missing",
                "empty/",
                "",
                "a.txt/",
                "a.txt/b",
                "a.txt/b/c/",
                "A.TXT",
                "a.txt.",
                "a.txt ",
                "a.txt%00",
                ".hidden",
                "..",
                "../site-secret/key.txt",
                "sub/../../site-secret/key.txt",
                "/etc/hostname",
                "sub//index.htm",
                "..\\site-secret\\key.txt",
                "a.txt\0.html",
                "%2e%2e/site-secret/key.txt",
                "\ud800"
            })
    void invisiblePathIsNotFound(String tail) throws IOException {
        assertEquals(NotFound.NOT_FOUND, tree.find(tail));
    }

    /// The second and third are too long only with the root.
    @ParameterizedTest
    @CsvSource({"a.txt/, 4000", "a.txt/, 2040", "sub/, 2044"})
    void longPathIsNotFound(String begin, int names) throws IOException {
        assertEquals(NotFound.NOT_FOUND, tree.find(begin + "a/".repeat(names) + "a"));
    }

    /// Deeper ones would cost the square of their length.
    @ParameterizedTest
    @CsvSource({"255, true", "256, false"})
    void patternsAreMatchedWithAtMost256Names(int folders, boolean isVisible) {
        var options = FolderOptions.DEFAULT.withHidden(List.of(Glob.of("*.php")));
        assertEquals(isVisible, new FileTree(root, options).isVisible("a/".repeat(folders) + "a"));
        assertTrue(tree.isVisible("a/".repeat(folders) + "a"));
    }

    /// From the deepest name up, each of 2,000 calls allocated two times 10 KB.
    @Test
    void longPathBelowAFileTakesFewSteps() throws IOException {
        String tail = "a.txt/" + "a/".repeat(1_900) + "a";
        tree.find(tail);
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        assertEquals(NotFound.NOT_FOUND, tree.find(tail));
        long bytes = threads.getCurrentThreadAllocatedBytes() - before;
        assertTrue(bytes < 2_000_000, bytes + " bytes allocated");
    }

    @ParameterizedTest
    @CsvSource({"a.txt, a.txt", "sub/, sub/index.htm", "sub/index.htm, sub/index.htm"})
    void filesAreFound(String tail, String path) throws IOException {
        assertEquals(root.resolve(path), document(tail).path());
    }

    @ParameterizedTest
    @ValueSource(strings = {"sub", "empty", "sub/deep"})
    void folderWithoutItsSlashIsRecognized(String tail) throws IOException {
        assertEquals(MissingSlash.MISSING_SLASH, tree.find(tail));
    }

    @Test
    void firstExistingIndexFileIsFound() throws IOException {
        Files.writeString(root.resolve("sub/index.html"), "first");
        assertEquals(root.resolve("sub/index.html"), document("sub/").path());
    }

    @Test
    void folderIsNoIndexFile() throws IOException {
        Files.createDirectory(root.resolve("sub/index.html"));
        assertEquals(root.resolve("sub/index.htm"), document("sub/").path());
    }

    @Test
    void folderWithoutIndexFilesIsNotFound() throws IOException {
        var bare = new FileTree(root, FolderOptions.DEFAULT.withIndexFiles(List.of()));
        assertEquals(NotFound.NOT_FOUND, bare.find("sub/"));
    }

    @ParameterizedTest
    @CsvSource({
        "file, site-secret/key.txt",
        "folder/key.txt, site-secret",
        "up/site-secret/key.txt, ."
    })
    void outwardLinkIsNotFound(String tail, String target) throws IOException {
        String link = tail.substring(0, (tail + "/").indexOf('/'));
        Files.createSymbolicLink(root.resolve(link), temp.resolve(target));
        assertEquals(NotFound.NOT_FOUND, tree.find(tail));
    }

    @Test
    void indirectOutwardLinkIsNotFound() throws IOException {
        Files.createSymbolicLink(root.resolve("first"), Path.of("second"));
        Files.createSymbolicLink(root.resolve("second"), Path.of("../site-secret/key.txt"));
        assertEquals(NotFound.NOT_FOUND, tree.find("first"));
    }

    @Test
    void outwardIndexFileIsNotFound() throws IOException {
        Files.createSymbolicLink(root.resolve("empty/index.html"), outside.resolve("key.txt"));
        assertEquals(NotFound.NOT_FOUND, tree.find("empty/"));
    }

    @Test
    void inwardLinkIsFollowedToItsRealPath() throws IOException {
        Files.createSymbolicLink(root.resolve("link"), root.resolve("sub"));
        assertEquals(root.resolve("sub/index.htm"), document("link/index.htm").path());
    }

    @Test
    void linkIsFollowedIntoAHiddenFolder() throws IOException {
        Files.createDirectory(root.resolve("..2026"));
        Files.writeString(root.resolve("..2026/page.html"), "page");
        Files.createSymbolicLink(root.resolve("..data"), Path.of("..2026"));
        Files.createSymbolicLink(root.resolve("page.html"), Path.of("..data/page.html"));
        assertEquals(root.resolve("..2026/page.html"), document("page.html").path());
    }

    @Test
    void linkKeepsTheRequestedName() throws IOException {
        Files.createSymbolicLink(root.resolve("page.html"), root.resolve("a.txt"));
        assertEquals("page.html", document("page.html").name());
    }

    @ParameterizedTest
    @ValueSource(strings = {"link", "folder/index.htm", "circle", "broken"})
    void linksAreNotFoundIfNotFollowed(String tail) throws IOException {
        Files.createSymbolicLink(root.resolve("link"), root.resolve("a.txt"));
        Files.createSymbolicLink(root.resolve("folder"), root.resolve("sub"));
        Files.createSymbolicLink(root.resolve("circle"), Path.of("circle"));
        Files.createSymbolicLink(root.resolve("broken"), Path.of("nowhere"));
        var strict = new FileTree(root, FolderOptions.DEFAULT.withLinks(Links.NONE));
        assertEquals(NotFound.NOT_FOUND, strict.find(tail));
    }

    @Test
    void filesAreFoundIfLinksAreNotFollowed() throws IOException {
        var strict = new FileTree(root, FolderOptions.DEFAULT.withLinks(Links.NONE));
        assertInstanceOf(Document.class, strict.find("sub/index.htm"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"circle", "circle/", "circle/a", "broken"})
    void brokenLinkIsNotFound(String tail) throws IOException {
        Files.createSymbolicLink(root.resolve("circle"), Path.of("circle"));
        Files.createSymbolicLink(root.resolve("broken"), Path.of("nowhere"));
        assertEquals(NotFound.NOT_FOUND, tree.find(tail));
    }

    @Test
    void linkedRootIsResolvedForEachRequest() throws IOException {
        Path current = Files.createSymbolicLink(temp.resolve("current"), root);
        var released = new FileTree(current, FolderOptions.DEFAULT);
        Files.delete(current);
        Files.createSymbolicLink(current, outside);
        assertInstanceOf(Document.class, released.find("key.txt"));
    }

    @Test
    void removedRootHasNoFiles() throws IOException {
        Path gone = Files.createDirectory(temp.resolve("gone"));
        var empty = new FileTree(gone, FolderOptions.DEFAULT);
        Files.delete(gone);
        assertEquals(NotFound.NOT_FOUND, empty.find("a.txt"));
    }

    @Test
    void rootThatIsNoFolderIsRejected() {
        Path file = root.resolve("a.txt");
        var error =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> new FileTree(file, FolderOptions.DEFAULT));
        assertEquals("not a folder: " + file, error.getMessage());
    }

    @Test
    void socketIsNotFound() throws IOException {
        try (var socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            socket.bind(UnixDomainSocketAddress.of(root.resolve("socket")));
            assertEquals(NotFound.NOT_FOUND, tree.find("socket"));
        }
    }

    @Test
    void unreadableFileIsForbidden() throws IOException {
        Path file = root.resolve("a.txt");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("-wx-wx-wx"));
        assumeFalse(Files.isReadable(file), "skipped: root may read everything");
        assertEquals(Forbidden.FORBIDDEN, tree.find("a.txt"));
    }

    @Test
    void inaccessibleFolderIsForbidden() throws IOException {
        Path folder = root.resolve("sub");
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rw-rw-rw-"));
        try {
            assumeFalse(Files.isExecutable(folder), "skipped: root may enter everything");
            assertEquals(Forbidden.FORBIDDEN, tree.find("sub/index.htm"));
        } finally {
            Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        }
    }

    private Document document(String tail) throws IOException {
        return assertInstanceOf(Document.class, tree.find(tail));
    }
}
