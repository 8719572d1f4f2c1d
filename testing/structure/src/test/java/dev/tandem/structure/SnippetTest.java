package dev.tandem.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Snippets of documents are excerpts of the examples, which are compiled and run.
class SnippetTest {
    private static final Pattern BLOCK =
            Pattern.compile("^```(?:java|xml)\n(.*?)^```$", Pattern.MULTILINE | Pattern.DOTALL);

    /// Fewer would mean that the blocks are not found.
    private static final int BLOCKS_MIN = 10;

    private final Project project = Project.current();

    @Test
    void snippetsOfTheEmbeddingPageAreInTheShop() throws IOException {
        String page = Files.readString(project.root().resolve("docs/embedding.md"));
        List<String> sources = new ArrayList<>();
        for (Path file : project.files("examples/shop")) {
            sources.add(normalized(Files.readString(file)));
        }
        List<String> blocks = BLOCK.matcher(page).results().map(b -> b.group(1)).toList();
        assertTrue(blocks.size() >= BLOCKS_MIN, () -> blocks.size() + " blocks");
        var missing = new ArrayList<String>();
        for (String block : blocks) {
            String text = normalized(block);
            if (sources.stream().noneMatch(source -> source.contains(text))) {
                missing.add(block);
            }
        }
        assertEquals("", String.join("\n", missing));
    }

    /// Lines without indentation.
    private static String normalized(String text) {
        return text.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty())
                .collect(Collectors.joining("\n"));
    }
}
