package dev.tandem.fastcgi;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.testkit.RawSite;
import java.io.IOException;
import java.time.Duration;
import java.util.function.UnaryOperator;

/// A site on a real server.
final class Web extends RawSite implements AutoCloseable {
    private final Server server;

    /// @param site what to serve
    Web(UnaryOperator<Tandem> site) throws IOException {
        this(site.apply(Tandem.listen("127.0.0.1", 0)).start());
    }

    private Web(Server server) {
        super(server.port());
        this.server = server;
    }

    @Override
    public void close() {
        server.stop(Duration.ZERO);
    }
}
