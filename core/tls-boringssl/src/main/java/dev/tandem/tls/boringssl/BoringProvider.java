package dev.tandem.tls.boringssl;

import dev.tandem.tls.EngineSettings;
import dev.tandem.tls.EngineSource;
import dev.tandem.tls.TlsProvider;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// Provides BoringSSL's engines. Loads nothing of Netty until it is asked.
public final class BoringProvider implements TlsProvider {
    /// For [java.util.ServiceLoader].
    public BoringProvider() {}

    @Override
    public String name() {
        return "BoringSSL";
    }

    @Override
    public @Nullable Throwable unavailability() {
        try {
            return BoringEngines.unavailability();
        } catch (LinkageError e) {
            return e;
        }
    }

    @Override
    public String version() {
        return BoringEngines.version();
    }

    @Override
    public EngineSource open(EngineSettings settings)
            throws GeneralSecurityException, SSLException {
        return new BoringEngines(settings);
    }
}
