package dev.tandem.admission;

import java.util.function.Consumer;

/// The owner of something that waits for admission: a request, a TLS handshake, a thread that needs
/// a database connection. A queue knows its entries by this interface alone.
///
/// The methods are called without any lock, by the thread that made the decision possible. They
/// must not block. At most one of them is called for each decision to wait.
public interface AdmissionTask {

    /// Starts what was queued: it is admitted.
    void run();

    /// Responds to what was queued: it is rejected.
    void reject(Decision.Reject rejection);

    /// Ends what was queued without a decision, since the server stops.
    void close();

    /// Returns a task that passes each decision on, and does nothing when the server stops.
    static AdmissionTask of(Consumer<Decision> listener) {
        return new AdmissionTask() {
            @Override
            public void run() {
                listener.accept(Decision.Run.RUN);
            }

            @Override
            public void reject(Decision.Reject rejection) {
                listener.accept(rejection);
            }

            @Override
            public void close() {}
        };
    }
}
