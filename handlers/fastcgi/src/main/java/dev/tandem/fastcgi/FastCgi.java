package dev.tandem.fastcgi;

import dev.tandem.cgi.CgiOptions;
import dev.tandem.cgi.Content;
import dev.tandem.cgi.Environment;
import dev.tandem.cgi.Found;
import dev.tandem.cgi.Scripts;
import dev.tandem.http.Exchange;
import dev.tandem.http.Handler;
import dev.tandem.http.HttpException;
import dev.tandem.http.PreparedResponse;
import dev.tandem.http.PreparedResponseHandler;
import dev.tandem.http.RequestHead;
import dev.tandem.upstream.Address;
import dev.tandem.upstream.Upstream;
import dev.tandem.upstream.UpstreamException;
import dev.tandem.upstream.UpstreamTimeoutException;
import dev.tandem.upstream.Upstreams;
import dev.tandem.upstream.UpstreamsFullException;
import dev.tandem.upstream.Wire;
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

/// Has an application run the scripts below a folder, by FastCGI 1.0:
/// `route("*", "/{path...}", FastCgi.folder(root, List.of("unix:/run/php/php-fpm.sock")))`. Safe
/// for all threads.
///
/// The first part of the path that is a file is the script, if its name has the suffix; the rest
/// is its `PATH_INFO`. The file must lie in the folder: an application that splits paths by
/// itself is never asked to (`/upload/picture.jpg/x.php` is 404). What is no script goes to
/// another handler, if one was given by [#otherwise(Handler)], but never what has a script's
/// suffix: no source is shown. What is no proper answer is 502, what takes too long 504, an
/// application that is overloaded 503.
public final class FastCgi implements PreparedResponseHandler, AutoCloseable {
    /// The parameter that the route's pattern must end with.
    private static final String TAIL = "path";

    private final Path root;
    private final FastCgiOptions options;
    private final Scripts scripts;
    private final Environment environment;
    private final Upstreams upstreams;
    private final @Nullable Handler otherwise;

    private FastCgi(Path root, Upstreams upstreams, FastCgiOptions options) {
        this.root = root.toAbsolutePath();
        this.options = options;
        this.scripts = new Scripts(root, options.isFollowingLinks(), false);
        this.environment =
                new Environment(
                        CgiOptions.DEFAULT
                                .withEnvironment(List.of(), options.variables())
                                .withPassingAuthorization(options.isPassingAuthorization()),
                        Map.of());
        this.upstreams = upstreams;
        this.otherwise = null;
    }

    private FastCgi(FastCgi same, Handler otherwise) {
        this.root = same.root;
        this.options = same.options;
        this.scripts = same.scripts;
        this.environment = same.environment;
        this.upstreams = same.upstreams;
        this.otherwise = otherwise;
    }

    /// By [FastCgiOptions#DEFAULT].
    ///
    /// @throws IllegalArgumentException if `root` is no folder, or an address is malformed
    public static FastCgi folder(Path root, List<String> addresses) {
        return folder(root, addresses, FastCgiOptions.DEFAULT);
    }

    /// @param addresses of applications that can stand for each other, as [Address] has them
    /// @throws IllegalArgumentException if `root` is no folder, or an address is malformed
    public static FastCgi folder(Path root, List<String> addresses, FastCgiOptions options) {
        var upstreams =
                new Upstreams(addresses.stream().map(Address::of).toList(), options.upstream());
        var made = new FastCgi(root, upstreams, options);
        if (options.checkEvery() != null) {
            upstreams.check(options.checkEvery(), Records::isWell);
        }
        return made;
    }

    /// The same, with another handler for what is no script: `otherwise(Folder.of(root))`. The
    /// two share their connections, and closing one closes those of both.
    public FastCgi otherwise(Handler handler) {
        return new FastCgi(this, handler);
    }

    /// Whom it asks, and how they are.
    public Upstreams upstreams() {
        return upstreams;
    }

    @Override
    public @Nullable PreparedResponse preparedResponse(RequestHead head, String path) {
        // What the other handler has ready was its own to answer before.
        return otherwise instanceof PreparedResponseHandler ready
                ? ready.preparedResponse(head, path)
                : null;
    }

