package dev.tandem.http.h2;

import org.jspecify.annotations.Nullable;

/// Reads the parameters of a SETTINGS frame (RFC 9113, section 6.5.1), in their order. Unknown ones
/// are ignored.
final class SettingsReader {
    static final int PARAMETER_LENGTH = 6;

    private final Settings before;
    private final boolean isFirst;
    private Settings after;
    private int headerTableSizeMin = Settings.UNLIMITED;
    private ErrorCode code = ErrorCode.PROTOCOL_ERROR;

    /// @param before the peer's settings
    /// @param isFirst whether it is the peer's first frame
    SettingsReader(Settings before, boolean isFirst) {
        this.before = before;
        this.isFirst = isFirst;
        this.after = before;
    }

    /// Reads all parameters.
    ///
    /// @param length a multiple of [#PARAMETER_LENGTH]
    /// @return the error of the connection, whose code is [#code()], or null
    @Nullable String read(byte[] bytes, int from, int length, Role role) {
        for (int at = from; at < from + length; at += PARAMETER_LENGTH) {
            int id = (bytes[at] & 0xFF) << 8 | bytes[at + 1] & 0xFF;
            long value =
                    (bytes[at + 2] & 0xFFL) << 24
                            | (bytes[at + 3] & 0xFF) << 16
                            | (bytes[at + 4] & 0xFF) << 8
                            | bytes[at + 5] & 0xFF;
            String error = parameter(id, value, role);
            if (error != null) {
                return error;
            }
        }
        return null;
    }

    ErrorCode code() {
        return code;
    }

    SettingsChange change(int length) {
        int least = Math.min(headerTableSizeMin, after.headerTableSize());
        return new SettingsChange(before, after, least, length / PARAMETER_LENGTH);
    }

    private @Nullable String parameter(int id, long value, Role role) {
        int number = (int) Math.min(value, Settings.UNLIMITED);
        return switch (id) {
            case Settings.HEADER_TABLE_SIZE -> {
                after = after.withHeaderTableSize(number);
                headerTableSizeMin = Math.min(headerTableSizeMin, number);
                yield null;
            }
            case Settings.ENABLE_PUSH -> push(number, role);
            case Settings.MAX_CONCURRENT_STREAMS -> {
                after = after.withMaxConcurrentStreams(number);
                yield null;
            }
            case Settings.INITIAL_WINDOW_SIZE -> window(value);
            case Settings.MAX_FRAME_SIZE -> frameSize(number);
            case Settings.MAX_HEADER_LIST_SIZE -> {
                after = after.withMaxHeaderListSize(number);
                yield null;
            }
            case Settings.ENABLE_CONNECT_PROTOCOL -> extendedConnect(number);
            case Settings.NO_RFC7540_PRIORITIES -> priorities(number);
            default -> null;
        };
    }

    /// RFC 9113, section 6.5.2: a server must not enable it.
    private @Nullable String push(int value, Role role) {
        if (value > 1 || value == 1 && role == Role.CLIENT) {
            return "ENABLE_PUSH is " + value;
        }
        after = after.withPushEnabled(value == 1);
        return null;
    }

    private @Nullable String window(long value) {
        if (value > Integer.MAX_VALUE) {
            code = ErrorCode.FLOW_CONTROL_ERROR;
            return "INITIAL_WINDOW_SIZE is " + value;
        }
        after = after.withInitialWindowSize((int) value);
        return null;
    }

    private @Nullable String frameSize(int value) {
        if (value < Settings.FRAME_SIZE_MIN || value > Settings.FRAME_SIZE_MAX) {
            return "MAX_FRAME_SIZE is " + value;
        }
        after = after.withMaxFrameSize(value);
        return null;
    }

    /// RFC 8441, section 3: once enabled, it stays so.
    private @Nullable String extendedConnect(int value) {
        if (value > 1 || value == 0 && after.isExtendedConnectEnabled()) {
            return "ENABLE_CONNECT_PROTOCOL is " + value;
        }
        after = after.withExtendedConnectEnabled(value == 1);
        return null;
    }

    /// RFC 9218, section 2.1: it does not change after the first frame.
    private @Nullable String priorities(int value) {
        if (value > 1 || !isFirst && (value == 1) != after.isRfc7540PriorityIgnored()) {
            return "SETTINGS_NO_RFC7540_PRIORITIES is " + value;
        }
        after = after.withRfc7540PriorityIgnored(value == 1);
        return null;
    }
}
