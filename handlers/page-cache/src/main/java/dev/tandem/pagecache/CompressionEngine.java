package dev.tandem.pagecache;

import java.util.List;

/// Compresses and decompresses pages for a [PageCache]: by a codec on the cache's own threads, or
/// elsewhere, such as on threads of its own, in another process or on a device. Thread safe; to be
/// closed after the caches that use it.
///
/// An engine is not trusted. The cache bounds the number of pages that it has given away and the
/// time that it waits for each, copies results before it uses them, and sends no page that does not
/// have the checksum of the page that was read from disk. An engine that fails is left alone for a
/// while, and the cache uses [#codec()] itself.
public interface CompressionEngine extends AutoCloseable {

    /// Returns the codec whose format the engine's pages have. The cache also uses it itself: for
    /// work that no engine has taken.
    PageCodec codec();

    /// Returns what the engine takes. Does not change.
    EngineTraits traits();

    /// Returns whether the engine can process pages now. Does not block.
    boolean isAvailable();

    /// Starts to process a batch of at most [EngineTraits#batchMax()] pages of the same operation.
    /// Does not block. Each page is completed by [PageJob#complete] or [PageJob#fail]: in any
    /// order,
    /// by any thread, also before this method returns. All are failed if this method throws.
    void submit(List<PageJob> batch);

    /// Releases threads and processes; pages in progress fail. Idempotent.
    @Override
    void close();

    /// Returns an engine without threads of its own: the cache uses the codec on the thread that
    /// needs a page, or on its background threads.
    static CompressionEngine of(PageCodec codec) {
        return new CodecEngine(codec);
    }

    /// Returns an engine that uses threads of its own in this process, with the lowest priority.
    ///
    /// @param threads 1 to 64
    static CompressionEngine workers(PageCodec codec, int threads) {
        return new WorkerEngine(codec, threads);
    }

    /// Returns an engine in a process of its own, which is started now, and again whenever it ends.
    /// For one cache.
    ///
    /// @param codec of this module
    /// @throws IllegalArgumentException if it is another codec
    /// @throws IllegalStateException if this module's classes are not in a file that another
    /// process
    ///     can read, as within an archive of archives
    static CompressionEngine helper(PageCodec codec, HelperOptions options) {
        return new HelperEngine(codec, options);
    }
}
