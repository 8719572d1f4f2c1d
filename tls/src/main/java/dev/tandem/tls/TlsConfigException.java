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
        return of(file.toString(), reason, null);
    }

    static TlsConfigException of(Path file, String reason, Throwable cause) {
        return of(file.toString(), reason, cause);
    }

    static TlsConfigException of(String name, String reason, @Nullable Throwable cause) {
        return new TlsConfigException(name + ": " + reason, cause);
    }
}
