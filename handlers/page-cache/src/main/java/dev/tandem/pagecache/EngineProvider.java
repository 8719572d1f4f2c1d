package dev.tandem.pagecache;

/// Opens an engine that another module has. Found by [java.util.ServiceLoader].
public interface EngineProvider {
    /// Returns the name that users give in the setting `engine`: letters a to z, digits and `-`.
    String name();

    /// Opens an engine, to be closed by the caller.
    ///
    /// @param pageBytes maximum length of a page, as [CacheOptions#pageBytes()]
    /// @throws IllegalArgumentException if the engine does not have the codec's format
    /// @throws IllegalStateException if it cannot work on this machine; the message says why
    CompressionEngine open(PageCodec codec, int pageBytes);
}
