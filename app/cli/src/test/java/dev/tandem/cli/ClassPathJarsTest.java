package dev.tandem.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// A package that is upgraded while the server runs.
@DisabledOnOs(OS.WINDOWS)
class ClassPathJarsTest {
    private final Path folder;

    ClassPathJarsTest(@TempDir Path folder) {
        this.folder = folder;
    }

    /// In the last jar.
    static class Late {}

    private Path jar(String name, Class<?>... classes) throws IOException {
        Path file = folder.resolve(name);
        try (var out = new JarOutputStream(Files.newOutputStream(file))) {
            for (Class<?> each : classes) {
                String entry = each.getName().replace('.', '/') + ".class";
                out.putNextEntry(new JarEntry(entry));
                try (InputStream in = each.getClassLoader().getResourceAsStream(entry)) {
                    Objects.requireNonNull(in).transferTo(out);
                }
            }
        }
        return file;
    }

    private Class<?> loadAfterRemoval(Map<String, String> environment) throws Exception {
        Path first = jar("first.jar", ClassPathJarsTest.class);
        Path second = jar("second.jar", Late.class);
        URL[] path = {first.toUri().toURL(), second.toUri().toURL()};
        try (var loader = new URLClassLoader(path, null)) {
            loader.loadClass(ClassPathJarsTest.class.getName()); // opens the first
            ClassPathJars.openInService(environment, loader);
            Files.delete(first);
            Files.delete(second);
            return loader.loadClass(Late.class.getName());
        }
    }

    @Test
    void classesOfRemovedJarsAreFound() throws Exception {
        Class<?> late = loadAfterRemoval(Map.of("INVOCATION_ID", "1"));
        assertEquals(Late.class.getName(), late.getName());
    }

    @Test
    void lackOfMemoryDoesNotEndTheService() {
        var loader =
                new ClassLoader() {
                    @Override
                    public URL getResource(String name) {
                        throw new OutOfMemoryError("at the moment");
                    }
                };
        ClassPathJars.openInService(Map.of("INVOCATION_ID", "1"), loader);
    }

    @Test
    void otherProcessesOpenNoMoreThanTheyNeed() {
        assertThrows(ClassNotFoundException.class, () -> loadAfterRemoval(Map.of()));
    }
}
