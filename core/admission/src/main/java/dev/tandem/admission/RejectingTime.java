package dev.tandem.admission;

/// The last time in which requests were rejected. A session of several servers that ended then may
/// have been rejected by another one, so its number of requests says nothing of how long sessions
/// are: learned from such sessions they would seem short, and new ones would be admitted while live
/// ones need all there is, which are then rejected. Guarded by the admission's lock.
final class RejectingTime {
    private boolean isAny;
    private long from;
    private long until;
    private long rejectedBefore;

    /// Ends an interval.
    ///
    /// @param rejected requests of all time, without those of new sessions that were held back
    /// @param gapSeconds until a session's next request: one that ended so long before the first
    ///     rejection may be a rejected one
    void tick(long rejected, long now, double gapSeconds) {
        if (rejected > rejectedBefore) {
            if (!isAny || now - until > Admission.END_LEAST) {
                from = now - (long) (2e9 * gapSeconds);
            }
            isAny = true;
            until = now;
        }
        rejectedBefore = rejected;
    }

    /// @param time not before the second to last time of rejections
    boolean has(long time) {
        return isAny && time >= from && time <= until;
    }
}
