package dev.tandem.pagecache;

/// A content coding (RFC 9110, section 8.4) in which a codec's compressed pages form valid content
/// when concatenated. Thread safe.
public interface ContentCoding {
    /// No header is longer.
    int HEADER_MAX = 64;

    /// Returns its name, such as `zstd`.
    String token();

    /// Returns the header that precedes an uncompressed page between compressed ones.
    ///
    /// @param length of the page, 1 to 131,072 bytes
    /// @return at most [#HEADER_MAX] bytes
    byte[] rawHeader(int length);
}
