package dev.tandem.net;

import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The process or the system has no file descriptor left for a connection, which stays in the
/// backlog, or for a file.
public final class OutOfDescriptorsException extends IOException {
    private static final long serialVersionUID = 1L;

    /// How far causes are followed.
    private static final int DEPTH_MAX = 8;

    public OutOfDescriptorsException(String message) {
        super(message);
    }

    /// The failure, as one of this kind if it is.
    static IOException of(IOException e) {
        return isCauseOf(e) ? new OutOfDescriptorsException(String.valueOf(e.getMessage())) : e;
    }

    /// Whether a failure is one of this kind, or comes of one, by whatever type it is told: the JDK
    /// has none for it, but its text is the C library's in the C locale.
    public static boolean isCauseOf(@Nullable Throwable failure) {
        Throwable t = failure;
        for (int depth = 0; t != null && depth < DEPTH_MAX; depth++) {
            if (t instanceof OutOfDescriptorsException || t instanceof IOException && says(t)) {
                return true;
            }
            t = t.getCause();
        }
        return false;
    }

    private static boolean says(Throwable t) {
        String message = t.getMessage();
        return message != null && message.toLowerCase(Locale.ROOT).contains("too many open files");
    }
}
