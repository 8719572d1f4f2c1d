package dev.tandem.http;

/// A range of bytes of a representation.
///
/// @param first the index of its first byte, at least 0
/// @param last the index of its last byte, at least `first`
public record ByteRange(long first, long last) {

    /// @throws IllegalArgumentException unless `0 <= first <= last`
    public ByteRange {
        if (first < 0 || last < first) {
            throw new IllegalArgumentException("no range from " + first + " to " + last);
        }
    }

    /// Returns the length in bytes.
    public long length() {
        return last - first + 1;
    }

    /// Returns the value of Content-Range (RFC 9110, section 14.4).
    ///
    /// @param size of the complete representation, in bytes
    public String contentRange(long size) {
        return "bytes " + first + "-" + last + "/" + size;
    }

    /// Returns whether at most `gap` bytes separate the two ranges.
    boolean isWithinGap(ByteRange other, long gap) {
        return first - gap - 1 <= other.last && other.first - gap - 1 <= last;
    }

    ByteRange union(ByteRange other) {
        return new ByteRange(Math.min(first, other.first), Math.max(last, other.last));
    }
}
