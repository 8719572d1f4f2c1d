package dev.tandem.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Style is a test: every Java file of the project against [Tidy], every module against [Arrows].
class TidyTest {
    /// Surefire runs in the module's folder.
    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    @Test
    void everySourceIsTidy() throws IOException {
        var files = new ArrayList<Tidy>();
        for (Path file : sources()) {
            files.add(new Tidy(ROOT.relativize(file).toString(), Files.readString(file)));
        }
        assertEquals("", String.join("\n", Tidy.complaints(files)));
    }

    @Test
    void everySourceIsLookedAt() throws IOException {
        var modules = new TreeSet<String>();
        for (Path file : sources()) {
            modules.add(ROOT.relativize(file).subpath(0, 2).toString());
        }
        assertTrue(
                modules.containsAll(
                        List.of(
                                "core/http",
                                "handlers/files",
                                "integrations/tomcat",
                                "app/cli",
                                "lab/experiments",
                                "testing/it")),
                modules.toString());
    }

    @Test
    void everyModuleKeepsToTheArrows() throws IOException {
        var complaints = new ArrayList<String>();
        for (Path file : sources()) {
            if (file.endsWith("module-info.java")) {
                complaints.addAll(Arrows.complaints(Files.readString(file)));
            }
        }
        assertEquals("", String.join("\n", complaints));
    }

    @Test
    void everyRoomIsAModule() throws IOException {
        var missing = new ArrayList<String>();
        for (Path module : modules()) {
            Path main = module.resolve("src/main/java");
            if (Files.isDirectory(main) && !Files.exists(main.resolve("module-info.java"))) {
                missing.add(ROOT.relativize(main).toString());
            }
        }
        assertEquals(List.of(), missing);
    }

    @Test
    void everyPackageOfTheProductIsNullMarked() throws IOException {
        var unmarked = new TreeSet<String>();
        for (Path file : sources()) {
            boolean isOfPackage = !file.endsWith("module-info.java");
            if (file.toString().contains("/src/main/java/") && isOfPackage) {
                Path marks = file.resolveSibling("package-info.java");
                if (!Files.exists(marks) || !Files.readString(marks).contains("@NullMarked")) {
                    unmarked.add(ROOT.relativize(file.getParent()).toString());
                }
            }
        }
        assertEquals(Set.of(), unmarked);
    }

    /// Every Java file of every module; not what a build made.
    private static List<Path> sources() throws IOException {
        var sources = new ArrayList<Path>();
        for (Path module : modules()) {
            try (Stream<Path> files = Files.walk(module.resolve("src"))) {
                files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
            }
        }
        return sources;
    }

    /// Folders in the layers' folders that contain sources.
    private static List<Path> modules() throws IOException {
        try (Stream<Path> folders = Files.find(ROOT, 2, (path, _) -> isModule(path))) {
            return folders.toList();
        }
    }

