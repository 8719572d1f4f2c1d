package dev.tandem.logs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/// Appends lines to a file and rotates it when it reaches a size: `NAME` becomes `NAME.1`, that
/// `NAME.2` and so on, and the oldest is deleted. A file that cannot be rotated grows.
final class FileSink implements Sink {
    private final Path file;
    private final long rotateAt;
    private final int keep;
    private FileChannel channel;
    private long size;

    /// @param rotateAt in bytes; 0 never
    /// @param keep how many old files are kept
    FileSink(Path file, long rotateAt, int keep) throws IOException {
        this.file = file;
        this.rotateAt = rotateAt;
        this.keep = keep;
        this.channel = open(file);
        this.size = channel.size();
    }

    private static FileChannel open(Path file) throws IOException {
        return FileChannel.open(
                file,
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND,
                StandardOpenOption.WRITE);
    }

    @Override
    public void write(ByteBuffer lines) throws IOException {
        if (!channel.isOpen()) {
            reopenFile(); // the last attempt failed, perhaps for want of a descriptor
        }
        IOException unrotated = null;
        if (rotateAt > 0 && size > 0 && size + lines.remaining() > rotateAt) {
            unrotated = tryRotate();
        }
        append(lines);
        if (unrotated != null) {
            throw new IOException("it grows, as it cannot be rotated: " + unrotated, unrotated);
        }
    }

    /// Returns why it failed, and the file grows: its lines are worth more than its size.
    private @Nullable IOException tryRotate() throws IOException {
        try {
            rotate();
            return null;
        } catch (IOException e) {
            if (!channel.isOpen()) {
                throw e;
            }
            return e;
        }
    }

    private void append(ByteBuffer lines) throws IOException {
        int begin = lines.position();
        try {
            while (lines.hasRemaining()) {
                size += channel.write(lines);
            }
        } catch (IOException e) {
            removePartialLine(lines, begin);
            throw e;
        }
    }

    /// Removes a partly written line, so that the next one starts a new line.
    private void removePartialLine(ByteBuffer lines, int begin) {
        int complete = lines.position();
        while (complete > begin && lines.get(complete - 1) != '\n') {
            complete--;
        }
        if (complete == lines.position()) {
            return;
        }
        try {
            if (channel.size() != size) {
                return; // another one writes to the file, too: its lines would be removed
            }
            long end = size - (lines.position() - complete);
            channel.truncate(end);
            size = end;
            lines.position(complete);
        } catch (IOException | IllegalArgumentException _) {
            // A device or a pipe cannot be truncated.
        }
    }

    private void rotate() throws IOException {
        channel.close();
        try {
            Files.deleteIfExists(rotatedFile(keep));
            for (int i = keep - 1; i >= 1; i--) {
                if (Files.exists(rotatedFile(i))) {
                    Files.move(
                            rotatedFile(i),
                            rotatedFile(i + 1),
                            StandardCopyOption.REPLACE_EXISTING);
                }
            }
            if (keep > 0) {
                Files.move(file, rotatedFile(1), StandardCopyOption.REPLACE_EXISTING);
            } else {
                Files.delete(file);
            }
        } finally {
            reopenFile();
        }
    }

    private Path rotatedFile(int number) {
        return file.resolveSibling(file.getFileName() + "." + number);
    }

    private void reopenFile() throws IOException {
        channel = open(file);
        size = channel.size();
    }

    @Override
    public void reopen() throws IOException {
        channel.close();
        reopenFile();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
