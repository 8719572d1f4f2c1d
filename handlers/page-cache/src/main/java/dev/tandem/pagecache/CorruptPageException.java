package dev.tandem.pagecache;

/// A page does not decompress to what was compressed. It is dropped, and read from disk again.
final class CorruptPageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    CorruptPageException(String message, Throwable cause) {
        super(message, cause);
    }

    CorruptPageException(String message) {
        super(message);
    }
}
