package dev.tandem.http.h2;

/// The frames that change or depend on the state of a stream (RFC 9113, section 5.1). A frame with
/// the flag END_STREAM is two events: its own, then RECEIVE_END_STREAM or SEND_END_STREAM.
public enum StreamEvent {
    RECEIVE_HEADERS,
    RECEIVE_DATA,
    RECEIVE_END_STREAM,
    RECEIVE_RESET,
    RECEIVE_WINDOW_UPDATE,
    /// PRIORITY and PRIORITY_UPDATE.
    RECEIVE_PRIORITY,
    SEND_HEADERS,
    SEND_DATA,
    SEND_END_STREAM,
    SEND_RESET;

    boolean isSent() {
        return ordinal() >= SEND_HEADERS.ordinal();
    }
}
