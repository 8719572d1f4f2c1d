package dev.tandem.files;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tandem.http.Handler;
import dev.tandem.net.Network;
import dev.tandem.net.NioNetwork;
import dev.tandem.net.epoll.EpollNetwork;
import dev.tandem.server.Server;
import dev.tandem.server.Tandem;
import dev.tandem.testkit.RawSite;
import java.io.IOException;
import java.time.Duration;

/// A handler behind a real server.
final class Web extends RawSite implements AutoCloseable {
    private final Server server;

    /// Mounts the handler at `/` for every method, over the best network there is.
    Web(Handler handler) throws IOException {
        this(handler, Network.best());
    }

    Web(Handler handler, Network network) throws IOException {
        this(
                Tandem.listen("127.0.0.1", 0)
                        .route("*", "/{path...}", handler)
                        .network(network)
                        .start());
    }

    private Web(Server server) {
        super(server.port());
        this.server = server;
    }

    /// The network of that name: each opens and sends files in its own way.
    ///
    /// @param name `nio` or `epoll`
    static Network network(String name) {
        Network network = name.equals("nio") ? new NioNetwork() : new EpollNetwork();
        assumeTrue(network.isUsable(), "skipped: needs " + name);
        return network;
    }

    @Override
    public void close() {
        server.stop(Duration.ZERO);
    }
}
