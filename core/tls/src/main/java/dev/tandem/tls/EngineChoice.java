package dev.tandem.tls;

/// The selection of the engine that performs the cryptography.
public enum EngineChoice {
    /// BoringSSL if the module `tls-boringssl` is present and its native library loads, else the
    /// JDK's.
    BEST,
    /// BoringSSL, by the module `tls-boringssl` (netty-tcnative); an error where it is missing or
    /// does not load.
    BORINGSSL,
    /// The engine of the JDK.
    JDK
}
