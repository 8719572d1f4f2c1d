package dev.tandem.http;

/// Answers one request, in plain blocking style.
///
/// A handler runs on a worker of its own and may wait there: for a database, another server, the
/// request's body. It answers by one of the `send` methods of [Exchange]; one that returns without
/// answering answers `204 No Content`; one that throws answers `500`, or what an [HttpException]
/// says.
@FunctionalInterface
public interface Handler {

    /// Answers the request. Called at most once for each exchange, from one thread at a time; the
    /// exchange must not be used after it returned.
    ///
    /// @throws Exception whatever went wrong; the client sees a 500 with the exchange's id, the log
    ///     the cause
    void handle(Exchange x) throws Exception;

    /// Whether the handler may wait for anything. One that never does runs at once on the event
    /// loop, which saves the hand-over to a worker; if it waits all the same, every connection of
    /// its loop waits with it.
    default boolean isBlocking() {
        return true;
    }

    /// Declares that `handler` never waits: no I/O, no lock held long, no long computation. It may
    /// not read the request's body, nor stream its answer.
    static Handler nonBlocking(Handler handler) {
        return new Handler() {
            @Override
            public void handle(Exchange x) throws Exception {
                handler.handle(x);
            }

            @Override
            public boolean isBlocking() {
                return false;
            }
        };
    }
}
