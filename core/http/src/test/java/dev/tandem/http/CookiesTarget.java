package dev.tandem.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;

/// Fuzz target: a Cookie header. Whatever the client sends, names are tokens, values have no
/// control
/// character, and what was read is read again in the same way.
public final class CookiesTarget {
    private CookiesTarget() {}

    public static void fuzzerTestOneInput(byte[] input) {
        Cookies cookies = parse(new String(input, StandardCharsets.ISO_8859_1));
        var again = new StringBuilder();
        int count = 0;
        for (String name : cookies.names()) {
            assertTrue(FieldSyntax.isToken(name), name);
            for (String value : cookies.all(name)) {
                assertTrue(FieldSyntax.isValue(value), value);
                again.append(name).append("=\"").append(value).append("\";");
                count++;
            }
        }
        assertTrue(count <= Cookies.COUNT_MAX, "more cookies than the limit");
        Cookies second = parse(again.toString());
        assertEquals(cookies.names(), second.names());
        for (String name : cookies.names()) {
            assertEquals(cookies.all(name), second.all(name));
        }
    }

    private static Cookies parse(String field) {
        return Cookies.parse(Headers.of(new String[] {"Cookie"}, new String[] {field}, 1));
    }
}
