package dev.tandem.pagecache;

import java.util.List;

/// Compresses pages, possibly elsewhere than on the calling thread: on a coprocessor, or in another
/// process. Decompression always runs on the thread that needs the page, by [#codec()]. Thread
/// safe.
public interface CompressionEngine {

    /// Returns the codec that decompresses the pages.
    PageCodec codec();

    /// Returns the best batch size, 1 to 64. Batches may be smaller.
    int batchMax();

    /// Compresses each page of a batch and reports each result by [CompressionJob#complete], in any
    /// order. Blocks until all are done. A page without a result counts as one that could not be
    /// compressed this time.
    void compress(List<CompressionJob> batch);

    /// Returns an engine that compresses on the calling thread, one page at a time.
    static CompressionEngine of(PageCodec codec) {
        return new CodecEngine(codec);
    }
}
