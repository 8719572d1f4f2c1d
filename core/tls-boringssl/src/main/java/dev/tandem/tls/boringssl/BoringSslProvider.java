package dev.tandem.tls.boringssl;

import dev.tandem.tls.EngineSettings;
import dev.tandem.tls.TlsEngineFactory;
import dev.tandem.tls.TlsProvider;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// Provides BoringSSL engines. Loads no Netty class before it is used.
public final class BoringSslProvider implements TlsProvider {
    /// For [java.util.ServiceLoader].
    public BoringSslProvider() {}

    @Override
    public String name() {
        return "BoringSSL";
    }

    @Override
    public @Nullable Throwable unavailability() {
        try {
            return BoringSslEngineFactory.unavailability();
        } catch (LinkageError e) {
            return e;
        }
    }

    @Override
    public String version() {
        return BoringSslEngineFactory.version();
    }

    @Override
    public TlsEngineFactory open(EngineSettings settings)
            throws GeneralSecurityException, SSLException {
        return new BoringSslEngineFactory(settings);
    }
}
