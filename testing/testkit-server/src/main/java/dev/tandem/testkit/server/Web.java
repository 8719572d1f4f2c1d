package dev.tandem.testkit.server;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.http.Handler;
import dev.tandem.net.Network;
import dev.tandem.net.NioNetwork;
import dev.tandem.testkit.RawSite;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.UnaryOperator;

/// A real server on a free port, and a client for it.
public final class Web extends RawSite implements AutoCloseable {
    private final Server server;

    /// Serves a site.
    ///
    /// @param site adds its routes
    public Web(UnaryOperator<Tandem> site) throws IOException {
        this(site.apply(Tandem.listen("127.0.0.1", 0)).start());
    }

    private Web(Server server) {
        super(server.port());
        this.server = server;
    }

    /// Serves the handler at `/` for every method, over the best available network.
    public static Web of(Handler handler) throws IOException {
        return of(handler, Network.best());
    }

    /// Serves the handler over the network.
    public static Web of(Handler handler, Network network) throws IOException {
        return new Web(server -> server.route("*", "/{path...}", handler).network(network));
    }

    /// The network of that name; aborts the test if it does not work here. Each opens and sends
    /// files in its own way.
    ///
    /// @param name `nio` or `epoll`
    public static Network network(String name) {
        if (name.equals("nio")) {
            return new NioNetwork();
        }
        Optional<Network> found =
                ServiceLoader.load(Network.class).stream()
                        .map(ServiceLoader.Provider::get)
                        .filter(network -> network.name().equals(name) && network.isUsable())
                        .findFirst();
        assumeTrue(found.isPresent(), "skipped: needs " + name);
        return found.get();
    }

    @Override
    public void close() {
        server.stop(Duration.ZERO);
    }
}
