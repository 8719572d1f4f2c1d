package dev.tandem.logs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileSinkTest {
    private static ByteBuffer line(String line) {
        return ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void goesOnWhenTheFileCanBeOpenedAgain(@TempDir Path folder) throws IOException {
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
}
