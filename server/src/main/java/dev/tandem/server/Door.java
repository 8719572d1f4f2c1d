package dev.tandem.server;

import dev.tandem.net.Connection;
import dev.tandem.net.Listener;
import dev.tandem.net.Protocol;
import dev.tandem.net.Socket;
import dev.tandem.tls.TlsConfigException;
import dev.tandem.tls.TlsContext;
import dev.tandem.tls.TlsSession;
import dev.tandem.tls.TlsSettings;
import java.io.IOException;
import java.lang.System.Logger.Level;
import org.jspecify.annotations.Nullable;

/// A listener that is open, and what it needs.
///
/// @param tls null where HTTP is spoken plainly
record Door(Endpoint endpoint, Listener listener, @Nullable TlsContext tls) {

    /// Two records: one that was cut, and one that came with its end.
    private static final int LOOP_BUFFER_MIN = 2 * TlsSession.ROOM_MIN;

    /// Reads the certificates first, so that nothing listens that could not answer.
    static Door open(Engine engine, Endpoint endpoint) throws IOException {
        endpoint.check();
        TlsContext tls = endpoint.tls() == null ? null : context(engine, endpoint.tls());
        int backlog = engine.options().backlog();
        var door = new Door(endpoint, engine.network().listen(endpoint.address(), backlog), tls);
        if (tls != null) {
            engine.tls().add(tls);
            CpuTime.ofThread(); // loads what it needs, so that no loop has to
        }
        return door;
    }

    private static TlsContext context(Engine engine, TlsSettings settings) throws IOException {
        int size = engine.options().loopBuffer();
        if (size < LOOP_BUFFER_MIN) {
            throw new IllegalArgumentException(
                    "loopBuffer must be at least " + LOOP_BUFFER_MIN + " with TLS, was " + size);
        }
        try {
            TlsContext context = TlsContext.open(settings);
            context.shortcomings().forEach(line -> Log.LOG.log(Level.WARNING, line));
            return context;
        } catch (TlsConfigException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    void close() {
        listener.close();
    }

    /// @param kit a loop's
    Protocol.Factory factory(Kit kit) {
        TlsContext context = tls;
        if (context != null) {
            return new TlsFactory(kit, endpoint, context);
        }
        return endpoint.proxies().isEmpty()
                ? new Http1Factory(kit)
                : new ProxiedFactory(new Http1Factory(kit), endpoint);
    }

    /// HTTP behind proxies.
    private record ProxiedFactory(Http1Factory http, Endpoint endpoint)
            implements Protocol.Factory {
        @Override
        public Socket socket(Socket accepted) {
            return endpoint.socket(accepted);
        }

        @Override
        public Protocol protocol(Connection connection) {
            return http.protocol(connection);
        }

        @Override
        public byte[] noRoom() {
            return http.noRoom();
        }
    }

    /// HTTP over TLS. Nothing can be said to those for whom there is no room.
    private record TlsFactory(Kit kit, Endpoint endpoint, TlsContext context)
            implements Protocol.Factory {
        @Override
        public Socket socket(Socket accepted) {
            return new TlsSocket(
                    endpoint.socket(accepted), context.session(), kit.engine().tls().open());
        }

        @Override
        public Protocol protocol(Connection connection) {
            return new TlsOpening(connection, kit);
        }
    }
}
