package dev.tandem.tomcat;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// Writes WAR files.
final class Wars {
    static final String DESCRIPTOR =
            """
            <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1"></web-app>
            """;

    private Wars() {}

    /// Writes a WAR with a descriptor, pages and classes.
    static void write(Path file, Map<String, String> pages, Class<?>... classes)
            throws IOException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        try (var zip = new ZipOutputStream(Files.newOutputStream(part))) {
            entry(zip, "WEB-INF/web.xml", DESCRIPTOR.getBytes(StandardCharsets.UTF_8));
            for (Map.Entry<String, String> page : pages.entrySet()) {
                entry(zip, page.getKey(), page.getValue().getBytes(StandardCharsets.UTF_8));
            }
            for (Class<?> each : classes) {
                String name = each.getName().replace('.', '/') + ".class";
                try (InputStream bytes = each.getClassLoader().getResourceAsStream(name)) {
                    byte[] all = Objects.requireNonNull(bytes).readAllBytes();
                    entry(zip, "WEB-INF/classes/" + name, all);
                }
            }
        }
        Files.move(part, file, StandardCopyOption.REPLACE_EXISTING);
    }

    /// Adds the jars that contain these classes.
    static void addLibraries(Path war, Class<?>... classes) throws IOException {
        try (FileSystem zip = FileSystems.newFileSystem(war)) {
            Path folder = Files.createDirectories(zip.getPath("WEB-INF/lib"));
            for (Class<?> each : classes) {
                URL place = each.getProtectionDomain().getCodeSource().getLocation();
                try (InputStream bytes = place.openStream()) {
                    String file = Path.of(place.getPath()).getFileName().toString();
                    Files.copy(bytes, folder.resolve(file));
                }
            }
        }
    }

    private static void entry(ZipOutputStream zip, String name, byte[] bytes) throws IOException {
        zip.putNextEntry(new ZipEntry(name));
        zip.write(bytes);
    }
}
