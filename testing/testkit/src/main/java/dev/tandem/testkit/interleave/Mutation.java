package dev.tandem.testkit.interleave;

/// A defect that is planted into the explored copy of a class, to show that it would be found.
///
/// @param type the simple name of the class
/// @param method the method that becomes wrong
/// @param kind what becomes wrong in it
public record Mutation(String type, String method, Kind kind) {
    /// What may become wrong.
    public enum Kind {
        /// It takes no monitors.
        UNLOCKED,
        /// `compareAndSet` sets whatever is there, and returns true.
        BLIND,
        /// It does not unpark.
        WITHOUT_UNPARK,
        /// It does not change the poller's interest.
        WITHOUT_INTEREST,
        /// It does not notify.
        WITHOUT_NOTIFY
    }

    boolean is(Kind other) {
        return kind == other;
    }
}
