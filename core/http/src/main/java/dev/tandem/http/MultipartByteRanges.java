package dev.tandem.http;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The text around the parts of a 206 with more than one range (RFC 9110, section 14.6):
/// `partHead(0) bytes partHead(1) bytes ... closeDelimiter()`.
///
/// @param ranges at least one
/// @param size of the whole, in bytes
/// @param partType the representation's media type, or null if it has none
/// @param boundary 1 to 70 letters and digits that the content has nowhere, as one of 16 random
///     bytes surely is
public record MultipartByteRanges(
        List<ByteRange> ranges, long size, @Nullable String partType, String boundary) {

    /// @throws IllegalArgumentException if there are no ranges, or the boundary is none
    public MultipartByteRanges {
        ranges = List.copyOf(ranges);
        if (ranges.isEmpty()
                || !MultipartParser.isBoundary(boundary)
                || boundary.indexOf(' ') >= 0) {
            throw new IllegalArgumentException(
                    "no parts of " + ranges.size() + " ranges with boundary " + boundary);
        }
    }

    /// The answer's Content-Type.
    public String contentType() {
        return "multipart/byteranges; boundary=" + boundary;
    }

    /// What goes before the bytes of range `i`; ASCII.
    public String partHead(int i) {
        String type = partType == null ? "" : "Content-Type: " + partType + "\r\n";
        return (i == 0 ? "--" : "\r\n--")
                + boundary
                + "\r\n"
                + type
                + "Content-Range: "
                + ranges.get(i).contentRange(size)
                + "\r\n\r\n";
    }

    /// What goes behind the last range; ASCII.
    public String closeDelimiter() {
        return "\r\n--" + boundary + "--\r\n";
    }

    /// The answer's Content-Length, in bytes.
    public long length() {
        long length = bytes(closeDelimiter());
        for (int i = 0; i < ranges.size(); i++) {
            length += bytes(partHead(i)) + ranges.get(i).length();
        }
        return length;
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1).length;
    }
}
