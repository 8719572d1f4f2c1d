package dev.tandem.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/// The examples in the documentation are valid.
class DocsTest {
    private static final Path DOCS = Path.of("../../docs");
    private static final Pattern EXAMPLE = Pattern.compile("```toml\n(.*?)```", Pattern.DOTALL);
    private static final int EXAMPLES_MIN = 20;

    private static List<String> examples() throws Exception {
        var examples = new ArrayList<String>();
        for (String page : List.of("configuration.md", "sites.md", "proxy.md")) {
            String text = Files.readString(DOCS.resolve(page));
            EXAMPLE.matcher(text).results().map(found -> found.group(1)).forEach(examples::add);
        }
        return examples;
    }

    @TestFactory
    Stream<DynamicTest> everyExampleIsValid() throws Exception {
        return examples().stream()
                .map(
                        text ->
                                DynamicTest.dynamicTest(
                                        text.lines().findFirst().orElse(""),
                                        () ->
                                                ConfigFile.parse(
                                                        "example", text, Map.of("HOME", "/h"))));
    }

    @Test
    void documentationHasExamples() throws Exception {
        assertTrue(examples().size() >= EXAMPLES_MIN, examples().size() + " examples");
    }

    /// If this fails: `tandem config --schema >docs/tandem.schema.json`.
    @Test
    void schemaMatchesKeys() throws Exception {
        assertEquals(ConfigFile.schema(), Files.readString(DOCS.resolve("tandem.schema.json")));
    }

    @Test
    void packagedFileIsValid() throws Exception {
        for (String name : List.of("tandem.toml", "fleet/instance.toml")) {
            Path file = Path.of("..", "packaging").resolve(name);
            ConfigFile.parse(file.toString(), Files.readString(file), Map.of());
        }
    }

    /// Five failed starts within ten seconds would be the end of the service. In another section
    /// systemd ignores the key.
    @Test
    void packagedUnitStartsTheServerForAsLongAsItTakes() throws Exception {
        String unit = Files.readString(Path.of("..", "packaging", "tandem.service"));
        int service = unit.indexOf("\n[Service]\n");
        assertTrue(unit.substring(0, service).contains("\nStartLimitIntervalSec=0\n"), unit);
        assertTrue(unit.substring(service).contains("\nRestartSec=5s\n"), unit);
    }
}
