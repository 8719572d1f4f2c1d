package dev.tandem.tls;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// A certificate, key or other file that cannot be used. The message is one line that names the
/// file and the reason.
public final class TlsConfigException extends Exception {
    private static final long serialVersionUID = 1L;

    TlsConfigException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    static TlsConfigException of(Path file, String reason) {
        return new TlsConfigException(file + ": " + reason, null);
    }

    /// @param file what cannot be used
    public static TlsConfigException of(Path file, String reason, Throwable cause) {
        return new TlsConfigException(file + ": " + reason, cause);
    }
}
