package dev.tandem.tls;

/// Which engine does the cryptography.
public enum EngineChoice {
    /// BoringSSL if the module `tls-boringssl` is present and its native library loads, else the
    /// JDK's.
    BEST,
    /// BoringSSL, by the module `tls-boringssl` (netty-tcnative); an error where it is missing or
    /// does not load.
    BORINGSSL,
    /// The JDK's own.
    JDK
}
