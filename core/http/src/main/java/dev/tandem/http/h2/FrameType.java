package dev.tandem.http.h2;

import org.jspecify.annotations.Nullable;

/// The frame types (RFC 9113, section 6; RFC 9218, section 7.1), with the streams and the lengths
/// that each allows.
enum FrameType {
    DATA(0x0, Target.STREAM, 0, Integer.MAX_VALUE),
    HEADERS(0x1, Target.STREAM, 0, Integer.MAX_VALUE),
    PRIORITY(0x2, Target.STREAM, 5, 5),
    RST_STREAM(0x3, Target.STREAM, 4, 4),
    SETTINGS(0x4, Target.CONNECTION, 0, Integer.MAX_VALUE),
    PUSH_PROMISE(0x5, Target.STREAM, 4, Integer.MAX_VALUE),
    PING(0x6, Target.CONNECTION, 8, 8),
    GOAWAY(0x7, Target.CONNECTION, 8, Integer.MAX_VALUE),
    WINDOW_UPDATE(0x8, Target.EITHER, 4, 4),
    CONTINUATION(0x9, Target.STREAM, 0, Integer.MAX_VALUE),
    PRIORITY_UPDATE(0x10, Target.CONNECTION, 4, Integer.MAX_VALUE);

    /// What a frame applies to.
    enum Target {
        /// A stream identifier other than 0.
        STREAM,
        /// Stream identifier 0.
        CONNECTION,
        EITHER
    }

    /// The length of a frame's header, in bytes: length (3), type, flags, stream identifier (4).
    static final int HEADER_LENGTH = 9;

    static final int ACK = 0x1;
    static final int END_STREAM = 0x1;
    static final int END_HEADERS = 0x4;
    static final int PADDED = 0x8;
    static final int HAS_PRIORITY = 0x20;

    private static final @Nullable FrameType[] TYPES = types();

    private final int code;
    private final Target target;
    private final int lengthMin;
    private final int lengthMax;

    FrameType(int code, Target target, int lengthMin, int lengthMax) {
        this.code = code;
        this.target = target;
        this.lengthMin = lengthMin;
        this.lengthMax = lengthMax;
    }

    /// Returns the type with that code, or null if it is unknown.
    static @Nullable FrameType of(int code) {
        return code < TYPES.length ? TYPES[code] : null;
    }

    int code() {
        return code;
    }

    boolean isAllowedOn(int streamId) {
        return target == Target.EITHER || (target == Target.STREAM) == (streamId != 0);
    }

    boolean allowsLength(int length) {
        return length >= lengthMin && length <= lengthMax;
    }

    private static @Nullable FrameType[] types() {
        var types = new @Nullable FrameType[PRIORITY_UPDATE.code + 1];
        for (FrameType type : values()) {
            types[type.code] = type;
        }
        return types;
    }
}
