package dev.tandem.server;

import java.net.SocketAddress;

/// Told of every exchange that has ended.
@FunctionalInterface
public interface AccessLog {

    /// Called by whichever thread ended the exchange, a loop or a worker: it must not block.
    void log(Entry entry);

    /// One exchange.
    ///
    /// @param remote who asked
    /// @param method as sent; empty if the request was malformed
    /// @param target as sent; empty if the request was malformed
    /// @param status that was answered
    /// @param bodyBytes of the answer's content, in bytes, before any framing
    /// @param durationNanos from the decoded head to the answer's end
    record Entry(
            SocketAddress remote,
            String method,
            String target,
            int status,
            long bodyBytes,
            long durationNanos) {}
}
