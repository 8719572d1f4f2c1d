package dev.tandem.cache;

/// A content coding (RFC 9110, section 8.4) of which a codec's compressed pages, one behind the
/// other, are a valid whole. Shared by all threads.
public interface ContentCoding {
    /// More than any head has.
    int HEADER_MAX = 64;

    /// Its name, such as `zstd`.
    String token();

    /// What has to be before a page that is not compressed, so that it may stand between others.
    ///
    /// @param length of the page, 1 to 131,072 bytes
    /// @return at most [#HEADER_MAX] bytes
    byte[] rawHeader(int length);
}
