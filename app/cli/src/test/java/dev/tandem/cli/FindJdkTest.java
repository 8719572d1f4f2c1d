package dev.tandem.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// The launcher's search for a JDK. What it finds is written into a script, between quotes.
@Timeout(60)
@DisabledOnOs(OS.WINDOWS)
class FindJdkTest {
    private static final Path SCRIPT = Path.of("../../bin/find-jdk.sh").toAbsolutePath();

    private final Path folder;

    FindJdkTest(@TempDir Path folder) {
        this.folder = folder;
    }

    private Path jdk(String name, String version) throws IOException {
        Path home = folder.resolve(name);
        Path bin = Files.createDirectories(home.resolve("bin"));
        for (String tool : new String[] {"java", "javac"}) {
            Files.writeString(bin.resolve(tool), "").toFile().setExecutable(true);
        }
        Files.writeString(home.resolve("release"), "JAVA_RUNTIME_VERSION=\"" + version + "\"\n");
        return home;
    }

    @Test
    void java8IsFoundAsSuch() throws Exception {
        Path home = jdk("old", "1.8.0_402-b06");
        assertFalse(fits(home));
        String command = ". \"$0\"; jdk_read \"$1\"; test \"$jdk_feature\" = 8";
        assertEquals(0, status(command, home));
    }

    private static boolean fits(Path home) throws Exception {
        return status(". \"$0\"; jdk_fits \"$1\"", home) == 0;
    }

    private static int status(String command, Path home) throws Exception {
        Process shell =
                new ProcessBuilder("sh", "-c", command, SCRIPT.toString(), home.toString())
                        .inheritIO()
                        .start();
        shell.waitFor(30, TimeUnit.SECONDS);
        return shell.exitValue();
    }

    @Test
    void newEnoughOneFitsWhateverItsFolderIsCalled() throws Exception {
        for (String name : new String[] {"jdk", "a b", "a\"b$c`d\\e", "a\nb", "ä*"}) {
            assertTrue(fits(jdk(name, "25.0.3+9-LTS")), name);
        }
        assertFalse(fits(jdk("old", "21.0.1+12")));
        assertFalse(fits(folder.resolve("none")));
    }

    @Test
    void oneWithAQuoteInItsPathOrVersionIsNone() throws Exception {
        assertFalse(fits(jdk("j'dk", "25.0.3+9-LTS")));
        assertFalse(fits(jdk("odd", "25'; exit 0; '")));
    }
}
