package dev.tandem.load;

/// Which part of a response is kept for the session and the check.
public enum Use {
    /// The status and lengths alone: content is dropped unread where the system can.
    COUNT,
    /// The head, too.
    HEAD,
    /// The head and the content, of at most [Client#bodyMax()] bytes.
    BODY
}
