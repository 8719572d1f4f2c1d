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

/// Compresses files. As many at once as there are processors; whoever finds no place sends the
/// file as it is. Safe for all threads.
final class FileCompressor {
    /// What it must save: a twentieth.
    private static final double RATIO_MAX = 0.95;

    private final List<Coding> onDemand;
    private final Semaphore permits = new Semaphore(Runtime.getRuntime().availableProcessors());

    /// @param onDemand the configured codings, for the log
    FileCompressor(List<Coding> onDemand) {
        this.onDemand = onDemand;
    }

    /// Reads a file and compresses it. Null if it is no longer as it was found, if it does not
    /// get smaller, or if there is no place.
    ///
    /// @param variant a form that is made
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
            if (compressed == null || compressed.length > RATIO_MAX * bytes.length) {
                variant.variants().markIncompressible();
                return null;
            }
            ByteBuffer direct = ByteBuffer.allocateDirect(compressed.length).put(compressed).flip();
            return InMemoryFile.of(variant, direct);
        } finally {
            permits.release();
        }
    }

    /// The whole of it, or null if it is no longer as it was found; compared after the reading,
    /// as [InMemoryFile#load] does.
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
