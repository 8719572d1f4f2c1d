package dev.tandem.fastcgi;

import dev.tandem.cgi.CgiOptions;
import dev.tandem.cgi.Content;
import dev.tandem.cgi.Environment;
import dev.tandem.cgi.ScriptFolder;
import dev.tandem.cgi.ScriptLookup;
import dev.tandem.http.Exchange;
import dev.tandem.http.Handler;
import dev.tandem.http.HttpException;
import dev.tandem.http.PreparedResponse;
import dev.tandem.http.PreparedResponseHandler;
import dev.tandem.http.RequestHead;
import dev.tandem.upstream.Address;
import dev.tandem.upstream.ClientDisconnectedException;
import dev.tandem.upstream.PoolExhaustedException;
import dev.tandem.upstream.Upstream;
import dev.tandem.upstream.UpstreamConnection;
import dev.tandem.upstream.UpstreamException;
import dev.tandem.upstream.UpstreamPool;
import dev.tandem.upstream.UpstreamTimeoutException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Runs the scripts below a folder by an application server, over FastCGI 1.0: `route("*",
/// "/{path...}", FastCgi.folder(root, List.of("unix:/run/php/php-fpm.sock")))`. Thread safe.
///
/// The first part of the path that is a file is the script, if its name has the suffix; the rest is
/// its `PATH_INFO`. The file must be inside the folder: applications that split paths themselves
/// are never asked to (`/upload/picture.jpg/x.php` is 404). Other paths go to another handler, if
/// one was set by [#withFallback(Handler)], but never paths with a script's suffix, so that no
/// source is sent. A malformed response is 502, a time-out 504, an overloaded application 503.
public final class FastCgi implements PreparedResponseHandler, AutoCloseable {
    /// The parameter that the route's pattern must end with.
    private static final String PATH_PARAMETER = "path";

    private final Path root;
    private final FastCgiOptions options;
    private final ScriptFolder scripts;
    private final Environment environment;
    private final UpstreamPool upstreams;
    private final @Nullable Handler fallback;

    private FastCgi(Path root, UpstreamPool upstreams, FastCgiOptions options) {
        this.root = root.toAbsolutePath();
        this.options = options;
        this.scripts = new ScriptFolder(root, options.isFollowingLinks(), false);
        this.environment =
                new Environment(
                        CgiOptions.DEFAULT
                                .withInherited(List.of())
                                .withVariables(options.variables())
                                .withPassingAuthorization(options.isPassingAuthorization()),
                        Map.of());
        this.upstreams = upstreams;
        this.fallback = null;
    }

    private FastCgi(FastCgi same, Handler fallback) {
        this.root = same.root;
        this.options = same.options;
        this.scripts = same.scripts;
        this.environment = same.environment;
        this.upstreams = same.upstreams;
        this.fallback = fallback;
    }

    /// Returns a handler with [FastCgiOptions#DEFAULT].
    ///
    /// @throws IllegalArgumentException if `root` is not a folder, or an address is malformed
    public static FastCgi folder(Path root, List<String> addresses) {
        return folder(root, addresses, FastCgiOptions.DEFAULT);
    }

    /// @param addresses of equivalent applications, see [Address]
    /// @throws IllegalArgumentException if `root` is not a folder, or an address is malformed
    public static FastCgi folder(Path root, List<String> addresses, FastCgiOptions options) {
        var upstreams =
                new UpstreamPool(addresses.stream().map(Address::of).toList(), options.upstream());
        var made = new FastCgi(root, upstreams, options);
        if (options.healthInterval() != null) {
            upstreams.startHealthChecks(options.healthInterval(), RecordWriter::isHealthy);
        }
        return made;
    }

    /// Returns the same with another handler for paths without a script:
    /// `withFallback(Folder.of(root))`. Both share their connections; closing one closes those of
    /// both.
    public FastCgi withFallback(Handler handler) {
        return new FastCgi(this, handler);
    }

    /// Returns the applications and their state.
    public UpstreamPool upstreams() {
        return upstreams;
    }

    @Override
    public @Nullable PreparedResponse preparedResponse(RequestHead head, String path) {
        // The other handler has prepared only paths that it served before.
        return fallback instanceof PreparedResponseHandler ready
                ? ready.preparedResponse(head, path)
                : null;
    }

    /// @throws HttpException 403, 404, 502, 503, 504; see above
    /// @throws IOException if the disk fails, or the client has disconnected
    /// @throws IllegalArgumentException if the route's pattern has no `{path...}`
    @Override
    public void handle(Exchange x) throws Exception {
        String tail = x.pathParam(PATH_PARAMETER);
        Script script = find(tail);
        if (script == null) {
            delegate(x, tail);
            return;
        }
        String localRedirect;
        // Before it has a connection: an upload that pauses would hold the application's process.
        try (Content content = Content.of(x.request())) {
            localRedirect = exchange(x, variables(x, script, content), content);
        }
        if (localRedirect != null) {
            x.forward(localRedirect);
        }
    }

    // ---- Look-up of the script.

    /// @param name its `SCRIPT_NAME`, or null if that is the path
    private record Script(Path file, String pathInfo, @Nullable String name) {}

    private @Nullable Script find(String tail) throws IOException {
        Script found = script(tail, null);
        boolean isFolder = tail.isEmpty() || tail.endsWith("/");
        if (found == null && isFolder && !options.indexFile().isEmpty()) {
            String index = tail + options.indexFile();
            found = script(index, "/" + index);
        }
        String frontController = options.frontController();
        if (found != null || frontController == null || isForFallback(tail)) {
            return found;
        }
        return isMistaken(tail, frontController)
                ? null
                : script(frontController, "/" + frontController);
    }