    private static boolean isModule(Path path) {
        return Files.isDirectory(path.resolve("src"))
                && Files.exists(path.resolve("pom.xml"))
                && path.getParent().getParent().equals(ROOT);
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("planted")
    void plantedFaultIsFound(String source, String complaint) throws IOException {
        assertEquals(
                List.of("Planted.java:" + complaint),
                new Tidy("Planted.java", source).complaints());
    }

    static Stream<Arguments> planted() {
        String many = "int a = 0;\n".repeat(TidyShape.METHOD_LINES_MAX - 1);
        return Stream.of(
                Arguments.of(
                        "class A {\nvoid f() {\n" + many + "}\n}\n",
                        "2: f has 71 lines, at most 70"),
                Arguments.of(
                        "class A {\nstatic {\n" + many + "}\n}\n",
                        "2: an initializer has 71 lines, at most 70"),
                Arguments.of(
                        "class A {\nvoid f(int a, int b, int c, int d, int e, int g) {}\n}\n",
                        "2: f has 6 parameters, at most 5"),
                Arguments.of(
                        "class A {\nA(int a, int b, int c, int d, int e, int g) {}\n}\n",
                        "2: <init> has 6 parameters, at most 5"),
                Arguments.of(
                        "class A {\nvoid f() {\nfor (;;) while (true) do {\nif (true) {}\n}"
                                + " while (true);\n}\n}\n",
                        "4: nested deeper than 3"),
                Arguments.of(
                        "class A {\n"
                                + "void f() {\n"
                                + "if (a) if (b) if (c) {} else\n"
                                + "if (d) try {\n"
                                + "} finally {}\n"
                                + "}\n"
                                + "}\n",
                        "4: nested deeper than 3"),
                Arguments.of("class ThingManager {}\n", "1: type name ThingManager says nothing"),
                Arguments.of("class AbstractThing {}\n", "1: type name AbstractThing says nothing"),
                Arguments.of(
                        "class A {\nrecord StringUtils() {}\n}\n",
                        "2: type name StringUtils says nothing"),
                Arguments.of("class A {\n// FIX" + "ME\n}\n", "2: has a banned word"),
                Arguments.of(
                        "class A {\n// TO" + "DO later\n}\n",
                        "2: puts work off without an issue's number, as in (#12)"),
                Arguments.of("class A {\n\tint a;\n}\n", "2: has a tab"),
                Arguments.of(
                        "/// Says\n// something.\nclass A {}\n",
                        "2: a doc comment was broken by the formatter"),
                Arguments.of("// " + "a".repeat(98) + "\n", "1: longer than 100 columns"),
                Arguments.of(
                        "\n".repeat(Tidy.FILE_LINES_MAX + 1),
                        "601: file has 601 lines, at most 600"),
                Arguments.of("class A {\nint = 3;\n}\n", "2: does not parse"));
    }

    @Test
    void aTableOfATestMayBeLong() throws IOException {
        String table = "class A {\nint f() {\nreturn 0" + "\n+ 1".repeat(80) + ";\n}\n}\n";
        assertEquals(List.of(), new Tidy("a/src/test/java/A.java", table).complaints());
        assertEquals(1, new Tidy("a/src/main/java/A.java", table).complaints().size());
    }

    @ParameterizedTest
    @MethodSource("allowed")
    void whatIsExemptPasses(String source) throws IOException {
        assertEquals(List.of(), new Tidy("Allowed.java", source).complaints());
    }

    static Stream<String> allowed() {
        String many = "int a = 0;\n".repeat(TidyShape.METHOD_LINES_MAX - 2);
        String six = "(int a, int b, int c, int d, int e, int f)";
        return Stream.of(
                "class A {\nvoid f() {\n" + many + "}\n}\n",
                "record A" + six + " {\nA {}\n}\n",
                "class A {\n@Override\npublic void f" + six + " {}\n}\n",
                "class A {\n"
                        + "void f() {\n"
                        + "if (a) {} else if (b) {} else if (c) {} else if (d) {}\n"
                        + "}\n"
                        + "}\n",
                "class A {\nvoid f() {\nfor (;;) if (a) try {} finally {}\n}\n}\n",
                "import a." + "b".repeat(100) + ";\n",
                "class A {\nString a = \"\"\"\n" + "a".repeat(120) + "\n\"\"\";\n}\n",
                "class A {\n// TO" + "DO(#12) later\n}\n",
                "// " + "a".repeat(97) + "\n");
    }

    @Test
    void moduleThatRequiresTooMuchIsFound() {
        assertEquals(
                List.of("dev.tandem.http may not require dev.tandem.net"),
                Arrows.complaints(
                        """
                        module dev.tandem.http {
                            requires java.sql;
                            // requires a.comment;
                            requires static transitive org.jspecify;
                            requires transitive dev.tandem.net;
                        }
                        """));
    }

    @Test
    void moduleWithoutARowIsFound() {
        assertEquals(
                List.of("dev.tandem.attic has no row in the table of arrows"),
                Arrows.complaints("module dev.tandem.attic {}\n"));
    }
}
