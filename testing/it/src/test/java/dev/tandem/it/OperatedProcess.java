package dev.tandem.it;

import dev.tandem.testkit.Patience;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/// `tandem serve --config` in a process of its own, as an operator runs it.
final class OperatedProcess implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 30;

    private final Process process;
    private final Path errors;

    private OperatedProcess(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
    }

    /// Starts it, and returns when it listens.
    ///
    /// @param before words of a program that becomes the server; may be empty
    /// @param folder for its standard error
    static OperatedProcess start(
            Path folder, Map<String, String> variables, List<String> before, String... command)
            throws IOException {
        var words = new ArrayList<>(before);
        words.addAll(
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.tandem.cli.Main"));
        words.addAll(List.of(command));
        Path errors = Files.createTempFile(folder, "errors", ".txt");
        var builder = new ProcessBuilder(words).redirectError(errors.toFile());
        builder.environment().putAll(variables);
        Process process = builder.start();
        BufferedReader out = process.inputReader();
        String line = out.readLine();
        if (line == null || !line.startsWith("tandem: ")) {
            process.destroyForcibly();
            throw new IOException("not started: " + line + Files.readString(errors));
        }
        return new OperatedProcess(process, errors);
    }

    long pid() {
        return process.pid();
    }

    /// @param name of a signal, such as `HUP`
    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(pid())).start().waitFor();
    }

    void awaitError(String text) {
        Patience.until(text + " on standard error", () -> errors().contains(text));
    }

    private String errors() {
        try {
            return Files.readString(errors);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Waits for the process to end.
    ///
    /// @return its status
    int end() throws IOException, InterruptedException {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new IOException("still running after " + PATIENCE_SECONDS + " s: " + errors());
        }
        return process.exitValue();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
