package dev.tandem.load;

/// A load could not be run; the message is for people.
public final class LoadException extends Exception {
    private static final long serialVersionUID = 1L;

    LoadException(String message, Throwable cause) {
        super(message, cause);
    }
}
