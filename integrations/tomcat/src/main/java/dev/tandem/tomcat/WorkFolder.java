package dev.tandem.tomcat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// The folder for what Catalina writes while applications run: unpacked WARs, and classes compiled
/// from pages.
///
/// @param home a folder that nothing else uses
record WorkFolder(Path home) {

    static WorkFolder createTemporary() throws IOException {
        Path home = Files.createTempDirectory("tandem-run");
        Files.createDirectories(home.resolve("webapps"));
        return new WorkFolder(home);
    }

    /// Deletes a folder if it is below this one: an application's own folder stays.
    void delete(Path folder) throws IOException {
        if (!folder.startsWith(home) || !Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
            for (Path file : deepestFirst) {
                Files.deleteIfExists(file);
            }
        }
    }
}
