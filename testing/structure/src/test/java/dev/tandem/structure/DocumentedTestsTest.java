package dev.tandem.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Tests that documents name as evidence exist, with the method if one is named.
class DocumentedTestsTest {
    private static final Pattern NAME =
            Pattern.compile("`([a-z0-9.]*\\.)?([A-Z]\\w*Test)(\\.\\w+)?`");

    /// Fewer would mean that the names are not found.
    private static final int NAMES_MIN = 40;

    private final Project project = Project.current();

    @Test
    void namedTestsExist() throws IOException {
        List<Path> tests =
                project.files("core", "handlers", "integrations", "app", "testing", "lab").stream()
                        .filter(file -> file.toString().endsWith("Test.java"))
                        .toList();
        var missing = new ArrayList<String>();
        int names = 0;
        for (String page : List.of("docs/threat-model.md", "docs/attacks.md")) {
            String text = Files.readString(project.root().resolve(page));
            for (MatchResult name : NAME.matcher(text).results().toList()) {
                names++;
                if (!exists(name, tests)) {
                    missing.add(page + ": " + name.group());
                }
            }
        }
        assertEquals("", String.join("\n", missing));
        int found = names;
        assertTrue(found >= NAMES_MIN, () -> found + " names");
    }

    private static boolean exists(MatchResult name, List<Path> tests) throws IOException {
        String folder = name.group(1) == null ? "" : name.group(1).replace('.', '/');
        String method = name.group(3) == null ? "" : "void " + name.group(3).substring(1) + "(";
        for (Path test : tests) {
            boolean isNamed = test.toString().endsWith("/" + folder + name.group(2) + ".java");
            if (isNamed && Files.readString(test).contains(method)) {
                return true;
            }
        }
        return false;
    }
}
