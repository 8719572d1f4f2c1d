package dev.tandem.engine.listen;

/// Whether connections come so fast that the kernel's backlog could overflow while accepting
/// pauses: their clients would not notice, and try again only after a second, three and seven.
/// Guarded by its owner's lock.
final class BacklogWatch {
    /// A pause begins only while less than a quarter of the backlog came in as long a time: the
    /// rest is for bursts, and for a thread that is late to end it.
    private static final int PART = 4;

    private final int backlog;
    private long acceptedBefore;

    /// @param backlog how many connections the kernel queues
    BacklogWatch(int backlog) {
        this.backlog = backlog;
    }

    /// Called at each beat, that is, once in the longest pause.
    ///
    /// @param accepted how many connections were accepted, ever
    /// @return whether accepting must not pause now
    boolean isAtRisk(long accepted) {
        long count = accepted - acceptedBefore;
        acceptedBefore = accepted;
        return count >= backlog / PART;
    }
}
