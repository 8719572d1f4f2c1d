package dev.tandem.structure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Links of documents lead to files and headings that exist. Those to other sites are not followed.
class LinksTest {
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("^#{1,6} +(.*?)\\s*$");
    private static final Pattern LINKED_TEXT = Pattern.compile("\\[([^]]*)]\\([^)]*\\)");

    /// What forges leave out of a heading's anchor.
    private static final Pattern DROPPED = Pattern.compile("[^\\p{L}\\p{N} _-]");

    /// Fewer would mean that links are not found.
    private static final int LINKS_MIN = 400;

    private final Map<Path, Set<String>> anchors = new HashMap<>();
    private int count;

    @Test
    void linksOfDocumentsLeadSomewhere() throws IOException {
        Project project = Project.current();
        var documents = new ArrayList<Path>();
        for (Path file : project.files("docs", "examples", "app/packaging")) {
            if (file.toString().endsWith(".md")) {
                documents.add(file);
            }
        }
        try (Stream<Path> top = Files.list(project.root())) {
            top.filter(file -> file.toString().endsWith(".md")).forEach(documents::add);
        }
        var dead = new ArrayList<String>();
        for (Path document : documents) {
            dead.addAll(dead(document));
        }
        assertEquals("", String.join("\n", dead));
        assertTrue(count >= LINKS_MIN, count + " links");
    }

    @Test
    void deadLinkIsFound(@TempDir Path folder) throws IOException {
        Files.writeString(
                folder.resolve("there.md"), "# A `name`: [its](x.md) part\n\n# Twice\n# Twice\n");
        Path document =
                Files.writeString(
                        folder.resolve("page.md"),
                        """
                        # Here
                        [a](there.md) [b](there.md#a-name-its-part) [c](#here) [d](there.md#twice-1)
                        ```
                        [in code](none.md)
                        ```
                        [e](none.md) [f](there.md#none) [g](#none) [h](https://example.org/none)
                        """);
        assertEquals(
                List.of("none.md", "there.md#none", "#none"),
                dead(document).stream().map(line -> line.replaceFirst(".*: ", "")).toList());
    }

    private List<String> dead(Path document) throws IOException {
        var dead = new ArrayList<String>();
        for (String line : text(document)) {
            for (String link : LINK.matcher(line).results().map(found -> found.group(1)).toList()) {
                if (!link.matches("[a-z]+:.*")) {
                    count++;
                    if (!leadsSomewhere(document, link)) {
                        dead.add(document + ": " + link);
                    }
                }
            }
        }
        return dead;
    }

    private boolean leadsSomewhere(Path document, String link) throws IOException {
        int hash = link.indexOf('#');
        String path = hash < 0 ? link : link.substring(0, hash);
        Path target = path.isEmpty() ? document : document.resolveSibling(path).normalize();
        return Files.exists(target)
                && (hash < 0 || anchors(target).contains(link.substring(hash + 1)));
    }

    private Set<String> anchors(Path document) throws IOException {
        Set<String> known = anchors.get(document);
        if (known == null) {
            known = new HashSet<>();
            for (String line : text(document)) {
                var heading = HEADING.matcher(line);
                if (heading.matches()) {
                    String anchor = anchor(heading.group(1));
                    String free = anchor;
                    for (int i = 1; !known.add(free); i++) {
                        free = anchor + "-" + i;
                    }
                }
            }
            anchors.put(document, known);
        }
        return known;
    }

    private static String anchor(String heading) {
        String text = LINKED_TEXT.matcher(heading).replaceAll("$1").toLowerCase(Locale.ROOT);
        return DROPPED.matcher(text).replaceAll("").replace(' ', '-');
    }

    /// The lines of a document, without blocks of code.
    private static List<String> text(Path document) throws IOException {
        var lines = new ArrayList<String>();
        boolean isCode = false;
        for (String line : Files.readAllLines(document)) {
            if (line.strip().startsWith("```")) {
                isCode = !isCode;
            } else if (!isCode) {
                lines.add(line);
            }
        }
        return lines;
    }
}
