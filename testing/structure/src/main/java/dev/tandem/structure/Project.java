package dev.tandem.structure;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/// The folders of a checkout: `LAYER/MODULE` with `src/main/java`.
///
/// @param root absolute
public record Project(Path root) {
    /// The layers of the product, from the lowest; a module uses its own layer and those before.
    public static final List<String> LAYERS = List.of("core", "handlers", "integrations", "app");

    /// Returns the checkout that contains the current folder.
    ///
    /// @throws IllegalStateException outside of a checkout
    public static Project current() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("ARCHITECTURE.md"))) {
            folder = folder.getParent();
            if (folder == null) {
                throw new IllegalStateException("not in a checkout of the project");
            }
        }
        return new Project(folder);
    }

    /// Returns the folders of the modules of one layer, sorted.
    ///
    /// @throws IOException the folder cannot be read
    public List<Path> modules(String layer) throws IOException {
        try (Stream<Path> folders = Files.list(root.resolve(layer))) {
            return folders.filter(folder -> Files.isDirectory(folder.resolve("src")))
                    .sorted()
                    .toList();
        }
    }

    /// Imports the compiled main classes of a module.
    ///
    /// @throws IllegalStateException they were not compiled
    public JavaClasses classes(Path module) {
        Path folder = module.resolve("target/classes");
        if (!Files.isDirectory(folder)) {
            throw new IllegalStateException(folder + " is missing: build first, mvn test-compile");
        }
        // Types of other modules are known by name, which is all that the checks need.
        ArchConfiguration.get().setResolveMissingDependenciesFromClassPath(false);
        return new ClassFileImporter().importPath(folder);
    }

    /// Returns all sources and documents below the layers' folders and the root, without what a
    /// build has made.
    ///
    /// @throws IOException a folder cannot be read
    public List<Path> files(String... folders) throws IOException {
        try (Stream<Path> all = Stream.of(folders).map(root::resolve).flatMap(Project::walk)) {
            return all.sorted().toList();
        }
    }

    private static Stream<Path> walk(Path folder) {
        try {
            return Files.walk(folder)
                    .filter(Files::isRegularFile)
                    .filter(file -> !file.toString().contains("/target/"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
