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
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The product does not depend on the laboratory: dependencies have one direction.
class ProductTest {
    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    private static final List<String> LAYERS =
            List.of("core", "handlers", "integrations", "app", "testing");

    private static final Pattern PACKAGE = Pattern.compile("(?m)^package ([\\w.]+);");
    private static final Pattern IMPORT =
            Pattern.compile("(?m)^import (?:static )?([\\w.]+)\\.[A-Z]\\w*[\\w.*]*;");

    @Test
    void noSourceImportsFromTheLaboratory() throws IOException {
        var laboratory = new TreeSet<String>();
        for (Path source : sources("lab")) {
            var name = PACKAGE.matcher(Files.readString(source));
            if (name.find() && source.toString().contains("/src/main/")) {
                laboratory.add(name.group(1));
            }
        }
        assertTrue(laboratory.containsAll(Set.of("dev.tandem.lab", "dev.tandem.load")));
        var complaints = new ArrayList<String>();
        for (String layer : LAYERS) {
            for (Path source : sources(layer)) {
                IMPORT.matcher(Files.readString(source))
                        .results()
                        .map(found -> found.group(1))
                        .filter(laboratory::contains)
                        .forEach(name -> complaints.add(ROOT.relativize(source) + ": " + name));
            }
        }
        assertEquals(List.of(), complaints);
    }

    @Test
    void noModuleOfTheProductIsBuiltFromTheLaboratory() throws IOException {
        String product = Files.readString(ROOT.resolve("pom.xml"));
        assertTrue(product.contains("<module>app/cli</module>"));
        assertTrue(!product.contains("<module>lab"), "the product's reactor has a module of lab");
    }

    private static List<Path> sources(String layer) throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve(layer))) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> file.toString().contains("/src/"))
                    .toList();
        }
    }
}
