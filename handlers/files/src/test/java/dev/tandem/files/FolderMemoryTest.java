package dev.tandem.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.tandem.testkit.FakeClock;
import dev.tandem.testkit.Shelved;
import dev.tandem.testkit.server.Counted;
import dev.tandem.testkit.server.Web;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Which responses come from memory, and for how long.
class FolderMemoryTest {
    private static final Duration RECHECK = FolderOptions.DEFAULT.recheck();

    /// Too large for memory.
    private static final int LARGE = FolderOptions.DEFAULT.cacheFileMax() + 1;

    private final FakeClock clock = new FakeClock(-5);
    private Path root;
    private Path file;
    private Folder folder;
    private Counted counted;
    private Web web;

    @BeforeEach
    void serve(@TempDir Path temp) throws IOException {
        root = temp;
        file = Shelved.write(root.resolve("a.txt"), "first");
        start(FolderOptions.DEFAULT);
    }

    private void start(FolderOptions options) throws IOException {
        long wall = System.currentTimeMillis() * 1_000_000L;
        folder = Folder.of(root, options, clock::nanos, () -> wall);
        counted = new Counted(folder);
        web = Web.of(counted);
    }

    @AfterEach
    void stop() {
        web.close();
    }

    @Test
    void secondRequestIsServedFromMemory() throws IOException {
        web.get("/a.txt");
        assertEquals("first", web.get("/a.txt").text());
        assertEquals(1, counted.fromMemory());
    }

    @Test
    void indexFileIsServedFromMemory() throws IOException {
        Shelved.write(root.resolve("index.html"), "index");
        web.get("/");
        assertEquals("index", web.get("/").text());
        assertEquals(1, counted.fromMemory());
    }

    @Test
    void changeIsInvisibleWithinTheRecheckTime() throws IOException {
        web.get("/a.txt");
        Shelved.replace(file, "second", Shelved.LONG_AGO);
        clock.advance(RECHECK.minusNanos(1));
        assertEquals("first", web.get("/a.txt").text());
    }

    @Test
    void changeIsVisibleAfterTheRecheckTime() throws IOException {
        web.get("/a.txt");
        Shelved.replace(file, "second", Shelved.LONG_AGO);
        clock.advance(RECHECK);
        assertEquals("second", web.get("/a.txt").text());
        assertEquals("second", web.get("/a.txt").text());
        assertEquals(1, counted.fromMemory());
    }

    @Test
    void unchangedFileIsCheckedOncePerRecheckTime() throws IOException {
        for (int i = 0; i < 4; i++) {
            web.get("/a.txt");
            web.get("/a.txt");
            clock.advance(RECHECK);
        }
        assertEquals(4, counted.fromDisk());
        assertEquals(4, counted.fromMemory());
    }

    @Test
    void removedFileIs404AfterTheRecheckTime() throws IOException {
        web.get("/a.txt");
        Files.delete(file);
        clock.advance(RECHECK);
        assertEquals(404, web.get("/a.txt").status());
        assertEquals(404, web.get("/a.txt").status());
        assertEquals(0, counted.fromMemory());
    }

    @Test
    void fileThatBecameAnOutwardLinkIs404AfterTheRecheckTime(@TempDir Path outside)
            throws IOException {
        web.get("/a.txt");
        Path secret = Shelved.write(outside.resolve("secret"), "first");
        Files.delete(file);
        Files.createSymbolicLink(file, secret);
        clock.advance(RECHECK);
        assertEquals(404, web.get("/a.txt").status());
        assertEquals(404, web.get("/a.txt").status());
    }

    @Test
    void missingFileIsNotRemembered() throws IOException {
        assertEquals(404, web.get("/late.txt").status());
        Shelved.write(root.resolve("late.txt"), "late");
        assertEquals("late", web.get("/late.txt").text());
    }

    @Test
    void conditionalRequestIsServedFromMemory() throws IOException {
        String etag = web.get("/a.txt").field("ETag");
        assertEquals(304, web.get("/a.txt", "If-None-Match: " + etag).status());
        assertEquals(1, counted.fromMemory());
    }

    @Test
    void rangeIsServedFromDisk() throws IOException {
        web.get("/a.txt");
        assertEquals("fi", web.get("/a.txt", "Range: bytes=0-1").text());
        assertEquals(0, counted.fromMemory());
    }

