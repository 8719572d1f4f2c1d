package dev.tandem.tls;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// Signals that a certificate, key or other file cannot be used. The message is a single line that
/// names the file and the reason.
public final class TlsConfigException extends Exception {
    private static final long serialVersionUID = 1L;

    TlsConfigException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    static TlsConfigException of(Path file, String reason) {
        return new TlsConfigException(file + ": " + reason, null);
    }

    /// @param file the file that cannot be used
    public static TlsConfigException of(Path file, String reason, Throwable cause) {
        return new TlsConfigException(file + ": " + reason, cause);
    }
}
