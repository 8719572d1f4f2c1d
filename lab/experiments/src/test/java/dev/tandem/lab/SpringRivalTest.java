package dev.tandem.lab;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.lab.ColdExperiment.Row;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SpringRivalTest {
    private final Environment environment =
            new Environment(
                    Toolbox.ofProcess(),
                    TargetMain.command(),
                    new PrintStream(OutputStream.nullOutputStream(), true, StandardCharsets.UTF_8));

    @Test
    void applicationIsUnpackedAndServesWithAndWithoutCaches(@TempDir Path folder) throws Exception {
        List<SpringRival> rivals =
                SpringRival.unpack(
                        jar(folder.resolve("app.jar")),
                        folder.resolve("app"),
                        "/page",
                        Pinning.NONE);
        assertEquals(
                List.of("tandem", "tomcat", "tandem with an AOT cache", "tomcat with an AOT cache"),
                rivals.stream().map(SpringRival::name).toList());
        for (SpringRival rival : rivals) {
            RivalPlan plan = RivalPlan.of(folder, folder, RivalSettings.DEFAULT);
            try (RunningRival running = rival.start(plan, environment);
                    Caller caller = Caller.connect(running.port())) {
                String options = new String(caller.get("/page").body(), StandardCharsets.UTF_8);
                assertEquals(rival.isStock(), options.contains("--tandem.enabled=false"), options);
            }
            Path cache = rival.cache();
            assertTrue(cache == null || Files.size(cache) > 0, "empty: " + cache);
        }
    }

    @Test
    void jarThatCannotBeUnpackedIsReported(@TempDir Path folder) throws Exception {
        Path jar = Files.writeString(folder.resolve("app.jar"), "no jar");
        var failure =
                assertThrows(
                        LabException.class,
                        () -> SpringRival.unpack(jar, folder.resolve("app"), "/", Pinning.NONE));
        assertTrue(failure.line().startsWith("cannot make app.jar: "), failure.line());
    }

    @Test
    void applicationsAreComparedWithApplicationsOnly(@TempDir Path folder) {
        var application = new SpringRival(true, folder.resolve("app.jar"), null, "/");
        assertTrue(Row.SPRING.isOf(application));
        assertFalse(Row.HELLO.isOf(application));
        assertFalse(Row.SPRING.isOf(OwnRival.TANDEM));
        assertFalse(Row.SPRING.isOf(JavaRival.jetty(false, new BuiltRivals(folder))));
    }

    /// The class is in it, since a JVM caches no class of a folder.
    private static Path jar(Path file) throws Exception {
        var manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes()
                .put(Attributes.Name.MAIN_CLASS, FakeApplication.class.getName());
        String name = FakeApplication.class.getName().replace('.', '/') + ".class";
        try (var out = new JarOutputStream(Files.newOutputStream(file), manifest);
                var in = requireNonNull(ClassLoader.getSystemResourceAsStream(name))) {
            out.putNextEntry(new JarEntry(name));
            in.transferTo(out);
        }
        return file;
    }
}
