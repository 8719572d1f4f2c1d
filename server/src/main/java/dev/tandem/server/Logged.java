package dev.tandem.server;

import dev.tandem.http.h1.Head;
import dev.tandem.net.Connection;

/// Makes the access log's entries.
final class Logged {
    private Logged() {}

    /// @param beginNanos when the head was decoded, by [System#nanoTime()]
    static AccessLog.Entry entry(
            Connection connection, Head head, int status, long bodyBytes, long beginNanos) {
        return new AccessLog.Entry(
                connection.socket().remote(),
                head.method(),
                head.target().raw(),
                status,
                bodyBytes,
                System.nanoTime() - beginNanos);
    }
}
