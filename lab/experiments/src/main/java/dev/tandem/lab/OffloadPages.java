package dev.tandem.lab;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Pages to compress: generated ones, or those of the files of a folder.
final class OffloadPages {
    private static final int PAGE = 64 << 10;
    private static final int SHIFT = 104_729;

    private OffloadPages() {}

    /// @param random percentage of random bytes
    static List<ByteBuffer> generated(int count, int random) {
        var contents = new Contents(random);
        var pages = new ArrayList<ByteBuffer>(count);
        for (int i = 0; i < count; i++) {
            var page = ByteBuffer.allocateDirect(PAGE);
            contents.copy((long) i * (PAGE + SHIFT), page);
            pages.add(page.flip());
        }
        return pages;
    }

    /// Returns as many pages of each file as fit into the count, evenly; only whole pages.
    static List<ByteBuffer> ofFolder(Path folder, int count) throws LabException {
        try (Stream<Path> all = Files.walk(folder)) {
            List<Path> files = all.filter(Files::isRegularFile).sorted().toList();
            var pages = new ArrayList<ByteBuffer>(count);
            int each = Math.max(1, count / Math.max(1, files.size()));
            for (Path file : files) {
                read(file, each, pages);
            }
            if (pages.isEmpty()) {
                throw new LabException(folder + " has no file of at least 64 KiB");
            }
            return pages.subList(0, Math.min(count, pages.size()));
        } catch (IOException e) {
            throw new LabException("cannot read " + folder + ": " + e.getMessage());
        }
    }

    private static void read(Path file, int most, List<ByteBuffer> pages) throws IOException {
        try (FileChannel in = FileChannel.open(file)) {
            for (int i = 0; i < most && (i + 1L) * PAGE <= in.size(); i++) {
                var page = ByteBuffer.allocateDirect(PAGE);
                while (page.hasRemaining()
                        && in.read(page, (long) i * PAGE + page.position()) >= 0) {
                    // The next part.
                }
                pages.add(page.flip());
            }
        }
    }
}
