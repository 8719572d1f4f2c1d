package dev.tandem.tls.boringssl;

import dev.tandem.tls.EngineSettings;
import dev.tandem.tls.TlsEngineFactory;
import dev.tandem.tls.TlsProvider;
import io.netty.internal.tcnative.SSL;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// Provides BoringSSL engines. Loads no class of netty-tcnative before it is used.
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
            return NativeLibrary.failure();
        } catch (LinkageError e) {
            return e;
        }
    }

    @Override
    public String version() {
        return SSL.versionString();
    }

    @Override
    public TlsEngineFactory open(EngineSettings settings)
            throws GeneralSecurityException, SSLException {
        return new BoringSslEngineFactory(settings);
    }
}
