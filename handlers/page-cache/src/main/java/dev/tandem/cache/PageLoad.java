package dev.tandem.cache;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/// A page on its way into memory, for those who wait until another has read it.
final class PageLoad {
    private final CountDownLatch completed = new CountDownLatch(1);
    private volatile @Nullable IOException failure;

    /// @param failure why the page is not to be had; null if it is there, or if somebody else
    ///     should try
    void complete(@Nullable IOException failure) {
        this.failure = failure;
        completed.countDown();
    }

    /// Waits until it is over.
    ///
    /// @throws IOException if the page is not to be had, for nobody who has waited: else each
    ///     would try in his turn, and hold a thread for as long as the disk takes to fail
    void await(Path path) throws IOException {
        try {
            completed.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while another read " + path, e);
        }
        IOException cause = failure;
        if (cause instanceof StaleFileException) {
            throw new StaleFileException(path);
        }
        if (cause != null) {
            throw new IOException("another read " + path + " and failed: " + cause, cause);
        }
    }
}
