package dev.tandem;

import dev.tandem.admission.Admission;
import dev.tandem.admission.Limits;
import dev.tandem.engine.Engine;
import dev.tandem.engine.container.Container;
import dev.tandem.engine.listen.Endpoint;
import dev.tandem.engine.listen.NetworkHint;
import dev.tandem.engine.manage.Management;
import dev.tandem.engine.manage.ManagementToken;
import dev.tandem.engine.site.Hosts;
import dev.tandem.engine.site.Probe;
import dev.tandem.engine.site.Site;
import dev.tandem.engine.site.Traffic;
import dev.tandem.engine.tuning.EngineTuning;
import dev.tandem.http.BodyMapper;
import dev.tandem.http.ExceptionHandler;
import dev.tandem.http.Filter;
import dev.tandem.http.Handler;
import dev.tandem.http.WebSocketHandler;
import dev.tandem.http.WebSocketOptions;
import dev.tandem.net.AddressRange;
import dev.tandem.net.Listener;
import dev.tandem.net.Network;
import dev.tandem.tls.TlsSettings;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Builds a server:
///
/// ```java
/// Server server = Tandem.listen(8080)
///         .get("/hello/{name}", x -> x.send("Hello, " + x.pathParam("name")))
///         .start();
/// ```
///
/// A pattern has literal segments, parameters `{name}`, and at its end perhaps the rest
/// `{name...}`. Where several patterns match a path, a literal takes precedence over a parameter
/// and that over the rest, whatever the order of the calls. A route for GET handles HEAD, too;
/// OPTIONS is handled for every path that has a route.
///
/// Not safe for use by several threads; [#start()] uses the configuration at its call.
public final class Tandem {
    /// Options for a listener apply to the last one.
    private final List<Endpoint> endpoints = new ArrayList<>();

    /// The site of hosts without one of their own.
    private final VirtualHost site = VirtualHost.ofAll();

    private final List<VirtualHost> hosts = new ArrayList<>();
    private final List<Listener> inherited = new ArrayList<>();
    private Options options = Options.DEFAULT;
    private EngineTuning tuning = EngineTuning.DEFAULT;
    private @Nullable AccessLog accessLog;
    private @Nullable Network network;
    private @Nullable SocketAddress management;
    private @Nullable ManagementToken managementToken;
    private boolean mayTrace;
    private @Nullable KnownSessions knownSessions;
    private @Nullable Predicate<SocketAddress> balancers;
    private final List<Gauge> gauges = new ArrayList<>();

    private Tandem(SocketAddress address) {
        endpoints.add(Endpoint.at(address));
    }

    /// Listens on every address of this machine.
    ///
    /// @param port 0 to 65,535; 0 selects a free one
    public static Tandem listen(int port) {
        return new Tandem(new InetSocketAddress(port));
    }

    /// @param host a name or address of this machine
    /// @param port 0 to 65,535; 0 selects a free one
    public static Tandem listen(String host, int port) {
        return new Tandem(new InetSocketAddress(host, port));
    }

    /// @param address an internet address, or a Unix-domain one
    public static Tandem listen(SocketAddress address) {
        return new Tandem(address);
    }

    /// Adds a listener.
    ///
    /// @param address an internet address, or a Unix-domain one
    public Tandem andListen(SocketAddress address) {
        endpoints.add(Endpoint.at(address));
        return this;
    }

    /// Uses listeners that are already open: an endpoint at the address of one uses it instead of
    /// opening another. They come from the process that started this one, or from the process
    /// before it ([Network#adopt]). Unused ones are left as they are.
    public Tandem inherit(List<Listener> listeners) {
        inherited.addAll(listeners);
        return this;
    }

    /// Adds a site for requests to some hosts. Routes, filters and error pages of this builder are
    /// for requests to other hosts.
    public Tandem host(VirtualHost host) {
        hosts.add(host);
        return this;
    }

    /// Adds a listener on every address of this machine.
    ///
    /// @param port 0 to 65,535; 0 selects a free one
    public Tandem andListen(int port) {
        endpoints.add(Endpoint.at(new InetSocketAddress(port)));
        return this;
    }

    /// Adds a listener.
    ///
    /// @param host a name or address of this machine
    /// @param port 0 to 65,535; 0 selects a free one
    public Tandem andListen(String host, int port) {
        endpoints.add(Endpoint.at(new InetSocketAddress(host, port)));
        return this;
    }

    /// Uses TLS on the listener that was added last:
    ///
    /// ```java
    /// Tandem.listen(80).redirectToHttps(443)
    ///         .andListen(443).tls(TlsSettings.of(CertificateFiles.pem(chain, key)))
    /// ```
    public Tandem tls(TlsSettings settings) {
        endpoints.set(endpoints.size() - 1, endpoints.getLast().with(settings));
        return this;
    }

    /// Expects the PROXY protocol (versions 1 and 2) from these peers, and only from these, on the
    /// listener that was added last: each of their connections must begin with it, and then counts
    /// as the client's. Other peers are served directly.
    ///
    /// @param peers an address, or a range such as `10.0.0.0/8`
    /// @throws IllegalArgumentException if it is neither
    public Tandem behindProxy(String peers) {
        Endpoint last = endpoints.getLast();
        endpoints.set(endpoints.size() - 1, last.with(AddressRange.parse(peers)));
        return this;
    }

