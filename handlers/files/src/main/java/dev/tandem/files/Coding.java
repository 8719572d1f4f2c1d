package dev.tandem.files;

/// A content coding that files are sent in (RFC 9110, section 8.4.1; RFC 7932, RFC 8878). In the
/// order in which, of equal ones, they are chosen.
public enum Coding {
    /// Brotli. Only sent from files that were compressed before.
    BROTLI("br", ".br"),
    /// Zstandard.
    ZSTD("zstd", ".zst"),
    /// What every client knows.
    GZIP("gzip", ".gz");

    private final String token;
    private final String suffix;

    Coding(String token, String suffix) {
        this.token = token;
        this.suffix = suffix;
    }

    /// Its name in `Accept-Encoding` and `Content-Encoding`.
    public String token() {
        return token;
    }

    /// What a file's name ends with that has another's content in this coding.
    public String suffix() {
        return suffix;
    }
}
