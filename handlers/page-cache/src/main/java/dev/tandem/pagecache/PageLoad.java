package dev.tandem.pagecache;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/// A page read in progress, for threads that wait for it.
final class PageLoad {
    private final CountDownLatch completed = new CountDownLatch(1);
    private volatile @Nullable IOException failure;

    /// @param failure why the page is not available; null if it is, or if a waiting thread should
    ///     try again
    void complete(@Nullable IOException failure) {
        this.failure = failure;
        completed.countDown();
    }

    /// Waits for the end of the read.
    ///
    /// @throws IOException if the read failed, in every waiting thread: otherwise each would try in
    ///     turn, and hold a thread for as long as the disk takes to fail
    void await(Path path) throws IOException {
        try {
            completed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while another thread read " + path, e);
        }
        IOException cause = failure;
        if (cause instanceof StaleFileException) {
            throw new StaleFileException(path);
        }
        if (cause != null) {
            throw new IOException("another thread failed to read " + path + ": " + cause, cause);
        }
    }
}
