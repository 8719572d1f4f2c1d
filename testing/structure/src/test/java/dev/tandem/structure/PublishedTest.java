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
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// What is published (docs/releasing.md), read from the POMs.
class PublishedTest {
    private static final Pattern MODULE = Pattern.compile("<module>(.*)</module>");
    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(tandem-[^<]*)<");

    private final Project project = Project.current();

    @Test
    void billOfMaterialsNamesEveryPublishedModule() throws IOException {
        var published = new TreeSet<String>();
        for (Path pom : publishedPoms()) {
            published.add(artifact(pom));
        }
        var listed = new TreeSet<>(all(ARTIFACT, Files.readString(bom())));
        listed.remove("tandem-bom");
        assertEquals(published, listed);
    }

    /// Maven Central requires one; the parent's would be the same for all.
    @Test
    void publishedModuleHasADescriptionOfItsOwn() throws IOException {
        var without = new ArrayList<String>();
        var seen = new TreeSet<String>();
        for (Path pom : publishedPoms()) {
            List<String> found =
                    all(Pattern.compile("<description>(.*)</description>"), Files.readString(pom));
            if (found.size() != 1 || !seen.add(found.getFirst())) {
                without.add(artifact(pom));
            }
        }
        assertEquals(List.of(), without);
        assertTrue(seen.size() > 20, seen.toString());
    }

    /// It is a placeholder (docs/releasing.md), so it must be possible to replace it as a whole.
    @Test
    void addressOfTheProjectIsInOnePom() throws IOException {
        String root = Files.readString(project.root().resolve("pom.xml"));
        String host = "https://tandem.dev";
        Pattern url = Pattern.compile("<(?:url|connection|developerConnection)>([^<]*)<");
        List<String> other =
                all(url, root).stream().filter(u -> !u.contains("licenses")).distinct().toList();
        assertEquals(List.of(host, "scm:git:" + host + "/tandem.git", host + "/tandem.git"), other);
        for (Path pom : publishedPoms()) {
            assertEquals(List.of(), all(url, Files.readString(pom)), pom.toString());
        }
    }

    /// A user copies them: they name a version that is there.
    @Test
    void examplesAndDocumentsNameTheCurrentVersion() throws IOException {
        String version =
                all(
                                Pattern.compile("<version>(.*)</version>"),
                                Files.readString(project.root().resolve("pom.xml")))
                        .getFirst();
        var other = new ArrayList<String>();
        Pattern named = Pattern.compile("([0-9]+\\.[0-9]+\\.[0-9]+-SNAPSHOT)");
        for (Path file : project.files("docs", "examples", "bin", "app/bom", "README.md")) {
            String name = project.root().relativize(file).toString();
            boolean isHistory =
                    name.startsWith("docs/results") || name.startsWith("docs/decisions");
            if (isHistory || name.endsWith(".png")) {
                continue;
            }
            if (!Set.of(version).containsAll(all(named, Files.readString(file)))) {
                other.add(name);
            }
        }
        assertEquals(List.of(), other);
    }

    private Path bom() {
        return project.root().resolve("app/bom/pom.xml");
    }

    private List<Path> publishedPoms() throws IOException {
        var poms = new ArrayList<Path>();
        for (String module : all(MODULE, Files.readString(project.root().resolve("pom.xml")))) {
            Path pom = project.root().resolve(module).resolve("pom.xml");
            String text = Files.readString(pom);
            boolean isSkipped = text.contains("<maven.deploy.skip>true<");
            boolean isParent = text.contains("<packaging>pom<");
            if (!isSkipped && !isParent) {
                poms.add(pom);
            }
        }
        return poms;
    }

    /// The first after the parent's.
    private static String artifact(Path pom) throws IOException {
        String text = Files.readString(pom);
        return all(ARTIFACT, text.substring(text.indexOf("</parent>"))).getFirst();
    }

    private static List<String> all(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(found -> found.group(1)).toList();
    }
}
