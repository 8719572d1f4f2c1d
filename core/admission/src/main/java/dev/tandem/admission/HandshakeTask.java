package dev.tandem.admission;

/// A TLS handshake that needs key work. Its [#run] does that work on the calling worker, and
/// reports the processor time by [HandshakePermit#processorTime] before it hands its connection
/// over.
public interface HandshakeTask extends AdmissionTask {

    /// Returns whether the client disconnected while the handshake was queued, so that key work
    /// would be wasted. Called before [#run] by the same thread; costs a system call.
    boolean isDisconnected();
}
