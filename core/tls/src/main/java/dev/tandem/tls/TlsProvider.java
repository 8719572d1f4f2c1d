package dev.tandem.tls;

import java.security.GeneralSecurityException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// Provides TLS engines other than the JDK's. Found by [java.util.ServiceLoader] at run time: the
/// module `tls-boringssl` has one, and this module needs none. Thread safe.
///
/// The constructor and [#unavailability()] must work where the native library is missing.
public interface TlsProvider {
    /// The name for logs, such as `BoringSSL`.
    String name();

    /// Null if the engines work here, else the reason why not. Loads the native library.
    @Nullable Throwable unavailability();

    /// The name and version of the library. Called only if [#unavailability()] is null.
    String version();

    /// Makes the engines of one certificate.
    ///
    /// @throws GeneralSecurityException if the certificate or key cannot be used
    /// @throws SSLException if the library rejects them
    TlsEngineFactory open(EngineSettings settings) throws GeneralSecurityException, SSLException;
}
