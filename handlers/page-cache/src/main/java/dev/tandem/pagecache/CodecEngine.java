package dev.tandem.pagecache;

import java.util.List;

/// Runs a codec on the calling thread.
///
/// @param codec compresses and decompresses
record CodecEngine(PageCodec codec) implements CompressionEngine {

    @Override
    public int batchMax() {
        return 1;
    }

    @Override
    public void compress(List<CompressionJob> batch) {
        for (CompressionJob job : batch) {
            job.complete(codec.compress(job.page(), job.output()));
        }
    }
}
