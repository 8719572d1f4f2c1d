package dev.tandem.tls;

/// Alerts that are sent before an engine exists (RFC 8446, section 6).
enum Alert {
    UNEXPECTED_MESSAGE(10),
    RECORD_OVERFLOW(22),
    ILLEGAL_PARAMETER(47),
    DECODE_ERROR(50),
    PROTOCOL_VERSION(70),
    INTERNAL_ERROR(80),
    UNRECOGNIZED_NAME(112),
    NO_APPLICATION_PROTOCOL(120);

    private static final byte TYPE = 21;
    private static final byte FATAL = 2;

    private final int code;

    Alert(int code) {
        this.code = code;
    }

    /// Returns the alert as an unencrypted record with the version that RFC 8446, section 5.1
    /// requires.
    byte[] asRecord() {
        return new byte[] {TYPE, 3, 3, 0, 2, FATAL, (byte) code};
    }
}
