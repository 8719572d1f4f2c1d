package dev.tandem.cgi.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.cgi.Program;
import dev.tandem.cgi.ScriptProcess;
import dev.tandem.cgi.Spawner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SpawnerTest {
    private static final long LONG_NANOS = TimeUnit.SECONDS.toNanos(20);

    private static Program program(String file, String... environment) {
        return new Program(Path.of(file), Path.of("/"), List.of(environment), false);
    }

    @Test
    void bestSpawnerIsThatOfThisModule() {
        assertEquals("posix", Spawner.best().name());
    }

    /// An upgrade may have removed its jar by the second time.
    @Test
    void spawnerIsLookedForOnce() {
        assertSame(Spawner.best(), Spawner.best());
    }

    @Test
    void propertySelectsTheSpawner() {
        try {
            System.setProperty(Spawner.PROPERTY, "jdk");
            assertEquals("jdk", Spawner.best().name());
            System.setProperty(Spawner.PROPERTY, "none");
            var error = assertThrows(IllegalArgumentException.class, Spawner::best);
            assertTrue(String.valueOf(error.getMessage()).endsWith("was none"));
        } finally {
            System.clearProperty(Spawner.PROPERTY);
        }
    }

    @ParameterizedTest
    @EnumSource
    void startOfAMissingProgramFails(SpawnerKind kind) {
        var failure =
                assertThrows(
                        IOException.class, () -> kind.spawner().start(program("/none/of/these")));
        String message = String.valueOf(failure.getMessage());
        assertTrue(message.contains("/none/of/these") || message.contains("No such file"), message);
    }

    @Test
    void environmentIsPassedAsBytes() throws IOException {
        var program = program("/usr/bin/env", "A=\u00ff\u00e9", "B=");
        try (ScriptProcess process = new PosixSpawner().start(program)) {
            var buffer = new byte[256];
            int length = 0;
            for (int count = 0; count >= 0; count = process.readOutput(buffer)) {
                length += count;
                assertTrue(count > 0 || process.await(false, LONG_NANOS) != 0);
            }
            assertTrue(process.awaitExit(LONG_NANOS));
            assertEquals(
                    "A=\u00ff\u00e9\nB=\n",
                    new String(buffer, 0, length, StandardCharsets.ISO_8859_1));
        }
    }

    @ParameterizedTest
    @EnumSource
    void killedProgramExitsAndCanBeKilledAgain(SpawnerKind kind) throws IOException {
        var program = new Program(Path.of("/bin/cat"), Path.of("/"), List.of(), true);
        try (ScriptProcess process = kind.spawner().start(program)) {
            assertTrue(Programs.isRunning(process.pid()));
            process.kill();
            assertTrue(process.awaitExit(LONG_NANOS));
            process.kill();
        }
    }
}
