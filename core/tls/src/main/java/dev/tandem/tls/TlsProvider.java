package dev.tandem.tls;

import java.security.GeneralSecurityException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// Provides TLS engines other than the JDK's. Found by [java.util.ServiceLoader] at run time: the
/// module `tls-boringssl` contains one, and this module requires none. Thread-safe.
///
/// The constructor and [#unavailability()] must work if the native library is missing.
public interface TlsProvider {
    /// Returns the name for logs, such as `BoringSSL`.
    String name();

    /// Returns null if the engines are available, else the reason why they are not. Loads the
    /// native library.
    @Nullable Throwable unavailability();

    /// Returns the name and version of the library. Called only if [#unavailability()] is null.
    String version();

    /// Creates the engine factory of one certificate.
    ///
    /// @throws KeyMismatchException if the key is not the certificate's
    /// @throws GeneralSecurityException if the certificate or key cannot be used
    /// @throws SSLException if the library rejects them
    TlsEngineFactory open(EngineSettings settings) throws GeneralSecurityException, SSLException;
}