    /// Redirects every request over plain HTTP (308) to the same URL with https, before all
    /// filters: none of them requires a password there.
    ///
    /// @param port of the https URL: where clients reach the TLS listener; 1 to 65,535
    public Tandem redirectToHttps(int port) {
        site.redirectToHttps(port);
        return this;
    }

    /// Sends Strict-Transport-Security over TLS: browsers use https only for this host (RFC 6797).
    /// This cannot be revoked for the time of `age`: begin with a short one.
    ///
    /// @param age whole seconds, at least 0, which revokes it
    public Tandem strictTransport(Duration age) {
        site.strictTransport(age);
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

    /// Adds a route whose clients begin WebSocket sessions: by GET and an upgrade over HTTP/1.1, by
    /// CONNECT over HTTP/2 (RFC 8441). The first offers sessions to the HTTP/2 clients of the host.
    public Tandem webSocket(String pattern, WebSocketHandler handler) {
        return webSocket(pattern, handler, WebSocketOptions.DEFAULT);
    }

    public Tandem webSocket(String pattern, WebSocketHandler handler, WebSocketOptions options) {
        Handler begin = x -> x.webSocket(handler, options);
        return get(pattern, begin).route("CONNECT", pattern, begin);
    }

    /// Adds a health check: it has a lane of its own, so that it gets a response under any load,
    /// and does not count as load. At most 16 of them run at once.
    public Tandem probe(String pattern, Handler handler) {
        return get(pattern, new Probe(handler));
    }

    /// @param method a method's name, or `*` for any
    /// @throws IllegalArgumentException if the pattern is malformed or taken
    public Tandem route(String method, String pattern, Handler handler) {
        site.route(method, pattern, handler);
        return this;
    }

    /// Adds routes below a common path, with filters and exception handlers of their own.
    ///
    /// @param path such as `/api`
    /// @param routes adds them
    public Tandem group(String path, Consumer<RouteGroup> routes) {
        site.group(path, routes);
        return this;
    }

    /// Adds a filter before every route, behind those added before it.
    public Tandem filter(Filter filter) {
        site.filter(filter);
        return this;
    }

    /// Adds a filter for requests to a path and everything below it, whatever their route.
    ///
    /// @param path such as `/admin`, which stands for `/admin/users` and `/admin;x`, too
    public Tandem filter(String path, Filter filter) {
        site.filter(path, filter);
        return this;
    }

    /// Responds where a handler or filter throws an exception of this type: the handler of the most
    /// specific type counts, then the error page. An exception that has a handler is not logged.
    ///
    /// @throws IllegalArgumentException if there is a handler of this type already
    public <E extends Exception> Tandem exception(
            Class<E> type, ExceptionHandler<? super E> handler) {
        site.exception(type, handler);
        return this;
    }

    /// Sets what converts bodies to objects and back, instead of the one that
    /// [java.util.ServiceLoader] finds.
    public Tandem mapper(BodyMapper mapper) {
        site.mapper(mapper);
        return this;
    }

    /// Lets a container handle all requests, instead of routes, filters and error pages; except for
    /// hosts that have a site of their own.
    public Tandem container(Container container) {
        site.container(container);
        return this;
    }

    public Tandem options(Options options) {
        this.options = options;
        return this;
    }

    /// Changes how the engine works: for measurements, not for servers in use.
    public Tandem tuning(EngineTuning tuning) {
        this.tuning = tuning;
        return this;
    }

    /// Sets the response to failures.
    public Tandem errorPage(ErrorPage errorPage) {
        site.errorPage(errorPage);
        return this;
    }

    public Tandem accessLog(AccessLog accessLog) {
        this.accessLog = accessLog;
        return this;
    }

    /// Sets the network, instead of [Network#best()].
    public Tandem network(Network network) {
        this.network = network;
        return this;
    }

    /// Adds a management address, with a loop of its own: `/health`, `/ready`, `/explain`,
    /// `/metrics`. The address must be a loopback one.
    ///
    /// @param port 0 to 65,535; 0 selects a free one ([Server#managementAddress])
    /// @throws IllegalArgumentException if other machines could reach it
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

    /// Adds a management address at a Unix-domain socket, to which only the user that this process
    /// runs as can connect. It includes the console.
    ///
    /// @param socket its file, which is replaced
    public Tandem manage(Path socket) {
        management = UnixDomainSocketAddress.of(socket);
        return this;
    }

    /// Adds a management address at any address: every client that can reach it may read it.
    public Tandem manageOpenly(String host, int port) {
        management = new InetSocketAddress(host, port);
        return this;
    }

    /// Requires a token at the management address, which may then be reachable from other machines.
    /// With it the console is included, whatever the address. `/health` and `/ready` need none.
    ///
    /// @param token at least 16 visible characters of ASCII; expected as a bearer token, or as the
    ///     password of any user
    /// @throws IllegalArgumentException if it is shorter, or has others
    public Tandem manageToken(String token) {
        managementToken = new ManagementToken(token);
        return this;
    }

    /// Lets users of the console record what each thread does: `tandem trace`.
    public Tandem manageTraces() {
        mayTrace = true;
        return this;
    }

    /// Shows a number of a part of the site in `/metrics`, `/explain` and the console.
    ///
    /// @throws IllegalArgumentException if there is one of that name, or there are too many
    public Tandem gauge(Gauge gauge) {
        if (gauges.size() == Gauge.MOST) {
            throw new IllegalArgumentException("there are " + Gauge.MOST + " gauges already");
        }
        if (gauges.stream().anyMatch(known -> known.metric().equals(gauge.metric()))) {
            throw new IllegalArgumentException("there is a gauge " + gauge.metric() + " already");
        }
        gauges.add(gauge);
        return this;
    }

    /// Sets what recognises sessions that other servers of the same site began.
    public Tandem knownSessions(KnownSessions known) {
        knownSessions = known;
        return this;
    }

    /// Sets which peers are load balancers, whose connections carry requests of many clients: these
    /// are distinguished by their cookies alone, and not by their connections.
    ///
    /// @param balancers called by the loops, once for each connection; must not block
    public Tandem balancers(Predicate<SocketAddress> balancers) {
        this.balancers = balancers;
        return this;
    }

    /// Starts the server.
    ///
    /// @throws IOException if an address is in use or not available, or a certificate or key cannot
    ///     be used; the message names the address, or the file and the reason
    /// @throws IllegalArgumentException if two routes are in conflict; names them
    public Server start() throws IOException {
        return start(false);
    }

    /// Starts the server, but accepts no connection before [Server#resume()]: clients wait in the
    /// backlog.
    public Server startPaused() throws IOException {
        return start(true);
    }

    /// Returns the sites without a server: requests are method calls. For tests.
    ///
    /// @throws IllegalArgumentException if two routes are in conflict; names them
    public MemoryServer inMemory() {
        return new MemoryServer(engine());
    }

    private Engine engine() {
        var shared = new Site.Shared(new Admission(limits(options.threads())), new Traffic());
        Network chosen = network == null ? Network.best() : network;
        Container container = site.container();
        EngineTuning all = container == null ? tuning : tuning.withContainer(container.options());
        return new Engine(options, all, chosen, hosts(shared), accessLog);
    }

    private Server start(boolean isPaused) throws IOException {
        Engine engine = engine();
        engine.gauges(gauges);
        if (knownSessions != null) {
            engine.knownSessions(knownSessions);
        }
        if (balancers != null) {
            engine.balancers(balancers);
        }
        if (management == null) {
            return start(engine, isPaused);
        }
        if (management instanceof InetSocketAddress inet && inet.isUnresolved()) {
            throw new IOException("cannot listen on " + inet.getHostString() + ": unknown host");
        }
        return startManaged(
                engine,
                new Management(engine, management, managementToken, mayTrace),
                management,
                isPaused);
    }

    private Server start(Engine engine, boolean isPaused) throws IOException {
        if (network == null) {
            NetworkHint.log(engine.network());
        }
        Server server = Server.start(engine, endpoints, inherited, isPaused);
        engine.started();
        return server;
    }

    /// Starts the management server first, so that it responds while the other one starts.
    private Server startManaged(
            Engine engine, Management pages, SocketAddress address, boolean isPaused)
            throws IOException {
        Tandem site =
                Tandem.listen(address)
                        .network(Network.best())
                        .inherit(inherited)
                        .options(Management.OPTIONS)
                        .tuning(Management.TUNING);
        pages.addTo(site::route);
        Server server = startManagement(site);
        try {
            pages.restrictAccess();
            Server managed = start(engine, isPaused);
            managed.managedBy(server, pages::stop);
            server.repeat(Management.SAMPLE_NANOS, pages::sample);
            return managed;
        } catch (IOException | RuntimeException e) {
            server.stop(Duration.ZERO);
            throw e;
        }
    }

    /// For callers, a [BindException] concerns the server's own address, not the management's.
    private static Server startManagement(Tandem site) throws IOException {
        try {
            return site.start();
        } catch (BindException e) {
            throw new IOException("management: " + e.getMessage());
        }
    }

    Hosts hosts(Site.Shared shared) {
        var named = new ArrayList<Hosts.Named>();
        for (VirtualHost host : hosts) {
            named.add(new Hosts.Named(host.names(), host.site(shared)));
        }
        return Hosts.of(site.site(shared), named);
    }

    List<Endpoint> endpoints() {
        return endpoints;
    }

    List<Listener> inherited() {
        return inherited;
    }

    @Nullable AccessLog accessLog() {
        return accessLog;
    }

    private static Limits limits(Options.Threads threads) {
        int processors = Runtime.getRuntime().availableProcessors();
        int least = threads.workersMin() > 0 ? threads.workersMin() : processors;
        return new Limits(Math.min(least, threads.workersMax()), threads.workersMax());
    }
}
