package dev.tandem.cgi;

import dev.tandem.http.FieldSyntax;
import dev.tandem.http.RequestTarget;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Parses the head of a program's response: bytes in, a [ScriptHead] out (RFC 3875, section 6).
/// Does no I/O; confined to one thread.
///
/// ```
/// HEADER ---line---> HEADER ---empty line---> COMPLETE
///    +------------- malformed --------------> ERROR
/// ```
///
/// Lines end with LF or CRLF. Everything from which a client could read an additional header is
/// rejected: other control characters, a bare CR, folded lines, names that are not tokens.
public final class ScriptHeadReader {
    /// Maximum number of headers: 200, twice what clients are said to accept.
    private static final int HEADERS_MAX = 200;

    private static final int LINE_FIRST = 256;

    /// The RFC's own headers, each of which may occur once.
    private static final Set<String> ONCE =
            Set.of("content-type", "content-length", "location", "status");

    /// Headers about message transfer are the server's; those of a program are ignored, as httpd
    /// does.
    private static final Set<String> DROPPED =
            Set.of(
                    "connection",
                    "date",
                    "keep-alive",
                    "proxy-connection",
                    "te",
                    "trailer",
                    "upgrade");

    private final int headMax;
    private final List<String> headers = new ArrayList<>();
    private final Set<String> seen = new HashSet<>();
    private byte[] line = new byte[LINE_FIRST];
    private int lineLength;
    private int headLength;
    private int headerCount;
    private int status;
    private long length = -1;
    private @Nullable String location;
    private @Nullable String error;
    private boolean isComplete;

    /// @param headMax maximum length of the head, in bytes
    public ScriptHeadReader(int headMax) {
        this.headMax = headMax;
    }

    /// Parses output of the program.
    ///
    /// @return where the document begins in `bytes`, if [#isComplete()] now
    public int read(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && !isComplete && error == null) {
            processByte(bytes[at++]);
        }
        return at;
    }

    public boolean isComplete() {
        return isComplete;
    }

    /// Returns what is wrong with the head, or null. Contains header names, but no other input.
    public @Nullable String error() {
        return error;
    }

    /// Returns what is wrong if the program's output ends here.
    public String incompleteReason() {
        return headLength == 0 ? "it printed nothing" : "its output ended within the head";
    }

    /// Returns whether the server can respond as if the path had been requested: not if it leads
    /// above the root, for example.
    private static boolean isPathOrNone(@Nullable String localRedirect) {
        byte[] bytes =
                localRedirect == null
                        ? new byte[] {'/'}
                        : localRedirect.getBytes(StandardCharsets.UTF_8);
        return RequestTarget.parse("GET", bytes, 0, bytes.length) instanceof RequestTarget;
    }

    /// @throws IllegalStateException unless complete
    public ScriptHead head() {
        if (!isComplete) {
            throw new IllegalStateException("the head is not complete");
        }
        return build();
    }

    private ScriptHead build() {
        return new ScriptHead(status, location, length, List.copyOf(headers));
    }

    private void processByte(byte b) {
        if (++headLength > headMax) {
            error = "its head is longer than " + headMax + " bytes";
        } else if (b == '\n') {
            endLine();
        } else {
            if (lineLength == line.length) {
                line = Arrays.copyOf(line, 2 * lineLength);
            }
            line[lineLength++] = b;
        }
    }

    private void endLine() {
        int end = lineLength > 0 && line[lineLength - 1] == '\r' ? lineLength - 1 : lineLength;
        var text = new String(line, 0, end, StandardCharsets.ISO_8859_1);
        lineLength = 0;
        if (!text.isEmpty()) {
            error = parseHeader(text);
        } else if (seen.contains("content-type") || location != null || status != 0) {
            error = isPathOrNone(build().localRedirect()) ? null : "its Location is not a path";
            isComplete = error == null;
        } else {
            error = "its head has no Content-Type, Location or Status"; // section 6.2
        }
    }

    /// @return what is wrong, or null
    private @Nullable String parseHeader(String text) {
        if (headerCount == 0 && text.startsWith("HTTP/")) {
            return "it wrote a whole response, but is not an nph- script: let it print a Status"
                    + " header";
        }
        if (++headerCount > HEADERS_MAX) {
            return "its head has more than " + HEADERS_MAX + " headers";
        }
        int colon = text.indexOf(':');
        if (colon < 0 || !FieldSyntax.isToken(text.substring(0, colon))) {
            return "line " + headerCount + " of its head is not a header";
        }
        String name = text.substring(0, colon);
        String value = stripBlanks(text, colon + 1);
        if (!FieldSyntax.isValue(value)) {
            return "its header " + name + " has a control character";
        }
        String key = name.toLowerCase(Locale.ROOT);
        if (ONCE.contains(key) && !seen.add(key)) {
            return "it has the header " + name + " twice"; // section 6.3
        }
        return storeHeader(key, name, value);
    }

    private @Nullable String storeHeader(String key, String name, String value) {
        switch (key) {
            case "status" -> {
                return readStatus(value);
            }
            case "content-length" -> {
                return readLength(value);
            }
            case "transfer-encoding" -> {
                return "it has a Transfer-Encoding; only the server may set it";
            }
            case "location" -> {
                if (value.isEmpty()) {
                    return "its Location is empty";
                }
                location = value;
            }
            default -> {
                // No special handling.
            }
        }
        // Section 6.3.5: X-CGI- headers address the server, which knows none.
        if (!DROPPED.contains(key) && !key.startsWith("x-cgi-")) {
            headers.add(name);
            headers.add(value);
        }
        return null;
    }

    /// Three digits, optionally followed by a reason phrase, which is dropped: HTTP ignores it.
    private @Nullable String readStatus(String value) {
        boolean hasEnd = value.length() == 3 || value.length() > 3 && value.charAt(3) == ' ';
        int code = hasEnd && isDigits(value, 3) ? Integer.parseInt(value, 0, 3, 10) : 0;
        if (code < 200 || code > 599) {
            return "its Status is not 200 to 599";
        }
        status = code;
        return null;
    }

    /// At most 18 digits, which always fit a long.
    private @Nullable String readLength(String value) {
        if (value.isEmpty() || value.length() > 18 || !isDigits(value, value.length())) {
            return "its Content-Length is not a length";
        }
        length = Long.parseLong(value);
        return null;
    }

    /// Strips spaces and tabs only; other characters that Java would strip are rejected.
    private static String stripBlanks(String text, int begin) {
        int from = begin;
        int to = text.length();
        while (from < to && isBlank(text.charAt(from))) {
            from++;
        }
        while (to > from && isBlank(text.charAt(to - 1))) {
            to--;
        }
        return text.substring(from, to);
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t';
    }

    private static boolean isDigits(String text, int count) {
        for (int i = 0; i < count; i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }
}
