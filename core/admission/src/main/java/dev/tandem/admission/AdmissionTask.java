package dev.tandem.admission;

/// The owner of something that waits for admission: a request, a TLS handshake, a thread that needs
/// a database connection. A queue holds its tasks by this interface alone.
///
/// The methods are called without any lock, by the thread that made the decision possible. They
/// must not block, and at most one of them is called for each decision to wait.
public interface AdmissionTask {

    /// Starts what was queued: it is admitted.
    void run();

    /// Responds to what was queued: it is rejected.
    void reject(Decision.Reject rejection);

    /// Ends what was queued without a decision, since the server stops.
    void close();
}
