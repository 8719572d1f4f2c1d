package dev.tandem.tls;

import java.nio.ByteBuffer;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/// An engine of the JDK.
record JdkEngine(SSLEngine engine) implements TlsEngine {
    /// @throws SSLException if the engine cannot begin
    static JdkEngine begin(SSLEngine engine) throws SSLException {
        engine.beginHandshake();
        return new JdkEngine(engine);
    }

    @Override
    public HandshakeStatus handshakeStatus() {
        return engine.getHandshakeStatus();
    }

    @Override
    public SSLEngineResult unwrap(ByteBuffer network, ByteBuffer plain) throws SSLException {
        return engine.unwrap(network, plain);
    }

    @Override
    public SSLEngineResult wrap(ByteBuffer plain, ByteBuffer network) throws SSLException {
        return engine.wrap(plain, network);
    }

    @Override
    public @Nullable Runnable delegatedTask() {
        return engine.getDelegatedTask();
    }

    @Override
    public void closeOutbound() {
        engine.closeOutbound();
    }

    @Override
    public @Nullable String applicationProtocol() {
        return engine.getApplicationProtocol();
    }

    @Override
    public String protocol() {
        return engine.getSession().getProtocol();
    }

    @Override
    public String cipherSuite() {
        return engine.getSession().getCipherSuite();
    }

    @Override
    public byte[] sessionId() {
        byte[] id = engine.getSession().getId();
        return id == null ? new byte[0] : id;
    }

    @Override
    public List<X509Certificate> peerCertificates() {
        try {
            var chain = new ArrayList<X509Certificate>();
            for (Certificate certificate : engine.getSession().getPeerCertificates()) {
                chain.add((X509Certificate) certificate);
            }
            return List.copyOf(chain);
        } catch (SSLPeerUnverifiedException e) {
            return List.of();
        }
    }

    @Override
    public void release() {}
}
