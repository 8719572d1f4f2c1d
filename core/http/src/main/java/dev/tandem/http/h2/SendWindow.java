package dev.tandem.http.h2;

/// A flow-control window of this endpoint's DATA: of a stream, or of the connection (RFC 9113,
/// section 6.9). Confined to its connection's owner.
public final class SendWindow {
    private long available;

    /// @param initial in bytes, 0 to 2^31 - 1: of a connection always 65,535, of a stream the
    ///     peer's initial window size
    public SendWindow(int initial) {
        available = initial;
    }

    /// Returns how many bytes may be sent: 0 while the window is negative.
    public int available() {
        return (int) Math.max(0, available);
    }

    /// Returns the window in bytes; negative after the peer has made its initial size smaller
    /// (section 6.9.2).
    public long size() {
        return available;
    }

    /// Counts payload that is sent.
    ///
    /// @param length in bytes, at most [#available()]
    /// @throws IllegalArgumentException if it is more, which is a bug
    public void send(int length) {
        if (length < 0 || length > available()) {
            throw new IllegalArgumentException(
                    length + " bytes do not fit into a window of " + available);
        }
        available -= length;
    }

    /// Applies WINDOW_UPDATE.
    ///
    /// @param increment in bytes, at least 1
    /// @return false if the window is larger than 2^31 - 1 bytes then, which is a
    ///     FLOW_CONTROL_ERROR of the stream or the connection (section 6.9.1)
    public boolean increase(int increment) {
        return adjust(increment);
    }

    /// Applies a change of the peer's initial window size to the window of a stream (section
    /// 6.9.2).
    ///
    /// @param delta in bytes; see [SettingsChange#windowDelta()]
    /// @return false if the window is larger than 2^31 - 1 bytes then, which is a
    ///     FLOW_CONTROL_ERROR of the connection
    public boolean adjust(int delta) {
        available += delta;
        return available <= Integer.MAX_VALUE;
    }
}
