package dev.tandem.tls;

/// A version of TLS that may be spoken; older ones are not (RFC 8996).
public enum TlsVersion {
    TLS_1_2("TLSv1.2"),
    TLS_1_3("TLSv1.3");

    private final String jdkName;

    TlsVersion(String jdkName) {
        this.jdkName = jdkName;
    }

    /// The name in the JDK, such as `TLSv1.3`.
    public String jdkName() {
        return jdkName;
    }
}
