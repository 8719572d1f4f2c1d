package dev.tandem.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// Parses the parts of a multipart body (RFC 2046, section 5.1.1) incrementally, with one buffer of
/// fixed size.
///
/// ```
/// preamble CRLF--boundary CRLF headers CRLF CRLF content CRLF--boundary CRLF ... CRLF--boundary--
///          \___________/                                 \___________/
///            delimiter                                     delimiter
/// ```
///
/// A delimiter begins with CR and contains no other, because boundaries contain none. This makes
/// the search linear, and shows how much of the buffer is certainly content when its end may be the
/// start of a delimiter. The first delimiter may lack its CRLF, so the buffer initially contains
/// one.
final class MultipartParser {
    private static final int BUFFER_BYTES = FormLimits.PART_HEAD_LIMIT;
    private static final int BOUNDARY_MAX = 70;

    /// What each header line counts besides its bytes, as a field does in RFC 9113, section 6.5.2:
    /// a short line is mostly the objects that hold it.
    private static final int LINE_COST = 32;

    private final InputStream in;
    private final byte[] delimiter;
    private final FormLimits limits;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private long total;

    /// Unconsumed input is in `buffer[at..end)`.
    private int at;

    private int end = 2;
    private int contentOffset;
    private int headBytesLeft;
    private long headsBytes;

    /// Whether `at` is directly after a delimiter, before the bytes that distinguish its kind.
    private boolean isAtDelimiter;

    MultipartParser(InputStream in, String boundary, FormLimits limits) {
        this.in = in;
        this.limits = limits;
        this.delimiter = ("\r\n--" + boundary).getBytes(StandardCharsets.ISO_8859_1);
        buffer[0] = '\r';
        buffer[1] = '\n';
    }

    /// Returns whether the text is 1 to 70 of the characters that RFC 2046 allows, and does not end
    /// with a space.
    static boolean isBoundary(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean isAlphanumeric =
                    c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z';
            if (!isAlphanumeric && "'()+_,-./:=? ".indexOf(c) < 0) {
                return false;
            }
        }
        return !text.isEmpty() && text.length() <= BOUNDARY_MAX && !text.endsWith(" ");
    }

    /// Advances to the headers of the next part, skipping the rest of the previous part or the
    /// preamble. Returns false at the end.
    boolean nextPart() throws IOException {
        while (!isAtDelimiter) {
            readContent();
        }
        isAtDelimiter = false;
        headBytesLeft = limits.partHeadMaxBytes();
        require(2);
        if (buffer[at] == '-' && buffer[at + 1] == '-') {
            return false;
        }
        while (buffer[at] == ' ' || buffer[at] == '\t') {
            at++;
            require(2);
        }
        if (buffer[at] != '\r' || buffer[at + 1] != '\n') {
            throw malformed("a boundary is followed by unexpected text");
        }
        at += 2;
        return true;
    }

    /// Returns the next header line of the part, without its terminator; empty at the end of the
    /// headers.
    ///
    /// @throws HttpException 413 if the headers of the part, or of all parts, are too long
    String readLine() throws IOException {
        int length = lineLength();
        // Browsers send names as raw UTF-8 (RFC 7578, section 5.1).
        String line = new String(buffer, at, length, StandardCharsets.UTF_8);
        at += length + 2;
        headBytesLeft -= length + 2;
        headsBytes += length + 2 + LINE_COST;
        if (headsBytes > limits.headsMaxBytes()) {
            throw new HttpException(
                    413,
                    "the heads of a form's parts have at most "
                            + limits.headsMaxBytes()
                            + " bytes, and each line counts as "
                            + LINE_COST
                            + " more");
        }
        return line;
    }

    /// Reads some content of the part and returns its length; -1 at the end of the part. The
    /// content is in [#buffer()] from [#contentOffset()] on, until the next call of any method.
    int readContent() throws IOException {
        int i = at;
        while (!isAtDelimiter) {
            i = indexOfCr(i);
            int matched = matched(i);
            if (matched == delimiter.length && i == at) {
                at += matched;
                isAtDelimiter = true;
            } else if (matched == delimiter.length || i + matched == end && i > at) {
                return take(i - at);
            } else if (i + matched == end) {
                fill();
                i = at;
            } else {
                i += matched;
            }
        }
        return -1;
    }

    /// Returns the buffer, which must not be modified.
    byte[] buffer() {
        return buffer;
    }

    int contentOffset() {
        return contentOffset;
    }

    private int take(int length) {
        contentOffset = at;
        at += length;
        return length;
    }

    private int lineLength() throws IOException {
        for (int length = 0; length + 2 <= headBytesLeft; length++) {
            require(length + 2);
            byte c = buffer[at + length];
            if (c == '\r' && buffer[at + length + 1] == '\n') {
                return length;
            }
            if (c >= 0 && c < ' ' && c != '\t' || c == 0x7f) {
                throw malformed("a part's header line has a control character");
            }
        }
        throw new HttpException(
                413, "a part's head has at most " + limits.partHeadMaxBytes() + " bytes");
    }

    /// Returns the index of the next CR from `from` on, or `end`.
    private int indexOfCr(int from) {
        int i = from;
        while (i < end && buffer[i] != '\r') {
            i++;
        }
        return i;
    }

    /// Returns the number of bytes from `from` on that match the delimiter.
    private int matched(int from) {
        int length = Math.min(delimiter.length, end - from);
        int mismatch = Arrays.mismatch(buffer, from, from + length, delimiter, 0, length);
        return mismatch < 0 ? length : mismatch;
    }

    /// Reads until `count` bytes from `at` on are available; they fit, because no part's head is
    /// longer than the buffer.
    private void require(int count) throws IOException {
        while (end - at < count) {
            fill();
        }
    }

    private void fill() throws IOException {
        if (at == end) {
            at = 0;
            end = 0;
        } else if (end == buffer.length) {
            System.arraycopy(buffer, at, buffer, 0, end - at);
            end -= at;
            at = 0;
        }
        int count = in.read(buffer, end, buffer.length - end);
        if (count < 0) {
            throw malformed("the form ends before its last boundary");
        }
        end += count;
        total += count;
        if (total > limits.totalMaxBytes()) {
            throw new HttpException(413, "a form has at most " + limits.totalMaxBytes() + " bytes");
        }
    }

    private static HttpException malformed(String reason) {
        return new HttpException(400, reason);
    }
}
