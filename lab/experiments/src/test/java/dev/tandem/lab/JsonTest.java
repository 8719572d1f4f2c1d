package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonTest {
    @Test
    void mapsAndListsAreIndentedInTheirOrder() {
        var map = new LinkedHashMap<String, Object>();
        map.put("b", List.of(1, 2L));
        map.put("a", Map.of());
        map.put("n", null);
        map.put("t", true);
        String expected =
                """
                {
                  "b": [
                    1,
                    2
                  ],
                  "a": {},
                  "n": null,
                  "t": true
                }
                """;
        assertEquals(expected, Json.of(map));
    }

    @Test
    void textIsEscaped() {
        assertEquals("\"a\\\"b\\\\c\\n\\u0000\\u001fµ\"\n", Json.of("a\"b\\c\n\0\u001fµ"));
    }

    @ParameterizedTest
    @CsvSource({
        "1.5, 1.5",
        "2.0, 2",
        "0.1234567, 0.123457",
        "-3, -3",
        "NaN, null",
        "Infinity, null"
    })
    void numbersAreShortAndAlwaysJson(double number, String expected) {
        assertEquals(expected + "\n", Json.of(number));
    }

    @Test
    void otherTypesAreRejected() {
        assertThrows(IllegalArgumentException.class, () -> Json.of(new Object()));
    }
}
