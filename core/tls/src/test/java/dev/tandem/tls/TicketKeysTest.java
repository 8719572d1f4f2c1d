package dev.tandem.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TicketKeysTest {
    private static final Instant START = Instant.parse("2026-11-22T00:00:00Z");

    private final Path file;

    TicketKeysTest(@TempDir Path folder) {
        file = folder.resolve("keys");
    }

    /// Checked in each minute of a week.
    @Test
    void keyEncryptsHalfADayAndIsAcceptedForAnother() {
        TicketKeys keys = TicketKeys.NONE;
        TicketKey sealing = TicketKey.make(START);
        Instant since = START;
        for (int minute = 0; minute < 7 * 24 * 60; minute++) {
            Instant now = START.plus(Duration.ofMinutes(minute));
            TicketKeys before = keys;
            keys = keys.rotated(now);
            TicketKey first = keys.inUse(now).getFirst();
            if (!first.equals(sealing)) {
                assertTrue(minute == 0 || before.inUse(now).contains(first), "all have it by then");
                assertTrue(minute == 0 || since.plus(TicketKeys.ENCRYPT_PERIOD).equals(now));
                assertTrue(minute == 0 || keys.inUse(now).contains(sealing));
                sealing = first;
                since = now;
            }
            assertTrue(keys.keys().size() <= 4);
        }
    }

    @Test
    void keyIsCreatedImmediatelyAfterLongDowntime() {
        TicketKeys old = TicketKeys.NONE.rotated(START);
        Instant later = START.plus(Duration.ofDays(30));
        TicketKeys now = old.rotated(later);
        assertEquals(later, now.inUse(later).getFirst().from());
        assertFalse(now.keys().contains(old.keys().getFirst()));
    }

    @Test
    void keySurvivesDowntimeOfADay() {
        TicketKeys old = TicketKeys.NONE.rotated(START);
        Instant later = START.plus(Duration.ofHours(30));
        TicketKeys now = old.rotated(later);
        assertTrue(now.inUse(later).containsAll(old.keys()));
    }

    @Test
    void clockSetBackKeepsKeys() {
        TicketKeys keys = TicketKeys.NONE.rotated(START);
        Instant earlier = START.minus(Duration.ofHours(5));
        TicketKeys then = keys.rotated(earlier);
        assertEquals(earlier, then.inUse(earlier).getFirst().from());
        assertTrue(then.keys().containsAll(keys.keys()));
        assertTrue(then.rotated(START).keys().containsAll(keys.keys()));
    }

    @Test
    void keysWithoutDueChangeAreSame() {
        TicketKeys keys = TicketKeys.NONE.rotated(START);
        assertSame(keys, keys.rotated(START.plusSeconds(60)));
    }

    @Test
    void fileSharesKeys() throws Exception {
        TicketKeys first = new TicketKeyFile(file).refreshed(START, TicketKeys.NONE);
        assertEquals(
                first, new TicketKeyFile(file).refreshed(START.plusSeconds(60), TicketKeys.NONE));
        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        assertTrue(
                Files.readString(file).startsWith("tandem-ticket-keys 1\n2026-11-22T00:00:00Z "));
    }

    @Test
    void concurrentStartsShareKeys() throws Exception {
        var found = new HashSet<TicketKeys>();
        try (var pool = Executors.newFixedThreadPool(8)) {
            Callable<TicketKeys> begin =
                    () -> new TicketKeyFile(file).refreshed(START, TicketKeys.NONE);
            for (var keys : pool.invokeAll(Collections.nCopies(32, begin))) {
                found.add(keys.get());
            }
        }
        assertEquals(1, found.size());
        try (var files = Files.list(file.getParent())) {
            assertEquals(2, files.count(), "the file and its lock");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    something else                 | line 1 is not 'tandem-ticket-keys 1': it is no file of ticket keys
                    tandem-ticket-keys 2           | line 1 is not 'tandem-ticket-keys 1': it is no file of ticket keys
                    tandem-ticket-keys 1\\nx        | line 2 is not a time and 48 bytes in base64
                    tandem-ticket-keys 1\\n2026-11-22T00:00:00Z AAAA | line 2 is not a time and 48 bytes in base64
                    """)
    void exceptionNamesInvalidFile(String text, String message) throws IOException {
        write(text.translateEscapes());
        assertEquals(file + ": " + message, rejection());
    }

    @Test
    void fileReadableByOthersIsRejected() throws Exception {
        new TicketKeyFile(file).refreshed(START, TicketKeys.NONE);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertEquals(
                file + ": others may read or write these secrets: chmod 600 " + file, rejection());
    }

    @Test
    void keysThatCouldNotBeWrittenAreAddedToThoseOfOthers() throws Exception {
        TicketKeys others = new TicketKeyFile(file).refreshed(START, TicketKeys.NONE);
        TicketKeys own = TicketKeys.NONE.rotated(START.plusSeconds(1));
        TicketKeys all = new TicketKeyFile(file).refreshed(START.plusSeconds(60), own);
        assertEquals(own.keys().getFirst(), all.keys().getFirst());
        assertEquals(others.keys().getFirst(), all.keys().getLast());
        assertEquals(all, new TicketKeyFile(file).read());
        assertSame(all, all.with(own));
    }

    /// As of many servers on a disk that was full for a day: a file with too many is rejected.
    @Test
    void fileKeepsTheNewestKeys() throws Exception {
        var shared = new TicketKeyFile(file);
        for (int i = 0; i < 100; i++) {
            Instant now = START.plusSeconds(i);
            shared.refreshed(now, TicketKeys.NONE.rotated(now));
        }
        Instant later = START.plus(Duration.ofHours(12)).minusSeconds(60);
        TicketKeys own = TicketKeys.NONE;
        for (int i = 0; i < 100; i++) {
            own = own.with(new TicketKeys(List.of(TicketKey.make(later.plusSeconds(100 + i)))));
        }
        TicketKeys all = shared.refreshed(later, own);
        assertEquals(32, all.keys().size());
        assertEquals(all, shared.read());
        assertEquals(own.keys().getFirst(), all.keys().getFirst());
        assertEquals(START.plusSeconds(99), all.inUse(later).getFirst().from());
    }

    @Test
    void exceptionNamesMissingDirectory() {
        var keys = new TicketKeyFile(file.resolveSibling("none/keys"));
        var e =
                assertThrows(
                        TlsConfigException.class, () -> keys.refreshed(START, TicketKeys.NONE));
        assertTrue(String.valueOf(e.getMessage()).contains("none/keys: cannot be written"));
    }

    private String rejection() {
        var e =
                assertThrows(
                        TlsConfigException.class,
                        () -> new TicketKeyFile(file).refreshed(START, TicketKeys.NONE));
        return String.valueOf(e.getMessage());
    }

    private void write(String text) throws IOException {
        Files.createFile(
                file,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(file, text);
    }
}
