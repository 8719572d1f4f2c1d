package dev.tandem.engine;

import java.net.SocketAddress;

/// A request that may have to wait before it runs, as admission's queue and the worker pool hold
/// it: a connection of HTTP/1.1, which has one request at a time, or one stream of many on a
/// connection. Each queued request gets one of these calls, by any thread, which then owns it.
public interface QueuedRequest extends WorkerPool.Task {

    /// Runs it. Called on a worker.
    ///
    /// @param context the worker's
    @Override
    void run(IoContext context);

    /// Returns the address of its client.
    SocketAddress remote();

    /// Responds with 503: its wait has expired. Must not block.
    ///
    /// @param retryAfterSeconds when the client may try again
    void reject(int retryAfterSeconds);

    /// Ends it without a response: the server has stopped.
    void close();
}
