package dev.tandem.tls;

/// Which engine does the cryptography.
public enum EngineChoice {
    /// BoringSSL where its native part loads, else the JDK's.
    BEST,
    /// BoringSSL, by netty-tcnative; an error where it does not load.
    BORINGSSL,
    /// The JDK's own.
    JDK
}
