package dev.tandem.admission;

/// What a handler does in a simulation: computes, then waits, by random times around these
/// means.
///
/// @param route's name
/// @param computeNanos of one processor
/// @param waitNanos without a processor
/// @param isRandom whether times vary (exponentially), or are always the same
record Plan(String route, double computeNanos, double waitNanos, boolean isRandom) {
    private static final double MILLI = 1e6;

    static Plan computing(String route, double millis) {
        return new Plan(route, millis * MILLI, 0, true);
    }

    /// With a twentieth of a millisecond of work beside it, as any request has.
    static Plan waiting(String route, double millis) {
        return new Plan(route, 0.05 * MILLI, millis * MILLI, false);
    }

    static Plan mixed(String route, double computeMillis, double waitMillis) {
        return new Plan(route, computeMillis * MILLI, waitMillis * MILLI, true);
    }
}
