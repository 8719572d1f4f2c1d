package dev.tandem.load;

/// A load that could not be played; the message is for people.
public final class LoadException extends Exception {
    private static final long serialVersionUID = 1L;

    LoadException(String message, Throwable cause) {
        super(message, cause);
    }
}
