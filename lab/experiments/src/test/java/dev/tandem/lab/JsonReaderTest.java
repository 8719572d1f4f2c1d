package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonReaderTest {
    @Test
    void writtenJsonIsReadBack() {
        var map = new LinkedHashMap<String, Object>();
        map.put("text", "a \"quoted\" \\ line\nand a \u0001 µ");
        map.put("numbers", List.of(1.5, -2e-3, 0.0, 1e12));
        map.put("flags", List.of(true, false));
        map.put("empty", List.of(new LinkedHashMap<String, Object>(), new ArrayList<Object>()));
        map.put("none", null);
        assertEquals(map, JsonReader.read(Json.of(map)));
    }

    @Test
    void allEscapesAreRead() {
        assertEquals("\"\\/\b\f\n\r\té", JsonReader.read("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "{",
                "[",
                "[1,]",
                "{\"a\":1,}",
                "{a:1}",
                "01",
                "+1",
                ".5",
                "1.",
                "1e",
                "NaN",
                "tru",
                "\"",
                "\"\\x\"",
                "\"\\u12\"",
                "\"a\nb\"",
                "[1 2]",
                "1 2",
                "{\"a\" 1}",
                "'a'",
                "-",
                "]",
                "\"\\u+123\""
            })
    void invalidJsonIsRejected(String text) {
        assertThrows(IllegalArgumentException.class, () -> JsonReader.read(text));
    }

    @Test
    void depthHasALimit() {
        String deep = "[".repeat(100_000);
        assertThrows(IllegalArgumentException.class, () -> JsonReader.read(deep));
    }

    @Test
    void errorNamesItsLine() {
        var exception =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> JsonReader.read("{\n  \"a\": 1,\n  \"b\": x\n}"));
        assertEquals("no JSON: no value in line 3", exception.getMessage());
    }
}
