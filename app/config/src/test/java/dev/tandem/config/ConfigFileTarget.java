package dev.tandem.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/// Fuzz target: a configuration file. It is read, or rejected with problems that name a line of it;
/// nothing else is thrown.
public final class ConfigFileTarget {
    private ConfigFileTarget() {}

    public static void fuzzerTestOneInput(byte[] input) {
        String text = new String(input, StandardCharsets.UTF_8);
        try {
            Configuration first = ConfigFile.parse("file", text, Map.of("NAME", "value"));
            Configuration again = ConfigFile.parse("file", text, Map.of("NAME", "value"));
            assertEquals(first.toString(), again.toString());
        } catch (ConfigException e) {
            assertFalse(e.problems().isEmpty(), "no problem is named");
            long lines = text.chars().filter(c -> c == '\n' || c == '\r').count() + 1;
            for (ConfigProblem problem : e.problems()) {
                assertTrue(problem.line() <= lines, problem::toString);
            }
        }
    }
}
