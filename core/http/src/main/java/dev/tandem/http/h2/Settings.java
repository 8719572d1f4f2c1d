package dev.tandem.http.h2;

/// The settings of one endpoint (RFC 9113, section 6.5.2; RFC 8441, section 3; RFC 9218, section
/// 2.1). Immutable; checked when constructed.
///
/// @param headerTableSize maximum size of the table with which the peer encodes headers, in bytes;
///     at least 0
/// @param isPushEnabled whether the peer may push; only clients have a say
/// @param maxConcurrentStreams maximum number of streams that the peer may have open; at least 0
/// @param initialWindowSize flow-control window of new streams, in bytes; at least 0
/// @param maxFrameSize maximum payload of a frame that the peer may send, in bytes; 16,384 to
///     16,777,215
/// @param maxHeaderListSize maximum size of a header list that the peer should send, in bytes:
///     names and values, and 32 for each header; at least 0
/// @param isExtendedConnectEnabled whether the peer may send extended CONNECT requests
/// @param isRfc7540PriorityIgnored whether the priority signals of RFC 7540 are ignored
public record Settings(
        int headerTableSize,
        boolean isPushEnabled,
        int maxConcurrentStreams,
        int initialWindowSize,
        int maxFrameSize,
        int maxHeaderListSize,
        boolean isExtendedConnectEnabled,
        boolean isRfc7540PriorityIgnored)
        implements SettingsWith {

    static final int HEADER_TABLE_SIZE = 1;
    static final int ENABLE_PUSH = 2;
    static final int MAX_CONCURRENT_STREAMS = 3;
    static final int INITIAL_WINDOW_SIZE = 4;
    static final int MAX_FRAME_SIZE = 5;
    static final int MAX_HEADER_LIST_SIZE = 6;
    static final int ENABLE_CONNECT_PROTOCOL = 8;
    static final int NO_RFC7540_PRIORITIES = 9;

    static final int FRAME_SIZE_MIN = 16_384;
    static final int FRAME_SIZE_MAX = 0xFF_FFFF;

    /// The maximum of a setting without limit; larger values in a frame count as this one.
    public static final int UNLIMITED = Integer.MAX_VALUE;

    /// The initial values of both endpoints (RFC 9113, section 6.5.2).
    public static final Settings INITIAL =
            new Settings(4_096, true, UNLIMITED, 65_535, FRAME_SIZE_MIN, UNLIMITED, false, false);

    /// The settings of a server. 100 streams: the least that RFC 9113 recommends, and what most
    /// servers allow. A header list of 20,480 bytes: the 16,384 of an HTTP/1 head, and the 32 bytes
    /// that each of 128 headers counts in addition.
    public static final Settings SERVER =
            INITIAL.withMaxConcurrentStreams(100)
                    .withMaxHeaderListSize(20_480)
                    .withRfc7540PriorityIgnored(true);

    /// The settings of a client, which accepts no pushed responses.
    public static final Settings CLIENT =
            INITIAL.withPushEnabled(false).withMaxHeaderListSize(65_536);

    /// @throws IllegalArgumentException if a setting is out of range; names the setting and its
    ///     value
    public Settings {
        check("headerTableSize", headerTableSize, 0, UNLIMITED);
        check("maxConcurrentStreams", maxConcurrentStreams, 0, UNLIMITED);
        check("initialWindowSize", initialWindowSize, 0, UNLIMITED);
        check("maxFrameSize", maxFrameSize, FRAME_SIZE_MIN, FRAME_SIZE_MAX);
        check("maxHeaderListSize", maxHeaderListSize, 0, UNLIMITED);
    }

    private static void check(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    name + " must be " + least + ".." + most + ", was " + value);
        }
    }
}
