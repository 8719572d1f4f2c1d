package dev.tandem.load;

/// What became of a call.
public enum Outcome {
    /// Answered whole, with a status that does not count as failure and content that passed its
    /// check.
    OK("ok"),
    /// The connection was not made in time.
    CONNECT_TIMEOUT("client-timo"),
    /// The server took nothing of the request for too long.
    SEND_TIMEOUT("client-timo"),
    /// Nothing of the answer came for too long.
    REPLY_TIMEOUT("client-timo"),
    /// The kernel gave up on the connection (ETIMEDOUT).
    SOCKET_TIMEOUT("socket-timo"),
    /// Nobody listens there (ECONNREFUSED).
    REFUSED("connrefused"),
    /// The server reset the connection (ECONNRESET, EPIPE).
    RESET("connreset"),
    /// The server ended the stream where an answer, or its rest, was due.
    CLOSED_EARLY("other"),
    /// What came is no HTTP.
    BAD_REPLY("other"),
    /// A status that counts as failure ([Client#failingStatuses()]).
    BAD_STATUS("status"),
    /// The call's check refused the answer.
    WRONG_CONTENT("other"),
    /// TLS failed: no common version, a certificate that is not trusted, a broken record.
    TLS_FAILED("other"),
    /// This process has no descriptor left (EMFILE).
    NO_DESCRIPTOR("fd-unavail"),
    /// The system has no descriptor left (ENFILE).
    NO_FILE("ftab-full"),
    /// No local port is left, or the address is not to be had (EADDRNOTAVAIL).
    NO_ADDRESS("addrunavail"),
    OTHER("other");

    private final String httperfName;

    Outcome(String httperfName) {
        this.httperfName = httperfName;
    }

    /// httperf's word for it; `status` is not among its errors.
    public String httperfName() {
        return httperfName;
    }

    /// As reports write it: `connect-timeout`.
    public String word() {
        return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
}
