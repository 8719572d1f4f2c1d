package dev.tandem.tls;

import java.security.GeneralSecurityException;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// The library that provides the engines of a context.
///
/// @param provider null for the JDK
/// @param name the name for the log
record ChosenEngine(@Nullable TlsProvider provider, String name) {
    private static final String ARTIFACT = "tandem-tls-boringssl";

    /// Looks for a provider, unless the JDK's engine is chosen.
    ///
    /// @throws TlsConfigException if BoringSSL is required and does not work here
    static ChosenEngine of(EngineChoice choice) throws TlsConfigException {
        String jdk = "JDK " + Runtime.version().feature();
        if (choice == EngineChoice.JDK) {
            return new ChosenEngine(null, jdk);
        }
        TlsProvider provider;
        Throwable missing;
        try {
            provider = find();
            missing = provider == null ? null : provider.unavailability();
        } catch (ServiceConfigurationError | LinkageError e) {
            provider = null;
            missing = e;
        }
        if (provider != null && missing == null) {
            return new ChosenEngine(provider, provider.version());
        }
        String reason =
                missing == null
                        ? "BoringSSL is not installed: " + ARTIFACT + " is not on the class path"
                        : "BoringSSL does not load here: " + missing;
        if (choice == EngineChoice.BORINGSSL) {
            throw new TlsConfigException(reason + "; choose the JDK's engine", missing);
        }
        return new ChosenEngine(null, jdk + " (" + reason + ")");
    }

    private static @Nullable TlsProvider find() {
        return Found.PROVIDER;
    }

    /// Looked for once: an upgrade may have removed the jar when certificates are loaded again.
    private static final class Found {
        private static final @Nullable TlsProvider PROVIDER =
                ServiceLoader.load(TlsProvider.class, TlsProvider.class.getClassLoader())
                        .findFirst()
                        .orElse(null);
    }

    TlsEngineFactory open(EngineSettings settings) throws GeneralSecurityException, SSLException {
        return provider == null ? new JdkEngineFactory(settings) : provider.open(settings);
    }

    boolean isJdk() {
        return provider == null;
    }
}
