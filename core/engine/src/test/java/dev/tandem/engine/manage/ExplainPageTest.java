package dev.tandem.engine.manage;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.admission.Explanation;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExplainPageTest {
    private static final ExplainPage PAGE =
            new ExplainPage(
                    List.of(
                            new Explanation("workers", "32", "neither more nor fewer"),
                            new Explanation("GET /\"\\\t\n\u001b[2J\u009b\u2028", "1", "\ud800")));

    @Test
    void textHasColumnsAndNoControlCharacters() {
        List<String> lines = PAGE.text().lines().toList();
        assertEquals(2, lines.size());
        assertEquals(lines.getFirst().indexOf("32"), lines.getLast().lastIndexOf("1  "));
        assertTrue(lines.getLast().startsWith("GET /\"\\???[2J?\u2028"), lines.getLast());
    }

    @Test
    void tabsSeparateOnlyFields() {
        assertEquals(
                "workers\t32\tneither more nor fewer\nGET /\"\\???[2J?\u2028\t1\t\ud800\n",
                PAGE.tabbed());
    }

    @Test
    void jsonEscapesSpecialCharacters() {
        assertEquals(
                """
                [
                  {"name": "workers", "value": "32", "why": "neither more nor fewer"},
                  {"name": "GET /\\"\\\\\\u0009\\u000a\\u001b[2J\\u009b\\u2028", "value": "1", \
                "why": "\\ud800"}
                ]
                """,
                PAGE.json());
    }

    @Test
    void noExplanationsGiveAnEmptyArray() {
        var empty = new ExplainPage(List.of());
        assertEquals("", empty.text());
        assertEquals("[]", empty.json().replaceAll("\\s", ""));
    }
}
