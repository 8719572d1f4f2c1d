package dev.tandem.tls;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;

/// Fuzz target: a file of ticket keys, after its first line. It is read, and then has a key for
/// now;
/// or it is rejected with a message that shows nothing of the secrets.
public final class TicketKeysTarget {
    private static final Instant NOW = Instant.parse("2026-11-25T12:00:00Z");
    private static final Path FILE = file();

    private TicketKeysTarget() {}

    public static void fuzzerTestOneInput(byte[] input) {
        String text = new String(input, StandardCharsets.ISO_8859_1);
        try {
            Files.writeString(FILE, "tandem-ticket-keys 1\n" + text, StandardCharsets.ISO_8859_1);
            TicketKeys keys = new TicketKeyFile(FILE).refreshed(NOW, TicketKeys.NONE);
            assertFalse(keys.keys().isEmpty(), "no key");
            TicketKeys again = new TicketKeyFile(FILE).refreshed(NOW, TicketKeys.NONE);
            assertTrue(again.keys().equals(keys.keys()), "what was written is read differently");
        } catch (TlsConfigException e) {
            String message = String.valueOf(e.getMessage());
            for (String word : text.split("\\s")) {
                boolean isSecret = word.length() >= 16 && message.contains(word);
                assertFalse(isSecret, message);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path file() {
        try {
            var mode = PosixFilePermissions.fromString("rw-------");
            Path file =
                    Files.createTempFile(
                            "ticket", ".keys", PosixFilePermissions.asFileAttribute(mode));
            file.toFile().deleteOnExit();
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
