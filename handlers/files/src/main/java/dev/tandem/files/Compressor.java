package dev.tandem.files;

/// Compresses files in a coding for which the JDK has no encoder. Found by
/// [java.util.ServiceLoader]: the module `page-cache` has one for zstd. Thread safe.
///
/// The constructor must work where the native library is missing.
public interface Compressor {
    /// Returns its coding.
    Coding coding();

    /// Compresses a whole file.
    ///
    /// @throws LinkageError if the native library does not load; it is not called again
    byte[] compress(byte[] content);
}
