package dev.tandem.lab.rivals;

import java.time.Duration;

/// How long a connection may be idle before it loses its thread.
///
/// @param timeoutNanos where there are threads enough; 1 ms to a day
/// @param isShortened whether Coyote's rule shortens it as threads run out
public record KeepAlive(long timeoutNanos, boolean isShortened) {

    /// Coyote's steps, in percent of the threads that have a connection.
    private static final int HALF_ABOVE = 33;

    private static final int FIFTH_ABOVE = 66;

    /// @throws IllegalArgumentException if the time-out is out of range; the message has it
    public static KeepAlive of(Duration timeout, boolean isShortened) {
        boolean isTooShort = timeout.compareTo(Duration.ofMillis(1)) < 0;
        if (isTooShort || timeout.compareTo(Duration.ofDays(1)) > 0) {
            throw new IllegalArgumentException(
                    "the keep-alive time-out must be 1 ms to 1 day, was " + timeout);
        }
        return new KeepAlive(timeout.toNanos(), isShortened);
    }

    /// Returns the time-out of a connection that becomes idle now.
    ///
    /// Coyote is Tomcat's HTTP connector. That of Tomcat 5 is remembered to have used the whole
    /// time-out while at most 33 % of its threads were busy, half of it up to 66 %, and a fifth
    /// above, where it also closed connections after their response. That last part is not here:
    /// decision 0007.
    ///
    /// @param busy how many threads have a connection, this one's included
    /// @param threads number of threads, at least 1
    long limitNanos(int busy, int threads) {
        long percent = 100L * busy / threads;
        if (!isShortened || percent <= HALF_ABOVE) {
            return timeoutNanos;
        }
        return percent <= FIFTH_ABOVE ? timeoutNanos / 2 : timeoutNanos / 5;
    }
}
