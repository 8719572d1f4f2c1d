package dev.tandem.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tandem.testkit.Browser;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A real client program, if the machine has it.
///
/// @param input for its standard input; null for nothing
record Tool(String name, List<String> always, @Nullable Path input) {
    /// 5 min: a compiler that has to compile its standard library first takes more than 1 min on a
    /// busy machine.
    private static final int PATIENCE_SECONDS = 300;

    Tool(String name, List<String> always) {
        this(name, always, null);
    }

    static Tool openssl() {
        return new Tool("openssl", List.of());
    }

    Tool reading(Path file) {
        return new Tool(name, always, file);
    }

    static Tool curl() {
        return new Tool("curl", List.of("-sS", "--max-time", "20"));
    }

    /// Without C, whose part of the standard library takes as long to compile as all the rest.
    static Tool go() {
        new Tool("go", List.of()).needed();
        return new Tool("env", List.of("CGO_ENABLED=0", "go", "run"));
    }

    static Tool chromium(Path profile) {
        return new Tool("chromium", Browser.flags(profile));
    }

    /// Returns its name and its constant arguments; skips the test if it is missing.
    List<String> command() {
        needed();
        var words = new ArrayList<>(List.of(name));
        words.addAll(always);
        return words;
    }

    /// Runs it, and returns its standard output; skips the test if it is missing.
    String run(Path folder, String... arguments) throws IOException, InterruptedException {
        var words = new ArrayList<>(command());
        words.addAll(List.of(arguments));
        Path out = Files.createTempFile(folder, name, ".out");
        Process process =
                new ProcessBuilder(words)
                        .redirectInput(input == null ? new File("/dev/null") : input.toFile())
                        .redirectOutput(out.toFile())
                        .redirectError(folder.resolve(name + ".err").toFile())
                        .start();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IOException(name + " did not end");
        }
        return Files.readString(out, StandardCharsets.ISO_8859_1);
    }

    /// Skips the test if it is missing.
    void needed() {
        assumeTrue(isHere(), "skipped: needs " + name);
    }

    private boolean isHere() {
        for (String folder : System.getenv("PATH").split(":")) {
            if (Files.isExecutable(Path.of(folder, name))) {
                return true;
            }
        }
        return false;
    }
}
