package dev.tandem.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Comparator;
import java.util.Random;
import java.util.stream.Stream;

/// A temporary folder with the served files, `root/static/{1k,100k,1m}.bin`, and space for the
/// servers' output. Removed when closed.
///
/// @param folder in the system's temporary folder
record WorkFolder(Path folder) implements AutoCloseable {

    /// Gives the same bytes each time.
    private static final long SEED = 20_251_121;

    /// Old enough for servers to trust that a file will not change within the tick of its clock.
    private static final int AGE_SECONDS = 3_600;

    static WorkFolder make() throws LabException {
        try {
            var workFolder = new WorkFolder(Files.createTempDirectory("tandem-lab-"));
            // For a process that is interrupted.
            Runtime.getRuntime().addShutdownHook(new Thread(workFolder::close));
            Files.createDirectories(workFolder.root().resolve("static"));
            workFolder.write("1k", 1_024);
            workFolder.write("100k", 100 * 1_024);
            workFolder.write("1m", 1_024 * 1_024);
            return workFolder;
        } catch (IOException e) {
            throw new LabException("cannot write to the temporary folder: " + e.getMessage());
        }
    }

    /// The folder served at `/`.
    Path root() {
        return folder.resolve("root");
    }

    /// Where a server's output goes.
    Path log(String name) {
        return folder.resolve(name + ".log");
    }

    /// The bytes of a file of the set, such as `1k`.
    byte[] bytes(String name) throws LabException {
        try {
            return Files.readAllBytes(file(name));
        } catch (IOException e) {
            throw new LabException("cannot read " + file(name) + ": " + e.getMessage());
        }
    }

    private Path file(String name) {
        return root().resolve("static").resolve(name + ".bin");
    }

    /// Random, so that no compression on the way can shrink them.
    private void write(String name, int size) throws IOException {
        var bytes = new byte[size];
        new Random(SEED).nextBytes(bytes);
        Files.write(file(name), bytes);
        FileTime old = FileTime.from(Instant.now().minusSeconds(AGE_SECONDS));
        Files.setLastModifiedTime(file(name), old);
    }

    @Override
    public void close() {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        } catch (IOException | UncheckedIOException e) {
            // In the temporary folder: the system deletes it.
        }
    }
}
