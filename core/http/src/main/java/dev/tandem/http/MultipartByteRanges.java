package dev.tandem.http;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The text around the parts of a 206 response with more than one range (RFC 9110, section 14.6):
/// `partHead(0) bytes partHead(1) bytes ... closeDelimiter()`.
///
/// @param ranges at least one
/// @param size of the complete representation, in bytes
/// @param partType the media type of the representation, or null if it has none
/// @param boundary 1 to 70 letters and digits that do not occur in the content, which 16 random
///     bytes ensure
public record MultipartByteRanges(
        List<ByteRange> ranges, long size, @Nullable String partType, String boundary) {

    /// @throws IllegalArgumentException if there are no ranges, or the boundary is invalid
    public MultipartByteRanges {
        ranges = List.copyOf(ranges);
        if (ranges.isEmpty()
                || !MultipartParser.isBoundary(boundary)
                || boundary.indexOf(' ') >= 0) {
            throw new IllegalArgumentException(
                    "no parts of " + ranges.size() + " ranges with boundary " + boundary);
        }
    }

    /// Returns the Content-Type of the response.
    public String contentType() {
        return "multipart/byteranges; boundary=" + boundary;
    }

    /// Returns the text before the bytes of range `i`, in ASCII.
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

    /// Returns the text after the last range, in ASCII.
    public String closeDelimiter() {
        return "\r\n--" + boundary + "--\r\n";
    }

    /// Returns the Content-Length of the response, in bytes.
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
