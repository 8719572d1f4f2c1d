package dev.tandem.engine.manage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/// Names of the machine and of this build, for a title. Read without asking a name server, which
/// may not respond.
final class Host {
    private static final Path LINUX = Path.of("/proc/sys/kernel/hostname");

    private Host() {}

    /// Returns the machine's name; empty if it is not known.
    static String name() {
        try {
            return Files.readString(LINUX).strip();
        } catch (IOException e) {
            String windows = Objects.requireNonNullElse(System.getenv("COMPUTERNAME"), "");
            return Objects.requireNonNullElse(System.getenv("HOSTNAME"), windows);
        }
    }

    /// Returns the version of this library, which the build fills in.
    static String version() {
        try (InputStream in = Host.class.getResourceAsStream("version.txt")) {
            return in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            return "";
        }
    }
}
