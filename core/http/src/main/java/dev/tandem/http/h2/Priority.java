package dev.tandem.http.h2;

import java.nio.charset.StandardCharsets;

/// The priority of a response (RFC 9218, section 4). Immutable.
///
/// @param urgency 0 to 7, the most urgent first
/// @param isIncremental whether the client can use parts of the response, so that responses of the
///     same urgency share the connection; otherwise one follows the other
public record Priority(int urgency, boolean isIncremental) {
    /// The least urgent.
    public static final int URGENCY_MAX = 7;

    /// The priority of a request without a signal.
    public static final Priority DEFAULT = new Priority(3, false);

    private static final Priority[] ALL = all();

    public Priority {
        if (urgency < 0 || urgency > URGENCY_MAX) {
            throw new IllegalArgumentException("urgency must be 0..7, was " + urgency);
        }
    }

    /// Parses the value of a `priority` header: a dictionary of structured fields (RFC 9651,
    /// section 3.2) with the members `u` and `i`. Others, and those with another type or out of
    /// range, are ignored; a malformed dictionary is the default priority. Never throws an
    /// exception. Several header lines are parsed as one, joined by commas.
    public static Priority parse(String value) {
        return new PriorityParser(value).parse();
    }

    /// Parses the value in a PRIORITY_UPDATE frame.
    static Priority parse(byte[] bytes, int from, int to) {
        return parse(new String(bytes, from, to - from, StandardCharsets.ISO_8859_1));
    }

    static Priority of(int urgency, boolean isIncremental) {
        return ALL[2 * urgency + (isIncremental ? 1 : 0)];
    }

    /// Returns the value of the header; empty for the default.
    @Override
    public String toString() {
        String text = urgency == DEFAULT.urgency ? "" : "u=" + urgency;
        if (isIncremental) {
            return text.isEmpty() ? "i" : text + ", i";
        }
        return text;
    }

    private static Priority[] all() {
        var all = new Priority[2 * (URGENCY_MAX + 1)];
        for (int i = 0; i < all.length; i++) {
            all[i] = new Priority(i / 2, i % 2 == 1);
        }
        return all;
    }
}
