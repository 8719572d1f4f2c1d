package dev.tandem.cli;

import dev.tandem.Server;
import dev.tandem.TraceRecording;
import dev.tandem.cli.command.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A recording from a server's start, written when the server has stopped, or the process ends. Its
/// length and size are limited by [TraceRecording].
///
/// @param file where it is written, replacing an older one
record TraceFile(TraceRecording recording, Path file) implements AutoCloseable {

    /// @throws Failure if it could not be written at the end
    static Path checked(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isWritable(folder) || Files.isDirectory(file)) {
            throw Failure.failed("cannot write the trace to " + file + "; name a file by --trace");
        }
        return file;
    }

    /// @return null if no recording was requested
    static @Nullable TraceFile start(Optional<Path> file, Server server) throws IOException {
        if (file.isEmpty()) {
            return null;
        }
        var trace = new TraceFile(server.record(), file.get());
        trace.recording.writeAtExit(trace.file);
        return trace;
    }

    @Override
    public void close() throws IOException {
        if (!isExiting()) {
            recording.stop(file);
        }
    }

    /// Returns whether the process is shutting down: there is no other way to find out.
    private static boolean isExiting() {
        var none = new Thread(() -> {});
        try {
            Runtime.getRuntime().addShutdownHook(none);
            Runtime.getRuntime().removeShutdownHook(none);
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }
}
