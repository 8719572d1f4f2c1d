package dev.tandem.admission;

/// What becomes of a request. Sealed: a new case must break every caller's `switch`.
public sealed interface Decision {

    /// Run now, and close the permit on every path.
    record Run() implements Decision {
        static final Run RUN = new Run();
    }

    /// The permit stands in a queue until [Admission#next] hands it out; it holds no thread.
    record Wait() implements Decision {
        static final Wait WAIT = new Wait();
    }

    /// Refuse with 503 and `Retry-After` (RFC 9110, sections 15.6.4 and 10.2.3), before the
    /// body is read. The permit is free again.
    ///
    /// @param retryAfterSeconds 1 to 30: spread, so that those refused together do not come
    ///     back together
    record Reject(Reason reason, int retryAfterSeconds) implements Decision {}
}
