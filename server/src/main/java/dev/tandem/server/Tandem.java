package dev.tandem.server;

import dev.tandem.admission.Admission;
import dev.tandem.admission.Limits;
import dev.tandem.http.Filter;
import dev.tandem.http.Handler;
import dev.tandem.http.Router;
import dev.tandem.net.Network;
import dev.tandem.tls.TlsSettings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Builds a server:
///
/// ```java
/// Server server = Tandem.listen(8080)
///         .get("/hello/{name}", x -> x.send("Hello, " + x.param("name")))
///         .start();
/// ```
///
/// A pattern has literal segments, parameters `{name}`, and at its end perhaps the rest
/// `{name...}`. Where several patterns fit a path, a literal goes before a parameter and that
/// before the rest, whatever the order of the calls. A route for GET answers HEAD, too; OPTIONS is
/// answered for every path that has a route.
///
/// Not safe for use by several threads; [#start()] takes what was said until then.
public final class Tandem {
    /// The last one is what the options for a listener are about.
    private final List<Endpoint> endpoints = new ArrayList<>();

    private final Router.Builder routes = Router.builder();
    private final List<Filter> filters = new ArrayList<>();
    private int redirectPort = Site.Secured.NO_PORT;
    private Map<String, String> secureFields = Map.of();
    private Options options = Options.DEFAULT;
    private ErrorPage errorPage = ErrorPage.PLAIN;
    private @Nullable AccessLog accessLog;
    private @Nullable Network network;
    private @Nullable InetSocketAddress management;
    private final List<Supplier<List<Told>>> tellers = new ArrayList<>();

    Tandem(InetSocketAddress address) {
        endpoints.add(Endpoint.at(address));
    }

    /// On every address of this machine.
    ///
    /// @param port 0 to 65,535; 0 takes one that is free
    public static Tandem listen(int port) {
        return new Tandem(new InetSocketAddress(port));
    }

    /// @param host a name or address of this machine
    /// @param port 0 to 65,535; 0 takes one that is free
    public static Tandem listen(String host, int port) {
        return new Tandem(new InetSocketAddress(host, port));
    }

    /// Listens there as well; on every address of this machine.
    ///
    /// @param port 0 to 65,535; 0 takes one that is free
    public Tandem andListen(int port) {
        endpoints.add(Endpoint.at(new InetSocketAddress(port)));
        return this;
    }

    /// Listens there as well.
    ///
    /// @param host a name or address of this machine
    /// @param port 0 to 65,535; 0 takes one that is free
    public Tandem andListen(String host, int port) {
        endpoints.add(Endpoint.at(new InetSocketAddress(host, port)));
        return this;
    }

    /// Has the listener that was named last speak TLS:
    ///
    /// ```java
    /// Tandem.listen(80).redirectToHttps(443)
    ///         .andListen(443).tls(TlsSettings.of(CertificateFiles.pem(chain, key)))
    /// ```
    public Tandem tls(TlsSettings settings) {
        endpoints.set(endpoints.size() - 1, endpoints.getLast().with(settings));
        return this;
    }

    /// Has the listener that was named last expect the PROXY protocol (versions 1 and 2) from these
    /// peers, and only from these: each connection of theirs must begin with it, and is then its
    /// client's. Others are served as they are.
    ///
    /// @param peers an address, or a range such as `10.0.0.0/8`
    /// @throws IllegalArgumentException if it is neither
    public Tandem behindProxy(String peers) {
        Endpoint last = endpoints.getLast();
        endpoints.set(endpoints.size() - 1, last.with(AddressRange.parse(peers)));
        return this;
    }

