package dev.tandem.pagecache;

import java.util.List;

/// Takes no pages: the cache runs the codec.
///
/// @param codec compresses and decompresses
record CodecEngine(PageCodec codec) implements CompressionEngine {

    @Override
    public EngineTraits traits() {
        return EngineTraits.NONE;
    }

    @Override
    public boolean isAvailable() {
        return false;
    }

    @Override
    public void submit(List<PageJob> batch) {
        throw new UnsupportedOperationException("this engine takes no pages");
    }

    @Override
    public void close() {
        // Has nothing to release.
    }
}
