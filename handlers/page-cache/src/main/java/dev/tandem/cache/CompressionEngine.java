package dev.tandem.cache;

import java.util.List;

/// Compresses pages, perhaps elsewhere than on the calling thread: on a coprocessor, in another
/// process. Pages come back from it by the processor that needs them, so that is its codec's.
/// Called by several threads.
public interface CompressionEngine {

    /// What the pages can be decompressed by.
    PageCodec codec();

    /// How many pages it takes best at once; 1 to 64. It may be given fewer.
    int batchMax();

    /// Compresses each page of a batch, and tells each what became of it, in any order, by
    /// [CompressionJob#complete]. Blocks until all are. A page that is told nothing counts as one
    /// that does not shrink now.
    void compress(List<CompressionJob> batch);

    /// Compresses on the calling thread, one page at a time.
    static CompressionEngine of(PageCodec codec) {
        return new CodecEngine(codec);
    }
}
