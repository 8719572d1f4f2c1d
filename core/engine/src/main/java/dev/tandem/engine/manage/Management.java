package dev.tandem.engine.manage;

import dev.tandem.Options;
import dev.tandem.engine.Engine;
import dev.tandem.engine.tuning.EngineTuning;
import dev.tandem.http.Accept;
import dev.tandem.http.Exchange;
import dev.tandem.http.Handler;
import dev.tandem.http.HttpException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The routes of a second server, on a loop and a port of its own, that reports the state of the
/// first one. It is read by people, by metrics collectors, and by supervisors that restart a failed
/// server: so it responds under any load, only reads, and what it keeps for slow readers is
/// bounded.
///
/// | path | response |
/// |---|---|
/// | `/health` | 200: the process is alive and its threads run |
/// | `/ready` | 200, or 503 while it starts or stops |
/// | `/explain` | each limit with its reason: text, JSON or tab-separated, by Accept |
/// | `/metrics` | for Prometheus, in its text format 0.0.4 |
/// | `POST /drain` | 202, and the server drains and stops, where it was set up for that |
/// | `/console` | a page for people, that shows all of it as it changes |
///
/// On a loopback address, and at a Unix-domain socket, to which a port of this machine may be
/// forwarded, it responds only to requests for an address or `localhost`: a page of another origin
/// whose name resolves to this machine (DNS rebinding) learns nothing.
public final class Management {
    /// 1 s: its responses are short.
    public static final Duration GRACE = Duration.ofSeconds(1);

    /// One loop, without workers. 64 connections, of which a new one replaces the longest idle one;
    /// a client that reads nothing of its response for 10 s is disconnected.
    public static final Options OPTIONS =
            Options.DEFAULT
                    .withThreads(t -> t.withLoops(1))
                    .withLimits(l -> l.withConnectionsMax(64).withBodyMax(0))
                    .withTimeouts(
                            t ->
                                    t.withHead(Duration.ofSeconds(5))
                                            .withWriteStall(Duration.ofSeconds(10)));

    /// The time between two calls of [#sample()].
    public static final long SAMPLE_NANOS = History.SAMPLE_NANOS;

    public static final EngineTuning TUNING =
            EngineTuning.DEFAULT.withAllOnLoop(true).withLoopBuffer(16_384);

    private static final List<String> EXPLAIN_TYPES =
            List.of("text/plain", "application/json", "text/tab-separated-values");

    private final Engine engine;
    private final SocketAddress address;

    private final boolean isLoopback;

    private final @Nullable ManagementToken token;
    private final Console console;

    /// Null where recording is disabled.
    private final @Nullable Traces traces;

    /// @param token null where none is required
    /// @param mayTrace whether recordings may be requested
    public Management(
            Engine engine,
            SocketAddress address,
            @Nullable ManagementToken token,
            boolean mayTrace) {
        this.engine = engine;
        this.address = address;
        this.isLoopback =
                address instanceof InetSocketAddress inet && inet.getAddress().isLoopbackAddress();
        this.token = token;
        this.console = new Console(engine);
        this.traces = mayTrace ? new Traces() : null;
    }

    /// Receives routes.
    @FunctionalInterface
    public interface Routes {
        /// As [dev.tandem.Tandem#route].
        void add(String method, String pattern, Handler handler);
    }

    /// Adds its routes to a site.
    public void addTo(Routes site) {
        site.add("GET", "/health", page(x -> x.send("ok\n")));
        site.add("GET", "/ready", page(this::ready));
        site.add("GET", "/", withToken(this::index));
        site.add("GET", "/explain", withToken(this::explain));
        site.add("GET", "/metrics", withToken(this::metrics));
        site.add("GET", "/console", withTokenIfReachable(console::page));
        site.add("GET", "/console/console.css", withTokenIfReachable(console::style));
        site.add("GET", "/console/console.js", withTokenIfReachable(console::script));
        site.add("GET", "/console/icon.svg", withTokenIfReachable(console::icon));
        site.add("GET", "/console/state", withTokenIfReachable(this::state));
        site.add("GET", "/console/history", withTokenIfReachable(this::history));
        site.add("POST", "/drain", withTokenIfReachable(this::drain));
        site.add("GET", "/trace", tracing((t, x) -> t.status(x)));
        site.add("POST", "/trace/begin", tracing((t, x) -> begin(t, x)));
        site.add("POST", "/trace/end", tracing((t, x) -> t.end(x)));
        site.add("GET", "/trace/file", sending(tracing((t, x) -> t.file(x))));
    }

    private void begin(Traces traces, Exchange x) throws IOException {
        checkStarted();
        traces.begin(x, engine);
    }

    /// Denies other users access to a Unix-domain socket, once it is there: by the mode of the
    /// file. Until then, the umask does, which rarely lets them write.
    public void restrictAccess() throws IOException {
        if (address instanceof UnixDomainSocketAddress unix) {
            Files.setPosixFilePermissions(
                    unix.getPath(), PosixFilePermissions.fromString("rw-------"));
        }
    }

