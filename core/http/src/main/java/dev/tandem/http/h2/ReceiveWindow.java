package dev.tandem.http.h2;

/// A flow-control window of the peer's DATA: of a stream, or of the connection (RFC 9113, section
/// 6.9). Content that was received occupies the window until it is consumed; the peer is notified
/// when half of the window is free, so that it need not wait and few frames are sent. Confined to
/// its connection's owner.
///
///     capacity = what the peer may send + what was received and not consumed
///                + what is free and not announced
public final class ReceiveWindow {
    private int capacity;

    /// How many bytes the peer may send; negative after the capacity has become smaller.
    private long available;

    /// How many bytes are free and not announced.
    private long unannounced;

    /// @param initial in bytes, 0 to 2^31 - 1: what the peer may send at first: of a connection
    ///     always 65,535, of a stream the own initial window size
    public ReceiveWindow(int initial) {
        capacity = initial;
        available = initial;
    }

    /// Counts payload that was received.
    ///
    /// @param flowControlled in bytes, with padding
    /// @return false if it exceeds the window, which is a FLOW_CONTROL_ERROR of the stream or the
    ///     connection
    public boolean receive(int flowControlled) {
        available -= flowControlled;
        return available >= 0;
    }

    /// Counts content that was consumed, or discarded. Padding is consumed when it is received.
    ///
    /// @param length in bytes, at most what was received
    /// @return the increment to announce now by WINDOW_UPDATE, in bytes; 0 for none yet
    public int consume(int length) {
        unannounced += length;
        return unannounced >= threshold() ? announce() : 0;
    }

    /// Changes the capacity: opens the window further, or has it shrink by as much as is consumed
    /// next.
    ///
    /// @param bytes 0 to 2^31 - 1
    /// @return the increment to announce now, in bytes; 0 for none
    public int resize(int bytes) {
        unannounced += (long) bytes - capacity;
        capacity = bytes;
        return unannounced >= threshold() ? announce() : 0;
    }

    /// Applies a change of the own initial window size that the peer has acknowledged, to the
    /// window of a stream (section 6.9.2).
    ///
    /// @param delta in bytes
    public void adjust(int delta) {
        capacity = Math.clamp((long) capacity + delta, 0, Integer.MAX_VALUE);
        available += delta;
    }

    /// Returns how many bytes the peer may send; negative if it was allowed more before.
    public long available() {
        return available;
    }

    public int capacity() {
        return capacity;
    }

    /// Half of the capacity, at least one byte.
    private long threshold() {
        return Math.max(1, capacity >>> 1);
    }

    private int announce() {
        int increment = (int) Math.min(unannounced, Integer.MAX_VALUE - Math.max(0, available));
        unannounced -= increment;
        available += increment;
        return increment;
    }
}
