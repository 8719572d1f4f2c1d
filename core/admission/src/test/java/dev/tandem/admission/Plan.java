package dev.tandem.admission;

/// What a simulated handler does: computes, then waits, for random times with these means.
///
/// @param route the route's name
/// @param computeNanos time on a processor
/// @param waitNanos time without one
/// @param isRandom whether times vary (exponentially), or are always the same
record Plan(String route, double computeNanos, double waitNanos, boolean isRandom) {
    private static final double MILLI = 1e6;

    static Plan computing(String route, double millis) {
        return new Plan(route, millis * MILLI, 0, true);
    }

    /// Returns a plan that computes for a twentieth of a millisecond, as any request does, and
    /// waits.
    static Plan waiting(String route, double millis) {
        return new Plan(route, 0.05 * MILLI, millis * MILLI, false);
    }

    static Plan mixed(String route, double computeMillis, double waitMillis) {
        return new Plan(route, computeMillis * MILLI, waitMillis * MILLI, true);
    }
}
