package dev.tandem.http;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The position of a request in a distributed trace: the header `traceparent` of W3C Trace Context
/// (w3.org/TR/trace-context, section 3.2). Immutable.
///
/// @param traceId 32 hexadecimal digits, not all 0
/// @param parentId the span id of the caller; 16 hexadecimal digits, not all 0
/// @param isSampled whether the caller records the trace
public record TraceParent(String traceId, String parentId, boolean isSampled) {
    /// The name of the header.
    public static final String HEADER = "traceparent";

    private static final int SAMPLED = 1;

    /// The length in version 00; later versions may continue after another dash.
    private static final int LENGTH = 55;

    private static final Pattern FORM =
            Pattern.compile("([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})");

    /// @throws IllegalArgumentException if an id is invalid
    public TraceParent {
        if (!isId(traceId, 32) || !isId(parentId, 16)) {
            throw new IllegalArgumentException(
                    "invalid trace context: " + traceId + ", " + parentId);
        }
    }

    private static boolean isId(String id, int length) {
        return id.length() == length
                && id.chars().allMatch(c -> c >= '0' && c <= '9' || c >= 'a' && c <= 'f')
                && id.chars().anyMatch(c -> c != '0');
    }

    /// Returns the trace context of a request; null if it has none, several, or a malformed one,
    /// which starts a new trace (section 4.2).
    public static @Nullable TraceParent of(Request request) {
        List<String> fields = request.headers().all(HEADER);
        return fields.size() == 1 ? parse(fields.getFirst()) : null;
    }

    /// Parses a header strictly, except later versions, of which the known part is parsed.
    ///
    /// @return null if it is malformed
    public static @Nullable TraceParent parse(String field) {
        if (field.length() < LENGTH) {
            return null;
        }
        Matcher form = FORM.matcher(field.substring(0, LENGTH));
        boolean isLonger = field.length() > LENGTH;
        if (!form.matches() || isLonger && field.charAt(LENGTH) != '-') {
            return null;
        }
        String version = form.group(1);
        boolean isKnown = !version.equals("ff") && !(isLonger && version.equals("00"));
        if (!isKnown || !isId(form.group(2), 32) || !isId(form.group(3), 16)) {
            return null;
        }
        boolean isSampled = (Integer.parseInt(form.group(4), 16) & SAMPLED) != 0;
        return new TraceParent(form.group(2), form.group(3), isSampled);
    }

    /// Returns the context for requests to other servers.
    ///
    /// @param id the span id of the calling operation: 16 hexadecimal digits, not all 0
    public TraceParent child(String id) {
        return new TraceParent(traceId, id, isSampled);
    }

    /// Returns the value of the header in version 00.
    @Override
    public String toString() {
        return "00-" + traceId + "-" + parentId + (isSampled ? "-01" : "-00");
    }
}
