package dev.tandem.logs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileSinkTest {
    private static ByteBuffer line(String line) {
        return ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void sinkRecoversWhenFileCanBeOpened(@TempDir Path folder) throws IOException {
        Path file = Files.createDirectory(folder.resolve("logs")).resolve("a.log");
        var sink = new FileSink(file, 0, 0);
        sink.write(line("one"));
        Path away = Files.move(file.getParent(), folder.resolve("away"));
        assertThrows(IOException.class, sink::reopen);
        assertThrows(IOException.class, () -> sink.write(line("lost")));
        Files.move(away, file.getParent());
        sink.write(line("two"));
        sink.close();
        assertEquals("one\ntwo\n", Files.readString(file));
    }

    private static byte[] bytes(int length) {
        return "x".repeat(length - 1).concat("\n").getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void fileIsRotatedBeforeItWouldExceedItsSize(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("a.log");
        var sink = new FileSink(file, 5000, 3);
        sink.write(ByteBuffer.wrap(bytes(2500)));
        sink.write(ByteBuffer.wrap(bytes(2500)));
        assertEquals(5000, Files.size(file));
        sink.write(ByteBuffer.wrap(bytes(1)));
        sink.close();
        assertEquals(1, Files.size(file));
        assertEquals(5000, Files.size(folder.resolve("a.log.1")));
    }

    @Test
    void lineLongerThanTheSizeIsWrittenWhole(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("a.log");
        var sink = new FileSink(file, 5000, 3);
        sink.write(ByteBuffer.wrap(bytes(9000)));
        sink.close();
        assertEquals(9000, Files.size(file));
        assertTrue(Files.notExists(folder.resolve("a.log.1")));
    }

    @Test
    void existingContentCountsForRotation(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("a.log"), bytes(4999));
        var sink = new FileSink(file, 5000, 1);
        sink.write(ByteBuffer.wrap(bytes(2)));
        sink.close();
        assertEquals(2, Files.size(file));
        assertEquals(4999, Files.size(folder.resolve("a.log.1")));
    }

    @Test
    void rotationWithoutOldFilesDeletesTheFile(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("a.log");
        var sink = new FileSink(file, 5000, 0);
        sink.write(ByteBuffer.wrap(bytes(4000)));
        sink.write(ByteBuffer.wrap(bytes(4001)));
        sink.close();
        assertEquals(4001, Files.size(file));
        try (var all = Files.list(folder)) {
            assertEquals(1, all.count());
        }
    }

    @Test
    void fileIsNotRotatedWithoutASize(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("a.log");
        var sink = new FileSink(file, 0, 3);
        for (int i = 0; i < 10; i++) {
            sink.write(ByteBuffer.wrap(bytes(10_000)));
        }
        sink.close();
        assertEquals(100_000, Files.size(file));
    }

    /// Such as for a folder that the server's user may not write: all lines would be lost from then
    /// on.
    @Test
    void fileThatCannotBeRotatedGrows(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("a.log");
        Path inTheWay = Files.createDirectories(folder.resolve("a.log.1").resolve("a"));
        var sink = new FileSink(file, 6, 1);
        sink.write(line("one"));
        for (String each : List.of("two", "three")) {
            ByteBuffer line = line(each);
            var e = assertThrows(IOException.class, () -> sink.write(line));
            assertTrue(e.toString().contains("it grows, as it cannot be rotated: "));
            assertFalse(line.hasRemaining(), "it is written");
        }
        Files.delete(inTheWay);
        sink.write(line("four"));
        sink.close();
        assertEquals("one\ntwo\nthree\n", Files.readString(folder.resolve("a.log.1")));
        assertEquals("four\n", Files.readString(file));
    }
}
