package dev.tandem.load;

/// The outcome of a call.
public enum Outcome {
    /// A complete response, with a status that does not count as failure and content that passed
    /// its check.
    OK("ok"),
    /// The connection was not established in time.
    CONNECT_TIMEOUT("client-timo"),
    /// The server accepted no byte of the request for too long.
    SEND_TIMEOUT("client-timo"),
    /// No byte of the response arrived for too long.
    REPLY_TIMEOUT("client-timo"),
    /// The kernel gave up on the connection (ETIMEDOUT).
    SOCKET_TIMEOUT("socket-timo"),
    /// No process listens there (ECONNREFUSED).
    REFUSED("connrefused"),
    /// The server reset the connection (ECONNRESET, EPIPE).
    RESET("connreset"),
    /// The server ended the stream before the response was complete.
    CLOSED_EARLY("other"),
    /// The received bytes are not HTTP.
    BAD_REPLY("other"),
    /// A status that counts as failure ([Client#failingStatuses()]).
    BAD_STATUS("status"),
    /// The call's check rejected the response.
    WRONG_CONTENT("other"),
    /// The server refused the HTTP/2 stream before any processing (REFUSED_STREAM; RFC 9113,
    /// section 8.7), and the call was not repeated ([Http2#refusedRetriesMax()]).
    STREAM_REFUSED("other"),
    /// The server reset the HTTP/2 stream for another reason.
    STREAM_RESET("connreset"),
    /// The server ended the HTTP/2 connection by GOAWAY with an error.
    CONNECTION_ERROR("other"),
    /// TLS failed: no common version, a certificate that is not trusted, a broken record.
    TLS_FAILED("other"),
    /// This process has no descriptor left (EMFILE).
    NO_DESCRIPTOR("fd-unavail"),
    /// The system has no descriptor left (ENFILE).
    NO_FILE("ftab-full"),
    /// No local port is left, or the address cannot be used (EADDRNOTAVAIL).
    NO_ADDRESS("addrunavail"),
    OTHER("other");

    private final String httperfName;

    Outcome(String httperfName) {
        this.httperfName = httperfName;
    }

    /// httperf's name for it; `status` is not among its errors.
    public String httperfName() {
        return httperfName;
    }

    /// The name in reports: `connect-timeout`.
    public String word() {
        return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
}
