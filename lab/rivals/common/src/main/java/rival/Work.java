package rival;

/// Computes, as the target's `/cpu` does.
final class Work {
    /// As many for each microsecond as the target's.
    private static final long STEPS_A_MICROSECOND = 500;

    private Work() {}

    static long compute(long micros) {
        long steps = STEPS_A_MICROSECOND * micros;
        long x = 1;
        for (long i = 0; i < steps; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
        }
        return x;
    }
}