    /// Whether Symfony may find the front controller's name in a path that does not lead to it, and
    /// remove all up to its end: `/index.phpadmin` would be its `/admin`, and where the front
    /// controller is in a folder, `/x/public/index.php/admin` as well.
    private static boolean isMistaken(String tail, String frontController) {
        int folder = frontController.lastIndexOf('/');
        return folder < 0
                ? tail.startsWith(frontController)
                : tail.contains(frontController.substring(folder + 1));
    }

    private @Nullable Script script(String tail, @Nullable String name) throws IOException {
        return switch (scripts.find(tail)) {
            case ScriptLookup.Script(Path file, String info)
                    when hasSuffix(String.valueOf(file.getFileName())) ->
                    new Script(file, info, name);
            case ScriptLookup.Forbidden _ when isSource(tail) ->
                    throw new HttpException(403, "this file may not be read");
            case ScriptLookup.Script _, ScriptLookup.Forbidden _, ScriptLookup.NotFound _ -> null;
        };
    }

    /// Returns whether the path is a file for the other handler, which takes precedence over the
    /// front controller.
    private boolean isForFallback(String tail) throws IOException {
        return fallback != null
                && !isSource(tail)
                && scripts.find(tail) instanceof ScriptLookup.Script(Path _, String info)
                && info.isEmpty();
    }

    private void delegate(Exchange x, String tail) throws Exception {
        if (fallback == null || isSource(tail)) {
            throw new HttpException(404, "there is no such script");
        }
        fallback.handle(x);
    }

    /// Returns whether a part of the path has a script's suffix, possibly followed by dots and
    /// blanks: file systems that ignore those would otherwise expose its source.
    private boolean isSource(String tail) {
        for (String part : tail.split("/", -1)) {
            int end = part.length();
            while (end > 0 && ". ".indexOf(part.charAt(end - 1)) >= 0) {
                end--;
            }
            if (hasSuffix(part.substring(0, end))) {
                return true;
            }
        }
        return false;
    }

    private boolean hasSuffix(String name) {
        String lower = name.toLowerCase(Locale.ROOT);
        return options.suffixes().stream()
                .anyMatch(suffix -> lower.endsWith(suffix.toLowerCase(Locale.ROOT)));
    }

    /// Returns the variables, with paths as the application sees them.
    private List<String> variables(Exchange x, Script script, Content content) throws IOException {
        String remote = options.remoteRoot();
        Path realRoot = root.toRealPath();
        String documentRoot = remote == null ? realRoot.toString() : remote;
        String file =
                remote == null
                        ? script.file().toString()
                        : remote + "/" + realRoot.relativize(script.file());
        var all = new ArrayList<String>();
        for (String variable :
                environment.variables(x, script.file(), script.pathInfo(), content.length())) {
            if (variable.startsWith("SCRIPT_FILENAME=")) {
                all.add("SCRIPT_FILENAME=" + latin1(file));
            } else if (variable.startsWith("SCRIPT_NAME=") && script.name() != null) {
                all.add("SCRIPT_NAME=" + latin1(nameOf(x, script.name())));
            } else if (!variable.startsWith("DOCUMENT_ROOT=")) {
                all.add(variable);
            }
        }
        all.add("DOCUMENT_ROOT=" + latin1(documentRoot));
        all.add("REDIRECT_STATUS=200"); // php-cgi rejects requests without it
        return all;
    }

    /// Returns the script's path, behind the part of the route before its `{path...}`.
    private static String nameOf(Exchange x, String name) {
        String path = x.path();
        String before = path.substring(0, path.length() - x.pathParam(PATH_PARAMETER).length());
        return before.endsWith("/") ? before + name.substring(1) : before + name;
    }

    private static String latin1(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    // ---- Requests to the application.

    private @Nullable String exchange(Exchange x, List<String> variables, Content content)
            throws IOException {
        UpstreamConnection connection = borrow(x);
        var exchange = new FastCgiExchange(x, connection, options);
        try {
            String localRedirect = exchange.run(variables, content);
            if (exchange.isReusable()) {
                upstreams.release(connection);
            } else {
                upstreams.discard(connection);
            }
            return localRedirect;
        } catch (UpstreamException e) {
            upstreams.discardFailed(connection);
            throw failed(x, e);
        } catch (IOException | RuntimeException | Error e) {
            upstreams.discard(
                    connection); // a failure of the client or the script, aborted by closing
            throw e;
        } finally {
            exchange.endLog();
        }
    }

    /// Tries each application once; a script is never started twice.
    private UpstreamConnection borrow(Exchange x) throws ClientDisconnectedException {
        Set<Upstream> tried = new HashSet<>(4);
        for (int left = upstreams.members().size(); ; left--) {
            try {
                return upstreams.borrow(
                        tried, x.request().remoteAddress(), false, x::isClientDisconnected);
            } catch (ClientDisconnectedException e) {
                throw e;
            } catch (PoolExhaustedException _) {
                x.header("Retry-After", "1");
                throw new HttpException(503, "too many requests are active");
            } catch (IOException e) {
                if (left == 1) {
                    throw failed(x, e);
                }
            }
        }
    }

    private static HttpException failed(Exchange x, IOException e) {
        Log.LOG.log(
                System.Logger.Level.WARNING,
                "exchange " + x.id() + ": application " + e.getMessage());
        return e instanceof UpstreamTimeoutException
                ? new HttpException(504, "the program behind this page took too long")
                : new HttpException(502, "the program behind this page sent no valid response");
    }

    /// Closes idle connections. Stop the server first.
    @Override
    public void close() {
        upstreams.close();
    }
}
