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
                            new Explanation("", "state", "healthy", "no requests"),
                            new Explanation("Workers", "workers", "32", "neither more nor fewer"),
                            new Explanation(
                                    "Routes",
                                    "GET /\"\\\t\n\u001b[2J\u009b\u2028",
                                    "1",
                                    "\ud800")));

    @Test
    void textHasSectionsColumnsAndNoControlCharacters() {
        List<String> lines = PAGE.text().lines().toList();
        assertEquals(
                List.of("", "Workers", "", "Routes"),
                List.of(lines.get(1), lines.get(2), lines.get(4), lines.get(5)));
        assertEquals(7, lines.size());
        assertEquals(lines.get(3).indexOf("32"), lines.getLast().lastIndexOf("1  "));
        assertTrue(lines.getLast().startsWith("GET /\"\\???[2J?\u2028"), lines.getLast());
    }

    @Test
    void tabsSeparateOnlyFields() {
        assertEquals(
                "state\thealthy\tno requests\t\nworkers\t32\tneither more nor fewer\tWorkers\n"
                        + "GET /\"\\???[2J?\u2028\t1\t\ud800\tRoutes\n",
                PAGE.tabbed());
    }

    @Test
    void jsonEscapesSpecialCharacters() {
        assertEquals(
                """
                [
                  {"section": "", "name": "state", "value": "healthy", "why": "no requests"},
                  {"section": "Workers", "name": "workers", "value": "32", \
                "why": "neither more nor fewer"},
                  {"section": "Routes", "name": "GET /\\"\\\\\\u0009\\u000a\\u001b[2J\\u009b\\u2028", "value": "1", \
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
