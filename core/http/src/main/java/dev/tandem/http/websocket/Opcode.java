package dev.tandem.http.websocket;

import org.jspecify.annotations.Nullable;

/// What a frame contains (RFC 6455, section 11.8).
public enum Opcode {
    CONTINUATION(0),
    TEXT(1),
    BINARY(2),
    CLOSE(8),
    PING(9),
    PONG(10);

    private final int code;

    Opcode(int code) {
        this.code = code;
    }

    /// Returns the four bits that a frame has.
    public int code() {
        return code;
    }

    /// Whether frames may come between the fragments of a message.
    boolean isControl() {
        return code >= 8;
    }

    static @Nullable Opcode of(int code) {
        return switch (code) {
            case 0 -> CONTINUATION;
            case 1 -> TEXT;
            case 2 -> BINARY;
            case 8 -> CLOSE;
            case 9 -> PING;
            case 10 -> PONG;
            default -> null;
        };
    }
}
