package dev.tandem.acme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.LogCapture;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.time.Duration;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StorageTest {
    static {
        // The module has no events of its own.
        StorageTest.class
                .getModule()
                .addReads(ModuleLayer.boot().findModule("jdk.jfr").orElseThrow());
    }

    private final Storage storage;

    /// The one of the authority.
    private final Path place;

    private final Path account;

    StorageTest(@TempDir Path folder) {
        storage = new Storage(folder, URI.create("https://authority.example/dir"));
        place = folder.resolve("authority.example_dir");
        account = place.resolve("account.pem");
    }

    /// On demand, clients choose the names: a folder in the place of the account's key would end
    /// all orders.
    @Test
    void nameOfTheAccountsFileTakesNotItsPlace() throws IOException {
        assertThrows(IOException.class, () -> storage.checkWritable("account.pem"));
        assertEquals(storage.account().getPublic(), storage.account().getPublic());
        storage.checkWritable("www.example.org");
    }

    /// Else a power cut leaves an empty file with the new name.
    @Test
    void fileAndItsFolderAreForcedToDisk() throws IOException {
        List<Path> forced = forced(storage::account);
        assertEquals(2, forced.size(), forced::toString);
        String next = String.valueOf(forced.getFirst().getFileName());
        assertTrue(next.startsWith(".next"), next);
        assertEquals(place.toRealPath(), forced.getLast().toRealPath());
    }

    @FunctionalInterface
    private interface Work {
        void run() throws IOException;
    }

    /// Returns what is forced to disk, in its order.
    private List<Path> forced(Work work) throws IOException {
        Path file = Files.createTempFile("forced", ".jfr");
        try (var recording = new Recording()) {
            recording.enable("jdk.FileForce").withThreshold(Duration.ZERO);
            recording.start();
            work.run();
            recording.stop();
            recording.dump(file);
            return RecordingFile.readAllEvents(file).stream()
                    .map(event -> Path.of(event.getString("path")))
                    .filter(path -> path.startsWith(place.toAbsolutePath()))
                    .toList();
        } finally {
            Files.delete(file);
        }
    }

    /// As after a power cut: it holds no account, and all orders would fail for ever.
    @Test
    void emptyFileOfTheAccountIsReplaced() throws IOException {
        Files.createDirectories(place);
        Files.createFile(account);
        try (var log = LogCapture.of("dev.tandem.acme")) {
            KeyPair made = storage.account();
            assertEquals(made.getPublic(), storage.account().getPublic());
            List<String> lines = log.messages(each -> each.contains("a new account is made"));
            assertEquals(1, lines.size(), log.lines()::toString);
            assertTrue(lines.getFirst().startsWith(account + ": is empty"), lines::toString);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"-----BEGIN PRIVATE KEY-----\nMEEC", "\0\0", "\u00ff", "\n"})
    void damagedFileOfTheAccountStays(String damaged) throws IOException {
        Files.createDirectories(place);
        Files.writeString(account, damaged, StandardCharsets.ISO_8859_1);
        var e = assertThrows(IOException.class, storage::account);
        String message = String.valueOf(e.getMessage());
        assertTrue(message.startsWith(account + ": is not an account's key: "), message);
        assertTrue(message.endsWith("if it is removed, a new account is made"), message);
        assertEquals(damaged, Files.readString(account, StandardCharsets.ISO_8859_1));
    }
}
