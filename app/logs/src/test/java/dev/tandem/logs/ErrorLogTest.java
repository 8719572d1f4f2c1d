package dev.tandem.logs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ListResourceBundle;
import java.util.Optional;
import java.util.ResourceBundle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The error log in a file.
class ErrorLogTest {
    private final Path file;
    private final Logger logger;

    ErrorLogTest(@TempDir Path folder) {
        file = folder.resolve("error.log");
        logger = new ErrorLog().getLogger("dev.tandem.shop", ErrorLogTest.class.getModule());
    }

    @BeforeEach
    void configure() throws IOException {
        ErrorLog.configure(Optional.of(file), Level.INFO);
    }

    @AfterEach
    void reset() throws IOException {
        ErrorLog.configure(Optional.empty(), Level.INFO);
    }

    private List<String> lines() throws IOException {
        return Files.readAllLines(file);
    }

    @Test
    void messageIsALineWithTimeSeverityAndModule() throws IOException {
        logger.log(Level.WARNING, "is closed");
        assertEquals(1, lines().size());
        String line = lines().getFirst();
        assertTrue(line.matches("[0-9-]{10}T[0-9:.]{12}Z WARNING shop: is closed"), line);
    }

    /// As a worker that a stop interrupts: what was cut off is what the log is for.
    @Test
    void messageOfAnInterruptedThreadIsWritten() throws IOException {
        Thread.currentThread().interrupt();
        logger.log(Level.WARNING, "was cut off");
        assertTrue(Thread.interrupted());
        assertTrue(lines().getFirst().endsWith("shop: was cut off"));
    }

    @Test
    void lessSevereMessagesAreNotWritten() throws IOException {
        logger.log(Level.DEBUG, "unseen");
        assertFalse(logger.isLoggable(Level.DEBUG));
        assertFalse(logger.isLoggable(Level.OFF));
        ErrorLog.configure(Optional.of(file), Level.ERROR);
        logger.log(Level.WARNING, "unseen");
        logger.log(Level.ERROR, "seen");
        ErrorLog.configure(Optional.of(file), Level.OFF);
        logger.log(Level.ERROR, "unseen");
        assertEquals(1, lines().size());
        assertTrue(lines().getFirst().endsWith("ERROR shop: seen"), lines()::toString);
    }

    @Test
    void furtherLinesOfAMessageAreIndented() throws IOException {
        logger.log(Level.INFO, "one\ntwo");
        assertEquals("  two", lines().get(1));
    }

    @Test
    void stackTraceFollowsTheMessage() throws IOException {
        logger.log(Level.ERROR, "failed", new IllegalStateException("why"));
        assertTrue(lines().getFirst().endsWith("ERROR shop: failed"), lines()::toString);
        assertTrue(lines().get(1).contains("IllegalStateException: why"), lines()::toString);
        assertTrue(lines().get(2).contains("ErrorLogTest"), lines()::toString);
    }

    /// As when an application parses a parameter, whose text is then in the exception's message.
    @Test
    void textOfAClientInAnExceptionMakesNoEntry() throws IOException {
        String forged = "2026-11-28T10:00:00.000Z ERROR server: disk is full";
        var inner = new NumberFormatException("For input string: \"1\n" + forged + "\"");
        logger.log(Level.ERROR, "failed", new IllegalStateException("1\r\n" + forged, inner));
        List<String> entries =
                lines().stream().filter(line -> line.matches("[0-9].* ERROR .*")).toList();
        assertEquals(2, entries.size(), entries::toString);
        assertTrue(entries.get(0).endsWith("shop: failed"), entries::toString);
        assertTrue(entries.get(1).endsWith("IllegalStateException: 1\\u000d"), entries::toString);
        assertTrue(lines().contains("  " + forged + "\""), lines()::toString);
    }

    @Test
    void controlCharactersAreEscaped() throws IOException {
        logger.log(Level.WARNING, "a\rb\u001b[2Jc\u0085d\u2028e\u202ef\0g\th");
        logger.log(Level.WARNING, "Änne \\ € \ud83d\ude00");
        logger.log(Level.WARNING, "a\udb40\udc41b"); // invisible: an A among the tags
        assertEquals(3, lines().size());
        String escaped = "a\\u000db\\u001b[2Jc\\u0085d\\u2028e\\u202ef\\u0000g\th";
        assertTrue(lines().get(0).endsWith("shop: " + escaped), lines()::toString);
        assertTrue(lines().get(1).endsWith("shop: Änne \\ € \ud83d\ude00"), lines()::toString);
        assertTrue(lines().get(2).endsWith("shop: a\\udb40\\udc41b"), lines()::toString);
    }

    @Test
    void parametersAndTranslationsAreInserted() throws IOException {
        ResourceBundle bundle =
                new ListResourceBundle() {
                    @Override
                    protected Object[][] getContents() {
                        return new Object[][] {{"open", "offen"}};
                    }
                };
        logger.log(Level.INFO, "{0} of {1}", 3, 4);
        logger.log(Level.INFO, "{0}");
        logger.log(Level.INFO, bundle, "open", (Throwable) null);
        assertTrue(lines().get(0).endsWith("shop: 3 of 4"), lines()::toString);
        assertTrue(lines().get(1).endsWith("shop: {0}"), lines()::toString);
        assertTrue(lines().get(2).endsWith("shop: offen"), lines()::toString);
    }

    @Test
    void renamedFileIsReopened() throws IOException {
        logger.log(Level.INFO, "before");
        Path old = Files.move(file, file.resolveSibling("old.log"));
        logger.log(Level.INFO, "still old");
        ErrorLog.reopen();
        logger.log(Level.INFO, "after");
        assertEquals(2, Files.readAllLines(old).size());
        assertEquals(1, lines().size());
    }

    @Test
    void fileThatCannotBeWrittenChangesNothing() throws IOException {
        Path wrong = file.resolveSibling("none").resolve("error.log");
        var e =
                assertThrows(
                        IOException.class,
                        () -> ErrorLog.configure(Optional.of(wrong), Level.DEBUG));
        assertTrue(String.valueOf(e.getMessage()).startsWith("cannot write the error log"));
        logger.log(Level.INFO, "written");
        logger.log(Level.DEBUG, "unseen");
        assertEquals(1, lines().size());
    }
}
