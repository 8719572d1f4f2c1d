package dev.tandem.http.h2;

import org.jspecify.annotations.Nullable;

/// What happens on an event of a stream. Immutable.
///
/// @param outcome what to do with the frame
/// @param next the state of the stream afterwards
/// @param error the error code, or null if the outcome is no error
public record Transition(Outcome outcome, StreamState next, @Nullable ErrorCode error) {

    /// What to do with a frame.
    public enum Outcome {
        /// Processed or sent.
        PROCESS,
        /// A received frame has no effect on its stream: HEADERS were decoded, and DATA counts for
        /// the connection's window (RFC 9113, section 5.1). A frame to send is not sent.
        IGNORE,
        /// The stream has an error: RST_STREAM.
        STREAM_ERROR,
        /// The connection has an error: GOAWAY.
        CONNECTION_ERROR
    }

    /// Returns whether the frame is to be processed or sent.
    public boolean isProcessed() {
        return outcome == Outcome.PROCESS;
    }
}
