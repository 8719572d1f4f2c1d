package dev.tandem.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/// Each test runs in a JVM of its own: the format is chosen once.
class JdkLogFormatTest {

    /// The main class of such a JVM.
    static final class Logs {
        private Logs() {}

        public static void main(String[] args) {
            JdkLogFormat.configure();
            Logger.getLogger("shop").info("is open");
        }
    }

    private static String logged(String... flags) throws IOException, InterruptedException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(flags));
        String path = System.getProperty("jdk.module.path", "");
        String classPath = System.getProperty("java.class.path", "");
        command.addAll(List.of("-cp", "target/test-classes:" + path + ":" + classPath));
        command.add(Logs.class.getName());
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try (InputStream said = process.getInputStream()) {
            String all = new String(said.readAllBytes(), StandardCharsets.UTF_8);
            assertEquals(0, process.waitFor(), all);
            return all;
        }
    }

    @Test
    void messageIsOneLine() throws Exception {
        String said = logged("-Duser.language=en");
        String time = "\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}[+-]\\d{4}";
        assertTrue(said.matches(time + " INFO is open\\R"), said);
    }

    @Test
    void configuredFormatIsKept() throws Exception {
        assertEquals("is open", logged("-D" + JdkLogFormat.FORM_PROPERTY + "=%5$s"));
    }

    @Test
    void configuredFileIsKept() throws Exception {
        String said = logged("-D" + JdkLogFormat.FILE_PROPERTY + "=/none");
        assertTrue(said.lines().noneMatch(line -> line.endsWith("INFO is open")), said);
    }
}
