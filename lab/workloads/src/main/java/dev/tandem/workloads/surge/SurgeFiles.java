package dev.tandem.workloads.surge;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/// The file set in a folder. A manifest there identifies the set: an equal one is reused, and an
/// incomplete one is completed. A folder with anything else in it is rejected, never changed. Each
/// file is written to a temporary name and then moved, so that other processes may write or read
/// the same set at the same time.
public final class SurgeFiles {
    /// The space that must be left on the disk in addition to the files: 16 MiB, for folders and
    /// other programs.
    private static final long SPARE_BYTES = 16L << 20;

    private static final long MEBIBYTE = 1L << 20;

    private final Surge surge;
    private final SurgeContent content;
    private final Manifest manifest;
    private final FreeSpace freeSpace;

    public SurgeFiles(Surge surge) {
        this(surge, folder -> Files.getFileStore(folder).getUsableSpace());
    }

    SurgeFiles(Surge surge, FreeSpace freeSpace) {
        this.surge = surge;
        this.content = new SurgeContent(surge.settings().seed());
        this.manifest = Manifest.of(surge);
        this.freeSpace = freeSpace;
    }

    /// Returns the free space of a folder's disk, in bytes.
    interface FreeSpace {
        long bytes(Path folder) throws IOException;
    }

    /// The work that was done.
    ///
    /// @param files how many were written; 0 if all existed
    /// @param bytes their total length
    public record Written(int files, long bytes) {}

    /// Writes the missing files. Takes one or two seconds for the default set; blocks.
    ///
    /// @param folder is made if it is missing
    /// @param report receives one line before anything is written: how many files and bytes, and
    ///     where
    /// @throws IOException if the folder holds something else, if the disk has too little space, or
    ///     if a file cannot be written; the message names it and what to do
    public Written write(Path folder, Consumer<String> report) throws IOException {
        Files.createDirectories(folder);
        boolean isBegun = manifest.isIn(folder);
        var missing = new ArrayList<SurgeFile>();
        long bytes = 0;
        for (SurgeFile file : surge.files()) {
            if (!isThere(folder, file)) {
                missing.add(file);
                bytes += file.bytes();
            }
        }
        if (missing.isEmpty()) {
            report.accept("surge: " + surge.files().size() + " files are in " + folder);
            return new Written(0, 0);
        }
        checkRoom(folder, bytes);
        report.accept(
                "surge: writing %d files, %d MiB, to %s"
                        .formatted(missing.size(), bytes / MEBIBYTE, folder));
        if (!isBegun) {
            manifest.write(folder);
        }
        writeAll(folder, missing);
        return new Written(missing.size(), bytes);
    }

    /// Whether a response has the right bytes.
    ///
    /// @param file it should be of
    /// @param offset of the first byte in the file
    /// @param bytes some or all that follow
    public boolean isRight(SurgeFile file, long offset, byte[] bytes) {
        return offset >= 0
                && offset + bytes.length <= file.bytes()
                && content.isRight(file.number(), offset, bytes);
    }

    /// Checks the size and the first line, not the whole content.
    private boolean isThere(Path folder, SurgeFile file) throws IOException {
        Path path = folder.resolve(file.path());
        try {
            if (Files.size(path) != file.bytes()) {
                return false;
            }
            try (InputStream in = Files.newInputStream(path)) {
                return isRight(file, 0, in.readNBytes(SurgeContent.LINE_BYTES));
            }
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private void checkRoom(Path folder, long bytes) throws IOException {
        long free = freeSpace.bytes(folder);
        if (free < bytes + SPARE_BYTES) {
            throw new IOException(
                    "%s has %d MiB free, and %d MiB are needed: %s"
                            .formatted(
                                    folder,
                                    free / MEBIBYTE,
                                    (bytes + SPARE_BYTES) / MEBIBYTE,
                                    "take another folder, or fewer files"));
        }
    }

    private void writeAll(Path folder, List<SurgeFile> files) throws IOException {
        int done = 0;
        for (SurgeFile file : files) {
            Path path = folder.resolve(file.path());
            try {
                writeOne(path, file);
            } catch (IOException e) {
                throw new IOException(
                        ("%s cannot be written, after %d of %d files: %s; once that is fixed,"
                                        + " the same call continues from there")
                                .formatted(path, done, files.size(), e),
                        e);
            }
            done++;
        }
    }

    private void writeOne(Path path, SurgeFile file) throws IOException {
        Files.createDirectories(path.getParent());
        Path temporary = Files.createTempFile(path.getParent(), ".surge", ".part");
        try {
            try (var out = Files.newOutputStream(temporary)) {
                write(out, file);
            }
            letAllRead(temporary);
            Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    /// Only its owner may read a temporary file, and servers that root starts run as other users.
    private static void letAllRead(Path file) throws IOException {
        var rights = Files.getFileAttributeView(file, PosixFileAttributeView.class);
        if (rights != null) {
            rights.setPermissions(PosixFilePermissions.fromString("rw-r--r--"));
        }
    }

    private void write(OutputStream out, SurgeFile file) throws IOException {
        byte[] block = new byte[SurgeContent.BLOCK_BYTES];
        var buffered = new BufferedOutputStream(out, 16 * SurgeContent.BLOCK_BYTES);
        long left = file.bytes();
        for (int number = 0; left > 0; number++) {
            content.fill(file.number(), number, block);
            int length = (int) Math.min(left, block.length);
            buffered.write(block, 0, length);
            left -= length;
        }
        buffered.flush();
    }
}
