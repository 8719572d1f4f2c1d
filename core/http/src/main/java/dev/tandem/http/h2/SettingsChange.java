package dev.tandem.http.h2;

/// The effect of a SETTINGS frame (RFC 9113, section 6.5). Immutable.
///
/// @param before the peer's settings before the frame
/// @param after the peer's settings after it
/// @param headerTableSizeMin the smallest header table size in the frame, if it contains one, else
///     that of `after`; in bytes. An encoder must first shrink to it, then grow (RFC 7541, section
///     4.2)
/// @param parameters number of parameters in the frame, unknown ones included
public record SettingsChange(
        Settings before, Settings after, int headerTableSizeMin, int parameters) {

    /// Returns by how many bytes the send window of each open stream changes (RFC 9113, section
    /// 6.9.2); negative if it shrinks.
    public int windowDelta() {
        return after.initialWindowSize() - before.initialWindowSize();
    }
}
