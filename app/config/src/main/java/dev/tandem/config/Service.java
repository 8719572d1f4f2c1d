package dev.tandem.config;

import dev.tandem.cgi.CgiOptions;
import dev.tandem.fastcgi.FastCgiOptions;
import dev.tandem.files.FolderOptions;
import dev.tandem.proxy.ProxyOptions;
import java.nio.file.Path;
import java.util.List;

/// What answers below a path.
public sealed interface Service {

    /// Files of a folder.
    record StaticFiles(Path root, FolderOptions options) implements Service {}

    /// Programs of a folder, by CGI.
    record CgiPrograms(Path root, CgiOptions options) implements Service {}

    /// Other servers, by HTTP/1.1.
    ///
    /// @param to their addresses
    record ReverseProxy(List<String> to, ProxyOptions options) implements Service {
        /// Takes a copy of the list.
        public ReverseProxy {
            to = List.copyOf(to);
        }
    }

    /// Scripts of a folder, run by an application such as php-fpm; its other files are shown.
    ///
    /// @param to the application's addresses
    record FastCgiScripts(Path root, List<String> to, FastCgiOptions options) implements Service {
        /// Takes a copy of the list.
        public FastCgiScripts {
            to = List.copyOf(to);
        }
    }

    /// Another place.
    ///
    /// @param to a URL or a path; `{path}` in it stands for what is below the path that is asked
    ///     for
    /// @param status 301, 302, 303, 307 or 308
    record Redirect(String to, int status) implements Service {
        /// @throws IllegalArgumentException if the status is none of a redirection
        public Redirect {
            if (status < 301 || status > 308 || status > 303 && status < 307) {
                throw new IllegalArgumentException(
                        "status must be 301, 302, 303, 307 or 308, was " + status);
            }
        }
    }

    /// Always the same text.
    record FixedResponse(int status, String text, String type) implements Service {
        /// @throws IllegalArgumentException if the status cannot have a text
        public FixedResponse {
            if (status < 200 || status > 599 || status == 204 || status == 304) {
                throw new IllegalArgumentException(
                        "status must be 200..599, and neither 204 nor 304, was " + status);
            }
        }
    }
}
