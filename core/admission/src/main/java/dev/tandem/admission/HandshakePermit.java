package dev.tandem.admission;

import java.net.InetAddress;

/// A handshake's right to do one piece of key work, or its place in a queue. A new one is made for
/// each piece, since its worker may still read it when the connection belongs to another thread.
public final class HandshakePermit extends QueuedPermit<HandshakePermit> {
    private final HandshakeTask task;
    private final InetAddress from;
    private final boolean isResumptionClaimed;
    private long cpuNanos;

    /// Processor time that the budget was charged in advance.
    long charged;

    /// @param from the client's address
    /// @param isResumptionClaimed whether the client claims to resume a session
    public HandshakePermit(HandshakeTask task, InetAddress from, boolean isResumptionClaimed) {
        this.task = task;
        this.from = from;
        this.isResumptionClaimed = isResumptionClaimed;
    }

    public HandshakeTask task() {
        return task;
    }

    InetAddress from() {
        return from;
    }

    boolean isResumptionClaimed() {
        return isResumptionClaimed;
    }

    /// Reports the processor time of the key work. Called by the thread that does it.
    public void processorTime(long nanos) {
        cpuNanos = nanos;
    }

    long cpuNanos() {
        return cpuNanos;
    }
}
