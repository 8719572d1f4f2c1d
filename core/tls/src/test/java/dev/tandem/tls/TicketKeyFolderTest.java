package dev.tandem.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A mounted folder of secrets, as Kubernetes makes it: files by way of a link that is replaced.
class TicketKeyFolderTest {
    private static final Instant NOW = Instant.parse("2026-11-25T00:00:00Z");
    private static final String FIRST = secret(1);
    private static final String SECOND = secret(2);

    private final Path folder;
    private final TicketKeyFolder keys;

    TicketKeyFolderTest(@TempDir Path folder) {
        this.folder = folder;
        this.keys = new TicketKeyFolder(folder);
    }

    private static String secret(int fill) {
        var bytes = new byte[32];
        java.util.Arrays.fill(bytes, (byte) fill);
        return Base64.getEncoder().encodeToString(bytes);
    }

    @Test
    void instancesThatReadTheSameSecretHaveTheSameKeysAtAnyTime() throws Exception {
        write("a", FIRST + "\n" + SECOND + "\n");
        List<TicketKey> one = keys.read().inUse(NOW);
        List<TicketKey> other = new TicketKeyFolder(folder).read().inUse(NOW.minusSeconds(600));
        assertEquals(one, other, "clocks do not matter");
        assertEquals(2, one.size());
    }

    @Test
    void ticketsOfBothKeysAreAcceptedAtEachStepOfARotation() throws Exception {
        write("a", FIRST);
        TicketKey old = keys.read().inUse(NOW).getFirst();
        write("a", FIRST + "\n" + SECOND);
        List<TicketKey> added = keys.read().inUse(NOW);
        assertArrayName(old, added.getFirst());
        TicketKey next = added.getLast();
        write("a", SECOND + "\n" + FIRST);
        List<TicketKey> moved = keys.read().inUse(NOW);
        assertArrayName(next, moved.getFirst());
        assertArrayName(old, moved.getLast());
    }

    private static void assertArrayName(TicketKey expected, TicketKey actual) {
        assertEquals(List.of(boxed(expected)), List.of(boxed(actual)));
    }

    private static String boxed(TicketKey key) {
        return Base64.getEncoder().encodeToString(key.secret());
    }

    @Test
    void filesOfALinkedFolderAreReadAndItsHiddenOnesAreNot() throws Exception {
        Path data = Files.createDirectory(folder.resolve("..2026"));
        Files.writeString(data.resolve("ticket"), FIRST);
        Files.createSymbolicLink(folder.resolve("..data"), data);
        Files.createSymbolicLink(folder.resolve("ticket"), Path.of("..data/ticket"));
        assertEquals(1, keys.read().keys().size());
    }

    @Test
    void keyIsDerivedAndNotTheSecretItself() throws Exception {
        write("a", FIRST);
        TicketKey key = keys.read().keys().getFirst();
        assertFalse(boxed(key).startsWith(FIRST.substring(0, 20)));
    }

    @Test
    void brokenFolderIsNamedWithoutTheSecret() throws Exception {
        assertEquals(folder + ": has no key: a line of base64, 32 bytes or more", rejection());
        write("a", FIRST + "\n" + FIRST.substring(0, 21));
        String half = rejection();
        assertTrue(half.startsWith(folder + "/a: line 2 "), half);
        assertFalse(half.contains(FIRST.substring(0, 20)), half);
        write("a", "AAAA");
        assertEquals(folder + "/a: line 1 has 3 bytes; a key has at least 32", rejection());
        write("a", (FIRST + "\n").repeat(17));
        assertEquals(folder + ": has more than 16 keys", rejection());
        write("a", FIRST);
        Files.setPosixFilePermissions(
                folder.resolve("a"), PosixFilePermissions.fromString("rw-rw-r--"));
        assertTrue(
                rejection()
                        .endsWith(
                                "a: others may write these secrets: chmod go-w " + folder + "/a"));
    }

    private String rejection() {
        return String.valueOf(assertThrows(TlsConfigException.class, keys::read).getMessage());
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }
}
