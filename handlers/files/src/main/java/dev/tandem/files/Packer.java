package dev.tandem.files;

import dev.tandem.files.Found.Document;
import dev.tandem.files.Places.Place;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.LinkOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/// Compresses files. As many at once as there are processors; whoever finds no place sends the
/// file as it is. Safe for all threads.
final class Packer {
    /// What it must save: a twentieth.
    private static final double WORTH = 0.95;

    private final Semaphore free = new Semaphore(Runtime.getRuntime().availableProcessors());

    /// Reads a file and compresses it. Null if it is no longer as it was found, if it does not
    /// get smaller, or if there is no place.
    ///
    /// @param form a form that is made
    @Nullable HotFile load(Place form) throws IOException {
        if (!free.tryAcquire()) {
            return null;
        }
        try {
            byte[] bytes = read(form.document());
            Coding coding = form.label().coding();
            if (bytes == null || coding == null) {
                return null;
            }
            byte[] packed = Compressors.compress(coding, bytes);
            if (packed == null || packed.length > WORTH * bytes.length) {
                form.forms().giveUp();
                return null;
            }
            ByteBuffer direct = ByteBuffer.allocateDirect(packed.length).put(packed).flip();
            return HotFile.of(form, direct);
        } finally {
            free.release();
        }
    }

    /// The whole of it, or null if it is no longer as it was found; compared after the reading,
    /// as [HotFile#load] does.
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
        return buffer.hasRemaining() || !document.isThere() ? null : bytes;
    }
}
