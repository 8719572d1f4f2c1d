package dev.tandem.http;

/// Conditional requests, in the order of RFC 9110, section 13.2.2. To be evaluated where the answer
/// without the conditions would be a 2xx.
public final class Preconditions {

    /// What is to be done.
    public enum Outcome {
        /// What the method says; a Range field counts.
        PROCEED,
        /// What the method says, but the Range field does not count: If-Range says that the client
        /// has a part of something else.
        PROCEED_WITHOUT_RANGE,
        /// 304, with the fields that a 200 would have (section 15.4.5).
        NOT_MODIFIED,
        /// 412.
        FAILED
    }

    private Preconditions() {}

    /// Evaluates the conditions on a representation that exists.
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

    /// Evaluates the conditions on a representation that does not exist, such as one that a PUT is
    /// about to make: `If-Match` fails, `If-None-Match` holds.
    public static Outcome evaluateAbsent(Headers headers) {
        return headers.contains("If-Match") ? Outcome.FAILED : Outcome.PROCEED;
    }

    private static boolean matches(String list, Validators now, boolean isStrong) {
        String etag = now.etag();
        return list.equals("*") || etag != null && EntityTags.has(list, etag, isStrong);
    }

    /// Of If-Unmodified-Since. False, so that the field is ignored, where there is no date to
    /// compare or to compare with (section 13.1.4).
    private static boolean isModifiedSince(Headers headers, String name, Validators now) {
        long date = date(headers, name);
        return date != HttpDate.NONE && now.hasDate() && now.modifiedSeconds() > date;
    }

    /// Of If-Modified-Since.
    private static boolean isNotModifiedSince(Headers headers, Validators now) {
        long date = date(headers, "If-Modified-Since");
        return date != HttpDate.NONE && now.hasDate() && now.modifiedSeconds() <= date;
    }

    /// Whether there is an If-Range that does not hold (section 13.1.5): its tag must be strongly
    /// equal, its date exactly so.
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

    /// The date in a field, or [HttpDate#NONE]; also where the field comes twice, since joined
    /// dates are no date.
    private static long date(Headers headers, String name) {
        return headers.contains(name) ? HttpDate.parse(headers.joined(name)) : HttpDate.NONE;
    }
}