    /// @throws HttpException 403, 404, 502, 503, 504; see above
    /// @throws IOException if the disk fails, or the client is gone
    /// @throws IllegalArgumentException if the route's pattern has no `{path...}`
    @Override
    public void handle(Exchange x) throws Exception {
        String tail = x.pathParam(TAIL);
        Script script = find(tail);
        if (script == null) {
            passOn(x, tail);
            return;
        }
        String local;
        try (Content content = Content.of(x.request())) {
            local = ask(x, variables(x, script, content), content);
        }
        if (local != null) {
            x.forward(local);
        }
    }

    // ---- Which script.

    /// @param name its `SCRIPT_NAME`, or null where the path says it
    private record Script(Path file, String pathInfo, @Nullable String name) {}

    private @Nullable Script find(String tail) throws IOException {
        Script found = script(tail, null);
        boolean isFolder = tail.isEmpty() || tail.endsWith("/");
        if (found == null && isFolder && !options.indexFile().isEmpty()) {
            String index = tail + options.indexFile();
            found = script(index, "/" + index);
        }
        String front = options.front();
        if (found != null || front == null || isOtherwise(tail)) {
            return found;
        }
        return script(front, "/" + front);
    }

    private @Nullable Script script(String tail, @Nullable String name) throws IOException {
        return switch (scripts.find(tail)) {
            case Found.Script(Path file, String info)
                    when hasSuffix(String.valueOf(file.getFileName())) ->
                    new Script(file, info, name);
            case Found.Denied _ when isSource(tail) ->
                    throw new HttpException(403, "this file may not be read");
            case Found.Script _, Found.Denied _, Found.Nothing _ -> null;
        };
    }

    /// Whether there is a file that the other handler is to answer with, so that the front
    /// controller is not asked.
    private boolean isOtherwise(String tail) throws IOException {
        return otherwise != null
                && !isSource(tail)
                && scripts.find(tail) instanceof Found.Script(Path _, String info)
                && info.isEmpty();
    }

    private void passOn(Exchange x, String tail) throws Exception {
        if (otherwise == null || isSource(tail)) {
            throw new HttpException(404, "there is no such script");
        }
        otherwise.handle(x);
    }

    /// Whether a part of the path has a script's suffix, whatever dots and blanks follow: file
    /// systems that do not care for those would show its source.
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

    /// Files are where the application sees them.
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
                environment.of(x, script.file(), script.pathInfo(), content.length())) {
            if (variable.startsWith("SCRIPT_FILENAME=")) {
                all.add("SCRIPT_FILENAME=" + latin(file));
            } else if (variable.startsWith("SCRIPT_NAME=") && script.name() != null) {
                all.add("SCRIPT_NAME=" + latin(nameOf(x, script.name())));
            } else if (!variable.startsWith("DOCUMENT_ROOT=")) {
                all.add(variable);
            }
        }
        all.add("DOCUMENT_ROOT=" + latin(documentRoot));
        all.add("REDIRECT_STATUS=200"); // php-cgi runs nothing without it
        return all;
    }

    /// The script's path, behind whatever the route has before its `{path...}`.
    private static String nameOf(Exchange x, String name) {
        String path = x.path();
        String before = path.substring(0, path.length() - x.pathParam(TAIL).length());
        return before.endsWith("/") ? before + name.substring(1) : before + name;
    }

    private static String latin(String text) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    // ---- The application.

    private @Nullable String ask(Exchange x, List<String> variables, Content content)
            throws IOException {
        Wire wire = borrow(x);
        var conversation = new Conversation(x, wire, options);
        try {
            String local = conversation.run(variables, content);
            if (conversation.isReusable()) {
                upstreams.giveBack(wire);
            } else {
                upstreams.drop(wire);
            }
            return local;
        } catch (UpstreamException e) {
            upstreams.fail(wire);
            throw failed(x, e);
        } catch (IOException | RuntimeException | Error e) {
            upstreams.drop(wire); // the client's fault or the script's; it is aborted by that
            throw e;
        } finally {
            conversation.end();
        }
    }

    /// Each application is tried once; a script is never started twice.
    private Wire borrow(Exchange x) {
        Set<Upstream> tried = new HashSet<>(4);
        for (int left = upstreams.all().size(); ; left--) {
            try {
                return upstreams.borrow(tried, false);
            } catch (UpstreamsFullException _) {
                x.header("Retry-After", "1");
                throw new HttpException(503, "too many requests are under way");
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
                : new HttpException(502, "the program behind this page gave no proper answer");
    }

    /// Closes idle connections. Stop the server first.
    @Override
    public void close() {
        upstreams.close();
    }
}
