package dev.tandem.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Every source and document against `checkstyle.xml`.
class StyleTest {
    private static final String[] FOLDERS = {
        "core", "handlers", "integrations", "app", "testing", "lab", "docs"
    };

    private static final String SOURCES = "/src/main/java/";
    private static final Pattern LOAD =
            Pattern.compile("ServiceLoader\\.load\\(\\s*(\\w+)\\.class");

    private final Project project = Project.current();

    @Test
    void sourcesAndDocumentsFollowTheRules() throws Exception {
        var files = new ArrayList<Path>();
        for (Path file : project.files(FOLDERS)) {
            if (isChecked(file)) {
                files.add(file);
            }
        }
        try (Stream<Path> top = Files.list(project.root())) {
            top.filter(file -> file.toString().endsWith(".md")).forEach(files::add);
        }
        assertTrue(files.size() > 1_000, "files found: " + files.size());
        assertEquals("", String.join("\n", new Style(project.root()).violations(files)));
    }

    /// Checkstyle parses neither module declarations nor compact source files. Results are dated
    /// records.
    private static boolean isChecked(Path file) {
        String name = file.toString();
        boolean isSource = name.endsWith(".java") && !name.endsWith("module-info.java");
        boolean isPage = name.endsWith(".md") && !name.contains("/docs/results/");
        return isSource || isPage && !name.endsWith("/docs/vocabulary.md");
    }

    @Test
    void packagesOfMainSourcesAreNullMarked() throws Exception {
        var unmarked = new TreeSet<String>();
        for (Path file : project.files(FOLDERS)) {
            String name = file.toString();
            if (name.contains("/src/main/java/dev/") && name.endsWith(".java")) {
                Path marks = file.resolveSibling("package-info.java");
                if (!Files.exists(marks) || !Files.readString(marks).contains("@NullMarked")) {
                    unmarked.add(project.root().relativize(file.getParent()).toString());
                }
            }
        }
        assertEquals(Set.of(), unmarked);
    }

    /// Without it, a start on the module path fails, which no test on the class path notices.
    @Test
    void modulesDeclareTheServicesThatTheyLoad() throws Exception {
        var loads = new ArrayList<String>();
        var undeclared = new TreeSet<String>();
        for (Path file : project.files(FOLDERS)) {
            Matcher load = LOAD.matcher(file.toString().endsWith(".java") ? text(file) : "");
            Path module = moduleOf(file);
            while (load.find() && Files.exists(module)) {
                loads.add(load.group(1));
                if (!text(module).matches("(?s).*\\buses [\\w.]*\\." + load.group(1) + ";.*")) {
                    undeclared.add(module + ": uses " + load.group(1));
                }
            }
        }
        assertTrue(loads.contains("Network"), "found: " + loads);
        assertEquals(Set.of(), undeclared);
    }

    private static Path moduleOf(Path file) {
        String name = file.toString();
        int folder = name.indexOf(SOURCES);
        return folder < 0
                ? file.resolveSibling("module-info.java")
                : Path.of(name.substring(0, folder) + SOURCES + "module-info.java");
    }

    private static String text(Path file) throws IOException {
        return Files.readString(file);
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("planted")
    void plantedViolationIsFound(String source, String message, @TempDir Path folder)
            throws Exception {
        Path file = Files.writeString(folder.resolve("Planted.java"), source);
        List<String> found = new Style(project.root()).violations(List.of(file));
        assertEquals(1, found.size(), found.toString());
        assertTrue(found.getFirst().contains(message), found.toString());
    }

    static Stream<Arguments> planted() {
        String many = "int a = 0;\n".repeat(70);
        return Stream.of(
                Arguments.of("class A {\nvoid f() {\n" + many + "}\n}\n", "length is 72 lines"),
                Arguments.of(
                        "class A {\n"
                                + "void f(int a, int b, int c, int d, int e, int f, int g) {}\n"
                                + "}\n",
                        "More than 6 parameters"),
                Arguments.of(
                        "class A {\nvoid f() {\nif (a) if (b) if (c) if (d) {}\n}\n}\n",
                        "Nested if-else depth is 3"),
                Arguments.of("class ThingManager {}\n", "Name 'ThingManager'"),
                Arguments.of("class AbstractThing {}\n", "Name 'AbstractThing'"),
                Arguments.of("class A {\n// FIX" + "ME\n}\n", "unfinished work"),
                Arguments.of("class A {\n// TO" + "DO later\n}\n", "unfinished work"),
                Arguments.of("class A {\n\tint a;\n}\n", "tab character"),
                Arguments.of("/// Says\n// more.\nclass A {}\n", "broken by the formatter"),
                Arguments.of("// " + "a".repeat(98) + "\nclass A {}\n", "longer than 100"),
                Arguments.of("// Serves the visi" + "tor.\nclass A {}\n", "private vocabulary"),
                Arguments.of("class A {\nboolean isAnsw" + "ered;\n}\n", "private vocabulary"),
                Arguments.of("import java.util.List;\nclass A {}\n", "Unused import"));
    }

    @ParameterizedTest
    @MethodSource("allowed")
    void allowedSourceHasNoViolation(String source, @TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("Allowed.java"), source);
        assertEquals(List.of(), new Style(project.root()).violations(List.of(file)));
    }

    static Stream<String> allowed() {
        String seven = "(int a, int b, int c, int d, int e, int f, int g)";
        return Stream.of(
                "record A" + seven + " {\nA {}\n}\n",
                "class A {\n@Override\npublic void f" + seven + " {}\n}\n",
                "import static a." + "b".repeat(100) + ".C;\nclass A { int d = C; }\n",
                "class A {\n// TO" + "DO(#12) later\n}\n",
                "// Runs as the user `nobo" + "dy`.\nclass A {}\n");
    }
}
