package dev.tandem.engine;

import dev.tandem.Options;
import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.engine.http1.WireCases;
import dev.tandem.http.Handler;
import dev.tandem.net.Network;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/// A server on a free port of this machine, and its clients.
public final class Served implements AutoCloseable {
    /// Runs a test's concurrent actions, each on a thread of its own: it may block.
    public static final Executor ASIDE = task -> Thread.ofPlatform().daemon().start(task);

    private final Server server;

    /// Certificates that clients trust; null if they do not use TLS.
    private final @Nullable SSLContext tls;

    private final List<RawClient> clients = new ArrayList<>();

    private Served(Server server, @Nullable SSLContext tls) {
        this.server = server;
        this.tls = tls;
    }

    /// Adds `/hello` on a worker and `/now` on the loop to the routes of `routes`.
    public static Served on(Network network, Options options, UnaryOperator<Tandem> routes) {
        Tandem tandem =
                Tandem.listen("127.0.0.1", 0)
                        .network(network)
                        .options(options)
                        .get("/hello", x -> x.send("Hello, World!"))
                        .get("/now", Handler.nonBlocking(x -> x.send("now")));
        if (network instanceof OverTls secured) {
            tandem.tls(secured.settings());
        }
        try {
            return new Served(routes.apply(tandem).start(), OverTls.trustOf(network));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Served on(Network network) {
        return on(network, Options.DEFAULT, tandem -> tandem);
    }

    public Server server() {
        return server;
    }

    /// A client that is closed with the server.
    public RawClient client() throws IOException {
        return client(0);
    }

    /// @param receiveBuffer in bytes, 0 for the system's own
    public RawClient client(int receiveBuffer) throws IOException {
        RawClient client = RawClient.connect(server.address(), receiveBuffer, tls);
        clients.add(client);
        return client;
    }

    /// A new client: over TLS, it has no session to resume.
    public RawClient stranger() throws IOException {
        SSLContext fresh = tls == null ? null : TestCertificate.freshTrust();
        RawClient client = RawClient.connect(server.address(), 0, fresh);
        clients.add(client);
        return client;
    }

    /// A client that has sent one request, so that the server surely knows it, and is idle.
    RawClient idleClient() throws IOException {
        RawClient client = client();
        client.send(WireCases.get("/now")).response();
        return client;
    }

    public void awaitConnections(int count) {
        Patience.until(
                count + " connections, not " + server.connectionCount(),
                () -> server.connectionCount() == count);
    }

    @Override
    public void close() throws IOException {
        for (RawClient client : clients) {
            client.close();
        }
        server.stop(Duration.ofSeconds(5));
    }
}
