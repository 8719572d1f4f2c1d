package dev.tandem;

import java.net.SocketAddress;
import java.util.List;

/// Told of every exchange that has ended.
@FunctionalInterface
public interface AccessLog {

    /// Called by whichever thread ended the exchange, a loop or a worker: it must not block.
    void log(Entry entry);

    /// Names of header fields of requests whose values entries are to have, such as `User-Agent`.
    /// Asked for each entry: the same list each time.
    default List<String> requestFields() {
        return List.of();
    }

    /// How many entries were not written, since what they are written to is full or too slow.
    default long lost() {
        return 0;
    }

    /// One exchange.
    ///
    /// @param id of the exchange, as the error log has it; empty where the answer lay ready, and
    ///     no exchange was begun
    /// @param remote who asked
    /// @param isSecure whether it came over TLS
    /// @param method as sent; empty if the request was malformed
    /// @param target as sent; empty if the request was malformed
    /// @param minorVersion of HTTP/1: 0 or 1
    /// @param status that was answered
    /// @param bodyBytes of the answer's content, in bytes, before any framing
    /// @param durationNanos from the decoded head to the answer's end
    /// @param fields the values of [#requestFields()], in that order; empty for those not sent
    record Entry(
            String id,
            SocketAddress remote,
            boolean isSecure,
            String method,
            String target,
            int minorVersion,
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
