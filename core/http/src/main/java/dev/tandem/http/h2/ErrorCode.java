package dev.tandem.http.h2;

/// The error codes of RST_STREAM and GOAWAY frames (RFC 9113, section 7). The ordinal is the code.
public enum ErrorCode {
    NO_ERROR,
    PROTOCOL_ERROR,
    INTERNAL_ERROR,
    FLOW_CONTROL_ERROR,
    SETTINGS_TIMEOUT,
    STREAM_CLOSED,
    FRAME_SIZE_ERROR,
    /// The stream was not processed: its request can be repeated (RFC 9113, section 8.7).
    REFUSED_STREAM,
    CANCEL,
    COMPRESSION_ERROR,
    CONNECT_ERROR,
    ENHANCE_YOUR_CALM,
    INADEQUATE_SECURITY,
    HTTP_1_1_REQUIRED;

    private static final ErrorCode[] CODES = values();

    /// Returns the number in a frame.
    public int code() {
        return ordinal();
    }

    /// Returns the error of a received code; an unknown one counts as INTERNAL_ERROR (section 7).
    public static ErrorCode of(int code) {
        return code >= 0 && code < CODES.length ? CODES[code] : INTERNAL_ERROR;
    }
}
