package dev.tandem.filters;

import dev.tandem.http.FieldSyntax;

/// What becomes of requests for some paths. Immutable.
///
/// A path that ends with `/*` stands for all below it; `{rest}` in what it leads to is what the
/// star stood for, percent-encoded again. Paths are compared as handlers see them: decoded,
/// without dot segments, in their letters' case.
public sealed interface Rule {

    /// The path, or paths, that the rule is for.
    String from();

    /// What they lead to.
    String to();

    /// The client is sent elsewhere. A query goes along, unless `to` has one.
    ///
    /// @param to a path, or a whole URL of http or https
    /// @param status 301, 302, 303, 307 or 308 (RFC 9110, section 15.4)
    record Redirect(String from, String to, int status) implements Rule {

        /// @throws IllegalArgumentException if a value is not as said
        public Redirect {
            checkFrom(from);
            checkTo(from, to, true);
            if (status != 301 && status != 302 && status != 303 && status != 307 && status != 308) {
                throw new IllegalArgumentException(
                        "a redirect's status must be 301, 302, 303, 307 or 308, was " + status);
            }
        }
    }

    /// The request is answered as if it were for another path; the client does not learn of it.
    /// For GET and HEAD only: others are not rewritten. A query goes along, unless `to` has one.
    ///
    /// @param to a path
    record Rewrite(String from, String to) implements Rule {

        /// @throws IllegalArgumentException if a value is not as said
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
        // Else a stranger's path could become part of a host's name, or begin one: //host.
        int path = to.indexOf('/', isUrl ? "https://".length() : 0);
        boolean isBehindSlash = path >= 0 && path < rest && to.charAt(rest - 1) == '/';
        if (!from.endsWith("/*") || !isBehindSlash) {
            throw new IllegalArgumentException(
                    "{rest} must stand behind a slash of a path, and the rule be for a path"
                            + " with /* at its end; it leads to '"
                            + to
                            + "'");
        }
    }
}
