package dev.tandem.cli.serving;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.cli.command.Arguments;
import dev.tandem.cli.command.Command;
import dev.tandem.cli.command.Terminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateFolderTest {
    private static final Path NOWHERE = Path.of("/nonexistent");

    private final Path folder;

    StateFolderTest(@TempDir Path folder) {
        this.folder = folder;
    }

    private StateFolder of(Map<String, String> environment, String home, Path system) {
        return new StateFolder(environment, home, system);
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void userHasItInHomeReadableByNoOther() throws IOException {
        Path made = of(Map.of(), folder.toString(), NOWHERE).child("localhost");
        assertEquals(folder.resolve(".local/state/tandem/localhost"), made);
        assertEquals("rwx------", mode(made));
        assertEquals("rwx------", mode(folder.resolve(".local/state/tandem")));
        assertEquals(made, of(Map.of(), folder.toString(), NOWHERE).child("localhost"));
    }

    @Test
    void environmentNamesIt() throws IOException {
        String a = folder.resolve("a").toString();
        String b = folder.resolve("b").toString();
        var user = Map.of("XDG_STATE_HOME", a);
        assertEquals(folder.resolve("a/tandem/x"), of(user, "/", NOWHERE).child("x"));
        var service = Map.of("XDG_STATE_HOME", a, "STATE_DIRECTORY", b + ":/other");
        assertEquals(folder.resolve("b/x"), of(service, "/", NOWHERE).child("x"));
        var relative = Map.of("XDG_STATE_HOME", "a");
        Path home = of(relative, folder.toString(), NOWHERE).child("x");
        assertEquals(folder.resolve(".local/state/tandem/x"), home);
    }

    @Test
    void namedPlaceThatCannotBeUsedIsAnError() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        var environment = Map.of("XDG_STATE_HOME", file.toString());
        var state = of(environment, folder.toString(), folder);
        assertThrows(IOException.class, () -> state.child("x"));
    }

    @Test
    void userWithoutHomeHasItInTheSystemsFolderOrATemporaryOne() throws IOException {
        for (String home : new String[] {"/nonexistent", "?", "", "\0"}) {
            assertEquals(folder.resolve("x"), of(Map.of(), home, folder).child("x"));
            Path temporary = of(Map.of(), home, NOWHERE).child("x");
            assertEquals("rwx------", mode(temporary));
            Files.delete(temporary);
        }
    }

    /// The start of a server with `--tls` says where its certificate is, and how it is trusted.
    @Test
    void startExplainsItsCertificateWhichIsKeptUntilAMonthBeforeItsEnd() throws IOException {
        String home = System.setProperty("user.home", folder.toString());
        try {
            String first = certificate();
            Path chain = Path.of(first.substring(first.indexOf(", /") + 2, first.indexOf(": a")));
            assertTrue(first.contains("tandem cert --ca"), first);
            Path key = chain.resolveSibling("key.pem");
            assertEquals("rw-------", mode(key));
            assertTrue(TlsOptions.isUsable(chain, key));
            assertEquals(first, certificate(), "it is made once");
            Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));
            assertFalse(TlsOptions.isUsable(chain, key), "others may have read the key");
            Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
            Instant old = Instant.now().minus(Duration.ofDays(370));
            Files.setLastModifiedTime(chain, FileTime.from(old));
            assertFalse(TlsOptions.isUsable(chain, key), "it ends soon");
        } finally {
            System.setProperty("user.home", home);
        }
    }

    /// Returns what is printed.
    private static String certificate() {
        var printed = new ByteArrayOutputStream();
        var stream = new PrintStream(printed, true, StandardCharsets.UTF_8);
        var tls = new TlsOptions(new Terminal(stream, stream, false));
        var command = new Command("x", "", "", List.of(), TlsOptions.all(), _ -> {});
        Arguments arguments = Arguments.parse(command, List.of("--tls", "127.0.0.1:0"));
        assertTrue(tls.certificates(arguments).isPresent());
        return printed.toString(StandardCharsets.UTF_8);
    }
}
