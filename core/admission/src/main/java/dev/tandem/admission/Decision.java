package dev.tandem.admission;

/// Result of an admission decision. Sealed: these are all cases. Callers on the path of a request
/// use `instanceof`: a `switch` over types would be linked at each start
/// (docs/decisions/0006-start-up.md).
public sealed interface Decision {

    /// The request runs now. The caller closes the permit on every path.
    record Run() implements Decision {
        static final Run RUN = new Run();
    }

    /// The request is queued and holds no thread. Its [AdmissionTask] is called when it is started
    /// or rejected.
    record Wait() implements Decision {
        static final Wait WAIT = new Wait();
    }

    /// The request is rejected with 503 and `Retry-After` (RFC 9110, sections 15.6.4 and 10.2.3),
    /// before its body is read. The permit is free again.
    ///
    /// @param retryAfterSeconds 1 to 30: spread, so that clients that were rejected together do not
    ///     return together
    record Reject(Reason reason, int retryAfterSeconds) implements Decision {}
}
