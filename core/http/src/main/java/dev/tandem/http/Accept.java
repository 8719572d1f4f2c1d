package dev.tandem.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Content negotiation (RFC 9110, section 12.5). Malformed list elements are ignored.
public final class Accept {

    /// The weight of an element without a `q` parameter. All weights here are in thousandths.
    private static final int FULL = 1_000;

    private static final int NONE = -1;

    private Accept() {}

    /// Returns the media type with the highest weight; the first one if several have it.
    ///
    /// @param header the value of the Accept header, or null, which accepts everything
    /// @param offered types with or without parameters, in the server's order of preference
    /// @return one of `offered`, or null if the client accepts none of them
    public static @Nullable String bestMediaType(@Nullable String header, List<String> offered) {
        String best = null;
        int bestWeight = 0;
        for (String type : offered) {
            int weight = header == null || header.isBlank() ? FULL : typeWeight(header, type);
            if (weight > bestWeight) {
                best = type;
                bestWeight = weight;
            }
        }
        return best;
    }

    /// Returns whether the client accepts a content coding (section 12.5.3). `identity` is accepted
    /// unless it is excluded by name, or by `*;q=0` without an element of its own. Without the
    /// header, RFC 9110 permits any coding; this method then accepts only `identity`, because a
    /// client that does not send the header may not support any other.
    ///
    /// @param header the value of the Accept-Encoding header, or null
    /// @param coding in lower case
    public static boolean isCodingAccepted(@Nullable String header, String coding) {
        return codingWeight(header, coding) > 0;
    }

    /// Returns the weight of a content coding, from 0 (not acceptable) to 1,000. An `identity` that
    /// the header does not name has the lowest weight, 1.
    ///
    /// @param header the value of the Accept-Encoding header, or null
    /// @param coding in lower case
    public static int codingWeight(@Nullable String header, String coding) {
        boolean isIdentity = coding.equals("identity");
        if (header == null) {
            return isIdentity ? FULL : 0;
        }
        int named = NONE;
        int any = NONE;
        for (int from = 0; from < header.length(); ) {
            int end = elementEnd(header, from);
            if (isNamed(header, from, end, coding)) {
                named = Math.max(named, QValue.of(header, from, end));
            } else if (isNamed(header, from, end, "*")) {
                any = QValue.of(header, from, end);
            }
            from = end + 1;
        }
        if (named != NONE || any == 0) {
            return Math.max(named, 0);
        }
        return isIdentity ? 1 : Math.max(any, 0);
    }

    /// Returns the weight of the most specific media range that matches the type; 0 if none
    /// matches.
    private static int typeWeight(String header, String type) {
        var offered = MediaType.parse(type);
        int weight = 0;
        int precedence = 0;
        for (int from = 0; from < header.length(); ) {
            int end = elementEnd(header, from);
            String element = header.substring(from, end);
            int p = precedence(MediaType.parse(element), offered);
            int q = QValue.of(header, from, end);
            if (p > precedence && q != NONE) {
                precedence = p;
                weight = q;
            }
            from = end + 1;
        }
        return weight;
    }

    /// Returns 0 if the range does not match the type, else a value that grows with its
    /// specificity: `*/*`, `text/*`, `text/html`, `text/html;level=1`, and so on.
    private static int precedence(MediaType range, MediaType offered) {
        String word = range.value();
        if (word.equals("*/*")) {
            return 1;
        }
        if (word.endsWith("/*")) {
            return offered.value().startsWith(word.substring(0, word.length() - 1)) ? 2 : 0;
        }
        if (!word.equals(offered.value())) {
            return 0;
        }
        int precedence = 3;
        for (String name : range.parameters().names()) {
            if (name.equals("q")) {
                break;
            }
            String value = offered.parameter(name);
            if (value == null || !value.equalsIgnoreCase(range.parameter(name))) {
                return 0;
            }
            precedence++;
        }
        return precedence;
    }

    /// Returns the index of the comma that ends the element, or the end of the list. Commas within
    /// quotes are ignored.
    private static int elementEnd(String list, int from) {
        boolean isQuoted = false;
        for (int i = from; i < list.length(); i++) {
            char c = list.charAt(i);
            if (c == '"') {
                isQuoted = !isQuoted;
            } else if (c == '\\' && isQuoted) {
                i++;
            } else if (c == ',' && !isQuoted) {
                return i;
            }
        }
        return list.length();
    }

    /// Returns whether the element is `name`, ignoring its parameters; `x-gzip` is `gzip` (section
    /// 8.4.1.3).
    private static boolean isNamed(String list, int from, int end, String name) {
        int at = from;
        while (at < end && (list.charAt(at) == ' ' || list.charAt(at) == '\t')) {
            at++;
        }
        if (name.equals("gzip") && list.regionMatches(true, at, "x-", 0, 2)) {
            at += 2;
        }
        int nameEnd = at + name.length();
        return list.regionMatches(true, at, name, 0, name.length())
                && nameEnd <= end
                && (nameEnd == end || " \t;".indexOf(list.charAt(nameEnd)) >= 0);
    }
}