    /// Requires the token, if there is one.
    private Handler withToken(Handler handler) {
        return page(
                x -> {
                    if (token != null) {
                        token.check(x);
                    }
                    handler.handle(x);
                });
    }

    /// Requires the token; where other machines reach the address, there must be one.
    private Handler withTokenIfReachable(Handler handler) {
        return withToken(
                x -> {
                    if (token == null && !isLocalOnly()) {
                        throw new HttpException(
                                403, "other machines reach this address: it needs a token");
                    }
                    handler.handle(x);
                });
    }

    /// Whether only this machine can reach it.
    private boolean isLocalOnly() {
        return isLoopback || address instanceof UnixDomainSocketAddress;
    }

    @FunctionalInterface
    private interface Tracing {
        void handle(Traces traces, Exchange x) throws Exception;
    }

    private Handler tracing(Tracing handler) {
        return withTokenIfReachable(
                x -> {
                    if (traces == null) {
                        throw new HttpException(
                                403, "traces are disabled: start the server with --manage-trace");
                    }
                    handler.handle(traces, x);
                });
    }

    /// Lets the handler run on a thread that may block: it sends a file, which a non-blocking
    /// handler must not. The loop sends what a client does not read at once.
    private static Handler sending(Handler handler) {
        return handler::handle;
    }

    private Handler page(Handler handler) {
        return Handler.nonBlocking(
                x -> {
                    if (isLocalOnly() && !isKnownHere(host(x))) {
                        throw new HttpException(403, "use the address, or localhost, as host");
                    }
                    x.header("Cache-Control", "no-store");
                    x.header("X-Content-Type-Options", "nosniff");
                    handler.handle(x);
                });
    }

    /// That of the target, where it has one, counts more than the header (RFC 9112, section 3.2.2).
    private static @Nullable String host(Exchange x) {
        String authority = x.request().target().authority();
        return authority == null ? x.header("Host") : authority;
    }

    /// Whether the host is an address or `localhost`, not a name that an attacker may control.
    private static boolean isKnownHere(@Nullable String host) {
        if (host == null) {
            return true; // HTTP/1.0, which no browser speaks
        }
        String name = host.replaceFirst(":[0-9]*$", "");
        return name.startsWith("[")
                || name.equalsIgnoreCase("localhost")
                || !name.isEmpty() && name.chars().allMatch(c -> c == '.' || c >= '0' && c <= '9');
    }

    /// Redirects browsers to the console.
    private void index(Exchange x) throws IOException {
        String accept = x.header("Accept");
        if (accept != null && accept.contains("text/html")) {
            x.redirect("/console");
        } else {
            x.send("/health\n/ready\n/explain\n/metrics\n/console\n");
        }
    }

    private void ready(Exchange x) throws IOException {
        switch (Lifecycle.of(engine)) {
            case STARTING -> x.status(503).send("starting\n");
            case STOPPING -> x.status(503).send("stopping\n");
            case DRAINING -> x.status(503).send("draining\n");
            case READY -> x.send("ready\n");
        }
    }

    /// A page of another origin can make a browser send the request, but not without one of these
    /// headers.
    private void drain(Exchange x) throws IOException {
        if (x.header("Origin") != null || x.header("Sec-Fetch-Site") != null) {
            throw new HttpException(403, "not for browsers: use tandem drain");
        }
        Runnable drain = engine.drain();
        if (drain == null) {
            throw new HttpException(404, "this server does not drain on request");
        }
        // First the response: a server with no time to give stops at once.
        x.status(202).send("draining\n");
        drain.run();
    }

    private void state(Exchange x) throws IOException {
        checkStarted();
        console.state(x);
    }

    private void history(Exchange x) throws IOException {
        checkStarted();
        console.history(x);
    }

    /// Takes a sample for the console's charts. Called each [#SAMPLE_NANOS] on the loop that runs
    /// its routes.
    public void sample() {
        if (engine.hasStarted()) {
            console.sample(System.nanoTime());
        }
    }

    private void checkStarted() {
        if (!engine.hasStarted()) {
            throw new HttpException(503, "starting");
        }
    }

    /// Ends a recording: the server stops.
    public void stop() {
        if (traces != null) {
            traces.stop();
        }
    }

    private void explain(Exchange x) throws IOException {
        String type = Accept.bestMediaType(x.header("Accept"), EXPLAIN_TYPES);
        String chosen = type == null ? EXPLAIN_TYPES.getFirst() : type;
        var page = new ExplainPage(Explained.all(engine, console.serverState(System.nanoTime())));
        String text =
                switch (chosen) {
                    case "application/json" -> page.json();
                    case "text/tab-separated-values" -> page.tabbed();
                    default -> page.text();
                };
        boolean isJson = chosen.equals("application/json"); // which is UTF-8 by definition
        x.header("Vary", "Accept")
                .contentType(isJson ? chosen : chosen + "; charset=utf-8")
                .send(text);
    }

    private void metrics(Exchange x) throws IOException {
        x.contentType(MetricsText.TYPE).send(Metrics.of(engine).toString());
    }
}
