package dev.tandem.lab;

/// Lowers the memory of a control group in the second third of a course, and raises it again in the
/// last: as an operator does who needs the memory of a running container elsewhere.
final class LoweredMemory implements Downloads.Tick {
    /// How much beyond what is in use stays allowed at each step: a server allocates meanwhile.
    private static final long SLACK_BYTES = 8L << 20;

    private final ControlGroup cage;
    private final boolean isAtOnce;
    private final double thirdSeconds;
    private final long whole;
    private final long lowered;
    private double takenSeconds = Double.NaN;
    private boolean isRaised;

    /// @param isAtOnce whether the kernel can free what is in use, as it can its own cache;
    ///     otherwise the limit follows what the server gives back
    /// @param whole memory before and afterwards, in bytes
    /// @param lowered memory in between
    LoweredMemory(
            ControlGroup cage, boolean isAtOnce, double thirdSeconds, long whole, long lowered) {
        this.cage = cage;
        this.isAtOnce = isAtOnce;
        this.thirdSeconds = thirdSeconds;
        this.whole = whole;
        this.lowered = lowered;
    }

    @Override
    public void at(double second) throws LabException {
        if (second >= 2 * thirdSeconds) {
            if (!isRaised) {
                isRaised = true;
                cage.limitMemory(whole);
            }
        } else if (second >= thirdSeconds && Double.isNaN(takenSeconds)) {
            long used = cage.memoryBytes() + SLACK_BYTES;
            long limit = isAtOnce ? lowered : Math.clamp(used, lowered, whole);
            try {
                cage.limitMemory(limit);
            } catch (LabException _) {
                return; // more is in use by now: the kernel rejects such a limit
            }
            if (limit == lowered) {
                takenSeconds = second - thirdSeconds;
            }
        }
    }

    /// Returns how long it took until the limit was reached; NaN if it was not.
    double takenSeconds() {
        return takenSeconds;
    }
}
