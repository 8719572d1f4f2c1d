package dev.tandem;

import dev.tandem.http.HttpVersion;
import java.net.SocketAddress;
import java.util.List;

/// Receives one entry for each completed exchange.
@FunctionalInterface
public interface AccessLog {

    /// Called by the thread that ended the exchange, a loop or a worker: it must not block.
    void log(Entry entry);

    /// Returns the names of request headers whose values entries should have, such as `User-Agent`.
    /// Called for each entry, and must always return the same list.
    default List<String> requestFields() {
        return List.of();
    }

    /// Returns the number of entries that were not written, since the destination was full or too
    /// slow.
    default long lost() {
        return 0;
    }

    /// One exchange.
    ///
    /// @param id of the exchange, as in the error log; empty for a prepared response, which begins
    ///     no exchange
    /// @param remote the client's address
    /// @param isSecure whether it was over TLS
    /// @param method as sent; empty if the request was malformed
    /// @param target as sent; empty if the request was malformed
    /// @param version of HTTP; HTTP/1.1 if the request was malformed
    /// @param streamId identifier of the stream in its connection of HTTP/2; 0 for HTTP/1
    /// @param status of the response
    /// @param bodyBytes size of the response's content, in bytes, before any framing
    /// @param durationNanos from the decoded head to the end of the response
    /// @param fields the values of [#requestFields()], in that order; empty for those not sent
    record Entry(
            String id,
            SocketAddress remote,
            boolean isSecure,
            String method,
            String target,
            HttpVersion version,
            int streamId,
            int status,
            long bodyBytes,
            long durationNanos,
            List<String> fields) {

        /// Takes a copy of the list.
        public Entry {
            fields = List.copyOf(fields);
        }
    }
}
