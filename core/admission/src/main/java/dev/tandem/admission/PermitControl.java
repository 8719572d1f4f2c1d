package dev.tandem.admission;

import org.jspecify.annotations.Nullable;

/// What a [Permit] asks of the admission that made it. Each method takes the admission's lock, or
/// none.
interface PermitControl {

    /// Returns whether requests wait, and the permit's run is a lengthy route's. By the thread that
    /// runs it.
    boolean isMeasured(Permit permit);

    /// Detaches a run; see [Permit#longLived].
    void detach(Permit permit);

    /// Releases a permit.
    ///
    /// @param outcome null if it was not reported: then nothing is learned
    /// @param endNanos the clock when the run ended
    /// @throws IllegalStateException if the permit has no place
    void close(Permit permit, @Nullable Outcome outcome, long endNanos);
}
