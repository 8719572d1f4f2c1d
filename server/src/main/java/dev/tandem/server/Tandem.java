package dev.tandem.server;

import dev.tandem.admission.Admission;
import dev.tandem.admission.Limits;
import dev.tandem.http.Filter;
import dev.tandem.http.Handler;
import dev.tandem.http.Router;
import dev.tandem.net.Network;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
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
    private final InetSocketAddress address;
    private final Router.Builder routes = Router.builder();
    private final List<Filter> filters = new ArrayList<>();
    private Options options = Options.DEFAULT;
    private ErrorPage errorPage = ErrorPage.PLAIN;
    private @Nullable AccessLog accessLog;
    private @Nullable Network network;
    private @Nullable InetSocketAddress management;

    Tandem(InetSocketAddress address) {
        this.address = address;
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

    /// Starts to serve.
    ///
    /// @throws IOException if the address is taken or not to be had; the message names it
    /// @throws IllegalArgumentException if two routes are in conflict; names them
    public Server start() throws IOException {
        checkResolved(address);
        int processors = Math.min(Runtime.getRuntime().availableProcessors(), options.workersMax());
        var admission = new Admission(new Limits(processors, options.workersMax()));
        var site = new Site(routes.build(), filters, errorPage, admission);
        Network chosen = network == null ? Network.best() : network;
        var engine = new Engine(options, chosen, site, accessLog);
        if (management == null) {
            return Server.start(engine, address);
        }
        checkResolved(management);
        return Management.start(engine, management, () -> Server.start(engine, address));
    }

    private static void checkResolved(InetSocketAddress address) throws IOException {
        if (address.isUnresolved()) {
            throw new IOException("cannot listen on " + address.getHostString() + ": unknown host");
        }
    }
}
