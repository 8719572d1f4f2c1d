package dev.tandem.net;

import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Signals that the process or the system has no file descriptor left for a connection, which stays
/// in the backlog, or for a file.
public final class OutOfDescriptorsException extends IOException {
    private static final long serialVersionUID = 1L;

    /// The maximum depth of causes that are inspected.
    private static final int DEPTH_MAX = 8;

    public OutOfDescriptorsException(String message) {
        super(message);
    }

    /// Returns the failure, converted to this type if it signals the same.
    static IOException of(IOException e) {
        return isCauseOf(e) ? new OutOfDescriptorsException(String.valueOf(e.getMessage())) : e;
    }

    /// Returns whether a failure is caused by a lack of descriptors, whatever its type: the JDK has
    /// no type for it, but its message is that of the C library in the C locale.
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
