package dev.tandem.filters;

import dev.tandem.http.FieldSyntax;

/// A redirect or rewrite of requests for some paths. Immutable.
///
/// A path that ends with `/*` matches every path below it; `{rest}` in the destination stands for
/// the part that the star matched, percent-encoded again. Paths are compared as handlers see them:
/// decoded, without dot segments, case-sensitively.
public sealed interface Rule {

    /// The path, or the pattern of paths, that the rule matches.
    String from();

    /// The destination.
    String to();

    /// Sends the client to another location. The query is appended, unless `to` has one.
    ///
    /// @param to a path, or an http or https URL
    /// @param status 301, 302, 303, 307 or 308 (RFC 9110, section 15.4)
    record Redirect(String from, String to, int status) implements Rule {

        /// @throws IllegalArgumentException if a value is invalid
        public Redirect {
            checkFrom(from);
            checkTo(from, to, true);
            if (status != 301 && status != 302 && status != 303 && status != 307 && status != 308) {
                throw new IllegalArgumentException(
                        "a redirect's status must be 301, 302, 303, 307 or 308, was " + status);
            }
        }
    }

    /// Handles the request as one for another path, without the client's knowledge. Only GET and
    /// HEAD requests are rewritten. The query is appended, unless `to` has one.
    ///
    /// @param to a path
    record Rewrite(String from, String to) implements Rule {

        /// @throws IllegalArgumentException if a value is invalid
        public Rewrite {
            checkFrom(from);
            checkTo(from, to, false);
        }
    }

    private static void checkFrom(String from) {
        int star = from.indexOf('*');
        boolean isEnd = star < 0 || star == from.length() - 1 && from.endsWith("/*");
        if (!from.startsWith("/") || !isEnd || from.contains("//")) {
            throw new IllegalArgumentException(
                    "a rule must be for a path as /old or /old/*, was for '" + from + "'");
        }
    }

    private static void checkTo(String from, String to, boolean allowsUrl) {
        FieldSyntax.requireValue(to);
        boolean isPath = to.startsWith("/") && !to.startsWith("//");
        boolean isUrl = allowsUrl && (to.startsWith("https://") || to.startsWith("http://"));
        if (!isPath && !isUrl || to.contains("\\")) {
            throw new IllegalArgumentException(
                    "a rule must lead to a path"
                            + (allowsUrl ? " or an http URL" : "")
                            + ", leads to '"
                            + to
                            + "'");
        }
        int rest = to.indexOf("{rest}");
        if (rest < 0) {
            return;
        }
        // Otherwise the client's path could become part of a host name, or begin one: //host.
        int path = to.indexOf('/', isUrl ? "https://".length() : 0);
        boolean isBehindSlash = path >= 0 && path < rest && to.charAt(rest - 1) == '/';
        if (!from.endsWith("/*") || !isBehindSlash) {
            throw new IllegalArgumentException(
                    "{rest} must follow a slash of a path, and the rule must be for a path"
                            + " that ends with /*; it leads to '"
                            + to
                            + "'");
        }
    }
}
