package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class TableTest {
    private static final Table TABLE = new Table("name", "n").row("a", "1,000").row("longer", "2");

    @Test
    void markdownHasNumbersToTheRight() {
        String expected =
                """
                | name   |     n |
                |--------|------:|
                | a      | 1,000 |
                | longer |     2 |
                """;
        assertEquals(expected, TABLE.markdown());
    }

    @Test
    void plainTextHasColumnsWithoutRules() {
        assertEquals("  name        n\n  a       1,000\n  longer      2\n", TABLE.plain());
    }

    @Test
    void rowOfAnotherLengthIsRejected() {
        assertThrows(IllegalArgumentException.class, () -> new Table("a", "b").row("1"));
    }
}
