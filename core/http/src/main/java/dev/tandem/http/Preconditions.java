package dev.tandem.http;

/// Evaluates conditional requests, in the order of RFC 9110, section 13.2.2. Applies where the
/// response without the conditions would be a 2xx.
public final class Preconditions {

    /// The result of the evaluation.
    public enum Outcome {
        /// Perform the method; a Range header applies.
        PROCEED,
        /// Perform the method, but ignore the Range header: by If-Range, the client has a part of
        /// another representation.
        PROCEED_WITHOUT_RANGE,
        /// Respond with 304 and the headers that a 200 would have (section 15.4.5).
        NOT_MODIFIED,
        /// Respond with 412.
        FAILED
    }

    private Preconditions() {}

    /// Evaluates the conditions for an existing representation.
    public static Outcome evaluate(String method, Headers headers, Validators now) {
        boolean isRead = method.equals("GET") || method.equals("HEAD");
        if (headers.contains("If-Match")) {
            if (!matches(headers.joined("If-Match"), now, true)) {
                return Outcome.FAILED;
            }
        } else if (isModifiedSince(headers, "If-Unmodified-Since", now)) {
            return Outcome.FAILED;
        }
        if (headers.contains("If-None-Match")) {
            if (matches(headers.joined("If-None-Match"), now, false)) {
                return isRead ? Outcome.NOT_MODIFIED : Outcome.FAILED;
            }
        } else if (isRead && isNotModifiedSince(headers, now)) {
            return Outcome.NOT_MODIFIED;
        }
        return isIfRangeFalse(method, headers, now)
                ? Outcome.PROCEED_WITHOUT_RANGE
                : Outcome.PROCEED;
    }

    /// Evaluates the conditions for a representation that does not exist, such as one that a PUT
    /// would create: `If-Match` is false, `If-None-Match` is true.
    public static Outcome evaluateAbsent(Headers headers) {
        return headers.contains("If-Match") ? Outcome.FAILED : Outcome.PROCEED;
    }

    private static boolean matches(String list, Validators now, boolean isStrong) {
        String etag = now.etag();
        return list.equals("*") || etag != null && EntityTags.has(list, etag, isStrong);
    }

    /// Returns whether the representation was modified since the date of If-Unmodified-Since.
    /// False, so that the header is ignored, if either date is missing (section 13.1.4).
    private static boolean isModifiedSince(Headers headers, String name, Validators now) {
        long date = date(headers, name);
        return date != HttpDate.NONE && now.hasDate() && now.modifiedSeconds() > date;
    }

    /// Returns whether the representation was not modified since the date of If-Modified-Since.
    private static boolean isNotModifiedSince(Headers headers, Validators now) {
        long date = date(headers, "If-Modified-Since");
        return date != HttpDate.NONE && now.hasDate() && now.modifiedSeconds() <= date;
    }

    /// Returns whether there is an If-Range condition that is false (section 13.1.5): tags are
    /// compared strongly, dates exactly.
    private static boolean isIfRangeFalse(String method, Headers headers, Validators now) {
        if (!method.equals("GET") || !headers.contains("Range") || !headers.contains("If-Range")) {
            return false;
        }
        String validator = headers.joined("If-Range");
        if (EntityTags.isTag(validator)) {
            String etag = now.etag();
            return etag == null || !EntityTags.has(validator, etag, true);
        }
        long date = HttpDate.parse(validator);
        return date == HttpDate.NONE || !now.hasDate() || date != now.modifiedSeconds();
    }

    /// Returns the date in a header, or [HttpDate#NONE], also if the header is repeated, because
    /// joined dates are not a date.
    private static long date(Headers headers, String name) {
        return headers.contains(name) ? HttpDate.parse(headers.joined(name)) : HttpDate.NONE;
    }
}
