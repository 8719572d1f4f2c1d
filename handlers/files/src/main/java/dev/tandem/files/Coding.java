package dev.tandem.files;

/// A content coding of files (RFC 9110, section 8.4.1; RFC 7932, RFC 8878). Declared in the order
/// of preference among codings with equal weight.
public enum Coding {
    /// Brotli. Sent only from precompressed files.
    BROTLI("br", ".br"),
    /// Zstandard.
    ZSTD("zstd", ".zst"),
    /// Gzip, which every client supports.
    GZIP("gzip", ".gz");

    private final String token;
    private final String suffix;

    Coding(String token, String suffix) {
        this.token = token;
        this.suffix = suffix;
    }

    /// Returns its name in `Accept-Encoding` and `Content-Encoding`.
    public String token() {
        return token;
    }

    /// Returns the suffix of precompressed files in this coding.
    public String suffix() {
        return suffix;
    }
}
