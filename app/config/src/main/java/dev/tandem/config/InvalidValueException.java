package dev.tandem.config;

/// A value is invalid for its key.
final class InvalidValueException extends Exception {
    private static final long serialVersionUID = 1L;

    /// @param what is allowed and what was found, as the end of a sentence that begins with the key
    InvalidValueException(String what) {
        super(what, null, false, false);
    }
}
