package dev.tandem.config;

import dev.tandem.cgi.CgiOptions;
import dev.tandem.fastcgi.FastCgiOptions;
import dev.tandem.files.FolderOptions;
import dev.tandem.http.FieldSyntax;
import dev.tandem.proxy.ProxyOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/// A service at a path.
public sealed interface Service {

    /// Files of a folder.
    record StaticFiles(Path root, FolderOptions options) implements Service, StaticFilesWith {}

    /// Programs of a folder, by CGI.
    record CgiPrograms(Path root, CgiOptions options) implements Service, CgiProgramsWith {}

    /// Other servers, by HTTP/1.1.
    ///
    /// @param to their addresses
    record ReverseProxy(List<String> to, ProxyOptions options)
            implements Service, ReverseProxyWith {
        /// Takes a copy of the list.
        public ReverseProxy {
            to = List.copyOf(to);
        }
    }

    /// Scripts of a folder, run by an application such as php-fpm; its other files are served.
    ///
    /// @param to the application's addresses
    record FastCgiScripts(Path root, List<String> to, FastCgiOptions options)
            implements Service, FastCgiScriptsWith {
        /// Takes a copy of the list.
        public FastCgiScripts {
            to = List.copyOf(to);
        }
    }

    /// A redirection.
    ///
    /// @param to a URL or a path; `{path}` in its path stands for the rest of the requested path
    /// @param status 301, 302, 303, 307 or 308
    record Redirect(String to, int status) implements Service, RedirectWith {
        /// What may be before a path that a client chooses, which may begin with a dot or an at
        /// sign: a URL with a host that has ended, or the begin of a path or a query.
        private static final Pattern BEFORE_PATH =
                Pattern.compile(
                        "(?:(?:[a-zA-Z][a-zA-Z0-9+.-]*:)?//[^/?#\\\\]+[/?#]"
                                + "|/(?![/\\\\])"
                                + "|[^/?#\\\\:]*[?#]"
                                + "|[^/?#\\\\:]+/).*");

        /// @throws IllegalArgumentException if `to` is no header value, or would let clients choose
        ///     the host, or if the status is not one of these
        public Redirect {
            FieldSyntax.requireValue(to);
            if (hasPathInHost(to)) {
                throw new IllegalArgumentException(
                        "{path} must follow a slash of the path, as in https://example.org/{path},"
                                + " since it would be a part of the host's name");
            }
            if (status < 301 || status > 308 || status > 303 && status < 307) {
                throw new IllegalArgumentException(
                        "status must be 301, 302, 303, 307 or 308, was " + status);
            }
        }

        private static boolean hasPathInHost(String to) {
            int path = to.indexOf("{path}");
            return path >= 0 && !BEFORE_PATH.matcher(to.substring(0, path)).matches();
        }
    }

    /// A fixed text.
    record FixedResponse(int status, String text, String type)
            implements Service, FixedResponseWith {
        /// @throws IllegalArgumentException if a response with this status has no text
        public FixedResponse {
            if (status < 200 || status > 599 || status == 204 || status == 304) {
                throw new IllegalArgumentException(
                        "status must be 200..599, and neither 204 nor 304, was " + status);
            }
        }
    }
}
