package dev.tandem.admission;

import java.net.InetAddress;

/// What a handshake turned out to be, as known before it is complete: from the server's part of it.
///
/// @param from the client's address
/// @param isResumptionClaimed whether the client claimed to resume a session
/// @param isResumed whether it did
/// @param cpuNanos processor time of all its key work
public record HandshakeResult(
        InetAddress from, boolean isResumptionClaimed, boolean isResumed, long cpuNanos) {}
