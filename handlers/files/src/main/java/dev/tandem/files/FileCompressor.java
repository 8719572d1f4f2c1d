package dev.tandem.files;

import dev.tandem.files.FileLookup.Document;
import dev.tandem.files.ResolvedFiles.ResolvedFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/// Compresses files, as many at once as there are processors; when all are busy, files are sent
/// uncompressed. Thread safe.
final class FileCompressor {
    /// The result must save at least a twentieth.
    private static final double RATIO_MAX = 0.95;

    private final List<Coding> onDemand;
    private final Semaphore permits = new Semaphore(Runtime.getRuntime().availableProcessors());

    /// @param onDemand the configured codings, for the log
    FileCompressor(List<Coding> onDemand) {
        this.onDemand = onDemand;
    }

    /// Reads a file and compresses it. Returns null if the file has changed, does not become
    /// smaller, its compression fails, or all processors are busy.
    ///
    /// @param variant compressed on demand
    @Nullable InMemoryFile load(ResolvedFile variant) throws IOException {
        if (!permits.tryAcquire()) {
            return null;
        }
        try {
            byte[] bytes = read(variant.document());
            Coding coding = variant.metadata().coding();
            if (bytes == null || coding == null) {
                return null;
            }
            Compressors.log(onDemand, null);
            byte[] compressed = Compressors.compress(coding, bytes);
            if (compressed == null) {
                variant.variants().markFailed(coding);
                return null;
            }
            if (compressed.length > RATIO_MAX * bytes.length) {
                variant.variants().markIncompressible();
                return null;
            }
            ByteBuffer direct = ByteBuffer.allocateDirect(compressed.length).put(compressed).flip();
            return InMemoryFile.of(variant, direct);
        } finally {
            permits.release();
        }
    }

    /// Returns the whole content, or null if the file has changed; compared after reading, as in
    /// [InMemoryFile#load].
    private static byte @Nullable [] read(Document document) throws IOException {
        var bytes = new byte[Math.toIntExact(document.stamp().size())];
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        try (FileChannel file =
                FileChannel.open(
                        document.path(), StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS)) {
            int count = 0;
            while (buffer.hasRemaining() && count >= 0) {
                count = file.read(buffer);
            }
        }
        return buffer.hasRemaining() || !document.isUnchanged() ? null : bytes;
    }
}