    @Test
    void largeFileIsServedFromDisk() throws IOException {
        Shelved.write(file, "x".repeat(LARGE));
        web.get("/a.txt");
        web.get("/a.txt");
        assertEquals(0, counted.fromMemory());
    }

    @Test
    void changeOfALargeFileIsVisibleAtOnce() throws IOException {
        Shelved.write(file, "x".repeat(LARGE));
        web.get("/a.txt");
        Shelved.replace(file, "y".repeat(LARGE), Shelved.LONG_AGO.plusSeconds(1));
        assertEquals("y".repeat(LARGE), web.get("/a.txt").text());
    }

    @Test
    void changeOfALargeFileIsVisibleAtOnceInItsRanges() throws IOException {
        Shelved.write(file, "x".repeat(LARGE));
        web.get("/a.txt");
        Shelved.replace(file, "y".repeat(LARGE), Shelved.LONG_AGO.plusSeconds(1));
        Web.Response parts = web.get("/a.txt", "Range: bytes=0-1,1000-1001");
        assertEquals(206, parts.status());
        assertTrue(parts.text().contains("\r\n\r\nyy\r\n--"));
    }

    @Test
    void removedLargeFileIs404AtOnce() throws IOException {
        Shelved.write(file, "x".repeat(LARGE));
        web.get("/a.txt");
        Files.delete(file);
        assertEquals(404, web.get("/a.txt").status());
    }

    @Test
    void largeFileThatBecameAnOutwardLinkIs404AtOnce(@TempDir Path outside) throws IOException {
        Shelved.write(file, "x".repeat(LARGE));
        web.get("/a.txt");
        Path secret = Shelved.write(outside.resolve("secret"), "x".repeat(LARGE));
        Files.delete(file);
        Files.createSymbolicLink(file, secret);
        assertEquals(404, web.get("/a.txt").status());
    }

    @Test
    void largeFileWhoseFolderBecameAnOutwardLinkIs404AtOnce(@TempDir Path outside)
            throws IOException {
        Path folder = Files.createDirectory(root.resolve("sub"));
        Shelved.write(folder.resolve("b.txt"), "x".repeat(LARGE));
        assertEquals(200, web.get("/sub/b.txt").status());
        Shelved.write(outside.resolve("b.txt"), "y".repeat(LARGE));
        Files.delete(folder.resolve("b.txt"));
        Files.delete(folder);
        Files.createSymbolicLink(folder, outside);
        assertEquals(404, web.get("/sub/b.txt").status());
    }

    @Test
    void replacementOfTheSameSizeAndTimeIsDetectedAfterTheRecheckTime() throws IOException {
        web.get("/a.txt");
        Shelved.replace(file, "other", Shelved.LONG_AGO);
        clock.advance(RECHECK);
        assertEquals("other", web.get("/a.txt").text());
        assertEquals("other", web.get("/a.txt").text());
    }

    @Test
    void folderWithoutMemoryServesFromDisk() throws IOException {
        web.close();
        start(FolderOptions.DEFAULT.withCacheBytes(0));
        web.get("/a.txt");
        assertEquals("first", web.get("/a.txt").text());
        assertEquals(0, counted.fromMemory());
    }

    @Test
    void folderWithoutRecheckTimeServesFromDisk() throws IOException {
        web.close();
        start(FolderOptions.DEFAULT.withRecheck(Duration.ZERO));
        web.get("/a.txt");
        assertEquals("first", web.get("/a.txt").text());
        assertEquals(0, counted.fromMemory());
    }

    @Test
    void otherMethodsAreNotServedFromMemory() throws IOException {
        web.get("/a.txt");
        assertNotNull(folder.preparedResponse(new TestRequestHead("HEAD"), "a.txt"));
        assertNull(folder.preparedResponse(new TestRequestHead("POST"), "a.txt"));
    }

    @Test
    void memoryHitAllocatesNothing() throws IOException {
        web.get("/a.txt");
        TestRequestHead head = TestRequestHead.get();
        assertNotNull(folder.preparedResponse(head, "a.txt"));
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        threads.getCurrentThreadAllocatedBytes();
        long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 1_000; i++) {
            folder.preparedResponse(head, "a.txt");
        }
        assertEquals(0, threads.getCurrentThreadAllocatedBytes() - before);
    }
}
