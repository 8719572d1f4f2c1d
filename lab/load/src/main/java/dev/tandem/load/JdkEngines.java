package dev.tandem.load;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;

/// The JDK's TLS.
final class JdkEngines implements ClientEngines {
    private final SSLContext context;
    private final Wishes wishes;

    JdkEngines(Wishes wishes) throws IOException {
        this.wishes = wishes;
        try {
            context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {wishes.trust()}, null);
        } catch (GeneralSecurityException e) {
            throw new IOException("no TLS: " + e.getMessage(), e);
        }
    }

    @Override
    public SSLEngine make(String peer, int port) {
        SSLEngine engine =
                peer.isEmpty() ? context.createSSLEngine() : context.createSSLEngine(peer, port);
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setServerNames(serverNames());
        if (!wishes.protocols().isEmpty()) {
            parameters.setProtocols(wishes.protocols().toArray(String[]::new));
        }
        if (!wishes.ciphers().isEmpty()) {
            parameters.setCipherSuites(wishes.ciphers().toArray(String[]::new));
        }
        if (!wishes.applications().isEmpty()) {
            parameters.setApplicationProtocols(wishes.applications().toArray(String[]::new));
        }
        engine.setSSLParameters(parameters);
        return engine;
    }

    private List<SNIServerName> serverNames() {
        String name = wishes.serverName();
        return name.isEmpty() ? List.of() : List.of(new SNIHostName(name));
    }

    @Override
    public void release(SSLEngine engine) {
        // The engine holds nothing outside of the heap.
    }

    @Override
    public void close() {
        // The context holds nothing either.
    }
}
