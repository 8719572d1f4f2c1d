package dev.tandem.http;

/// Handles one request, in plain blocking style.
///
/// A handler runs on a worker thread and may block there, for a database, another server or the
/// request body. It responds with one of the `send` methods of [Exchange]. If it returns without a
/// response, the response is `204 No Content`; if it throws an exception, the response is `500`, or
/// the one that an [HttpException] specifies.
@FunctionalInterface
public interface Handler {

    /// Handles the request. Called at most once for each exchange, by one thread at a time; the
    /// exchange must not be used after the method returns.
    ///
    /// @throws Exception if the handler fails; the client receives a 500 with the exchange's id,
    ///     and the log contains the cause
    void handle(Exchange x) throws Exception;

    /// Returns whether the handler may block. One that never blocks runs directly on the event
    /// loop, which saves the hand-over to a worker; if it blocks nevertheless, it delays all
    /// connections of its loop.
    default boolean isBlocking() {
        return true;
    }

    /// Declares that `handler` never blocks: no I/O, no lock held for long, no long computation. It
    /// must not read the request body or stream its response.
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