    /// Answers whatever is asked over plain HTTP by a redirection (308) to the same URL by https.
    ///
    /// @param port of the https URL: where clients reach the listener that speaks TLS; 1 to 65,535
    public Tandem redirectToHttps(int port) {
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("port must be 1..65535, was " + port);
        }
        redirectPort = port;
        return this;
    }

    /// Tells browsers, over TLS, to ask this host by https only (RFC 6797). There is no way back
    /// before that time is over: begin with a short one.
    ///
    /// @param age whole seconds, at least 0, which takes it back
    public Tandem strictTransport(Duration age) {
        if (age.isNegative()) {
            throw new IllegalArgumentException("age must not be negative, was " + age);
        }
        secureFields = Map.of("Strict-Transport-Security", "max-age=" + age.toSeconds());
        return this;
    }

    public Tandem get(String pattern, Handler handler) {
        return route("GET", pattern, handler);
    }

    public Tandem post(String pattern, Handler handler) {
        return route("POST", pattern, handler);
    }

    public Tandem put(String pattern, Handler handler) {
        return route("PUT", pattern, handler);
    }

    public Tandem patch(String pattern, Handler handler) {
        return route("PATCH", pattern, handler);
    }

    public Tandem delete(String pattern, Handler handler) {
        return route("DELETE", pattern, handler);
    }

    /// A health check: goes by a lane of its own, so that it is answered whatever the load, and
    /// does not count as any. At most 16 of them run at once.
    public Tandem probe(String pattern, Handler handler) {
        return get(pattern, new Probe(handler));
    }

    /// @param method a method's name, or `*` for any
    /// @throws IllegalArgumentException if the pattern is malformed or taken
    public Tandem route(String method, String pattern, Handler handler) {
        routes.add(method, pattern, handler);
        return this;
    }

    /// Puts a filter before every route, behind those added before it.
    public Tandem filter(Filter filter) {
        filters.add(filter);
        return this;
    }

    public Tandem options(Options options) {
        this.options = options;
        return this;
    }

    /// What clients see of failures.
    public Tandem errorPage(ErrorPage errorPage) {
        this.errorPage = errorPage;
        return this;
    }

    public Tandem accessLog(AccessLog accessLog) {
        this.accessLog = accessLog;
        return this;
    }

    /// The sockets to use, in place of [Network#best()].
    public Tandem network(Network network) {
        this.network = network;
        return this;
    }

    /// Tells how the server fares, at another address and by a loop of its own: `/health`,
    /// `/ready`, `/explain`, `/metrics`. The address must be a loopback one.
    ///
    /// @param port 0 to 65,535; 0 takes one that is free ([Server#managementAddress])
    /// @throws IllegalArgumentException if others than this machine could reach it
    public Tandem manage(String host, int port) {
        var address = new InetSocketAddress(host, port);
        if (!address.isUnresolved() && !address.getAddress().isLoopbackAddress()) {
            throw new IllegalArgumentException(
                    "management at "
                            + host
                            + " could be read by other machines; 127.0.0.1 could not");
        }
        management = address;
        return this;
    }

    /// The same at any address: whoever reaches it may read it.
    public Tandem manageOpenly(String host, int port) {
        management = new InetSocketAddress(host, port);
        return this;
    }

    /// Has `/explain` and `/metrics` tell more: of a cache, for example.
    ///
    /// @param teller asked each time, by any thread; must not block
    public Tandem tell(Supplier<List<Told>> teller) {
        tellers.add(teller);
        return this;
    }

    /// Starts to serve.
    ///
    /// @throws IOException if an address is taken or not to be had, or a certificate or key cannot
    ///     be used; the message names the address, or the file and the reason
    /// @throws IllegalArgumentException if two routes are in conflict; names them
    public Server start() throws IOException {
        var admission = new Admission(limits(options));
        var secured = new Site.Secured(redirectPort, secureFields);
        var site = new Site(routes.build(), filters, errorPage, admission, secured);
        Network chosen = network == null ? Network.best() : network;
        var engine = new Engine(options, chosen, site, accessLog);
        engine.tellers(tellers);
        if (management == null) {
            return Server.start(engine, endpoints);
        }
        if (management.isUnresolved()) {
            throw new IOException(
                    "cannot listen on " + management.getHostString() + ": unknown host");
        }
        return Management.start(engine, management, () -> Server.start(engine, endpoints));
    }

    private static Limits limits(Options options) {
        int processors = Runtime.getRuntime().availableProcessors();
        int least = options.workersMin() > 0 ? options.workersMin() : processors;
        return new Limits(Math.min(least, options.workersMax()), options.workersMax());
    }
}
