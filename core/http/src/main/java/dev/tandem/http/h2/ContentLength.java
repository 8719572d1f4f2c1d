package dev.tandem.http.h2;

/// Compares the content of a message with its Content-Length (RFC 9113, section 8.1.1): a
/// difference is an error of the stream (PROTOCOL_ERROR). Confined to the stream's owner.
public final class ContentLength {
    private final long declared;
    private long received;

    /// @param declared in bytes, or -1 if the message has no Content-Length; -1, too, for responses
    ///     to HEAD and those of status 304, whose length is that of other content
    public ContentLength(long declared) {
        this.declared = declared;
    }

    /// Counts content.
    ///
    /// @param length in bytes, without padding
    /// @return false if there is more than was declared
    public boolean add(int length) {
        received += length;
        return declared < 0 || received <= declared;
    }

    /// Returns whether the content may end here.
    public boolean isComplete() {
        return declared < 0 || received == declared;
    }

    /// Returns the content received, in bytes.
    public long received() {
        return received;
    }
}
