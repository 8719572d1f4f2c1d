package dev.tandem.http.websocket;

import java.nio.charset.StandardCharsets;

/// Why a session ends (RFC 6455, section 7.4).
///
/// @param code 1000 to 4999
/// @param text for people, at most 123 bytes in UTF-8; perhaps empty
public record CloseReason(int code, String text) {
    /// The session has done what it was for.
    public static final int NORMAL = 1000;

    /// The server stops, or the page is left.
    public static final int GOING_AWAY = 1001;

    public static final int PROTOCOL_ERROR = 1002;

    /// The message is of a kind that the receiver does not use, such as binary.
    public static final int UNSUPPORTED = 1003;

    /// The close frame had no code. Never sent.
    public static final int NONE = 1005;

    /// The connection ended without a close frame. Never sent.
    public static final int ABNORMAL = 1006;

    /// Content that is not what its kind says: text that is not UTF-8, or not deflated.
    public static final int INVALID_CONTENT = 1007;

    public static final int POLICY = 1008;

    public static final int TOO_LARGE = 1009;

    /// The server has failed.
    public static final int INTERNAL_ERROR = 1011;

    /// The server has too much to do, or too little memory, at the moment (registered with IANA).
    public static final int TRY_AGAIN_LATER = 1013;

    private static final int TEXT_MAX = 123;

    public static CloseReason of(int code) {
        return new CloseReason(code, "");
    }

    /// Returns whether a close frame may have the code: those that are defined or registered for
    /// that, and those of libraries and applications.
    static boolean isAllowed(int code) {
        return code >= 1000 && code <= 1014 && code != 1004 && code != NONE && code != ABNORMAL
                || code >= 3000 && code <= 4999;
    }

    /// Returns the payload of a close frame: empty without a code that may be sent.
    byte[] payload() {
        if (!isAllowed(code)) {
            return new byte[0];
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, TEXT_MAX);
        while (length < bytes.length && (bytes[length] & 0xC0) == 0x80) {
            length--; // not within a character
        }
        var payload = new byte[2 + length];
        payload[0] = (byte) (code >> 8);
        payload[1] = (byte) code;
        System.arraycopy(bytes, 0, payload, 2, length);
        return payload;
    }
}
