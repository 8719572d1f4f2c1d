package dev.tandem.engine.listen;

import dev.tandem.engine.CpuTime;
import dev.tandem.engine.Engine;
import dev.tandem.engine.IoContext;
import dev.tandem.engine.Log;
import dev.tandem.engine.http1.Http1Factory;
import dev.tandem.engine.http1.Http1Loop;
import dev.tandem.engine.http2.Http2Connection;
import dev.tandem.engine.tls.TlsHandshake;
import dev.tandem.engine.tls.TlsSocket;
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
import java.net.SocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An open listener and its protocol, which may change: each connection keeps the protocol of the
/// time when it was accepted. Safe for use by any thread.
public final class ListenerBinding {

    /// Two records: one incomplete, and one received with its end.
    private static final int LOOP_BUFFER_MIN = 2 * TlsSession.BUFFER_MIN;

    /// As negotiated over TLS (RFC 9113, section 3.2).
    private static final String HTTP_2 = "h2";

    private final Engine engine;
    private final Listener listener;
    private volatile EndpointProtocol protocol;

    /// @param tls null for plain HTTP
    private record EndpointProtocol(Endpoint endpoint, @Nullable TlsContext tls) {}

    private ListenerBinding(Engine engine, Listener listener, EndpointProtocol protocol) {
        this.engine = engine;
        this.listener = listener;
        this.protocol = protocol;
    }

    /// Opens a listener. Reads the certificates first, so that no listener is open that could not
    /// respond.
    ///
    /// @param inherited listeners that were open already; one at the endpoint's address is removed,
    ///     unless it was closed meanwhile
    static ListenerBinding open(Engine engine, Endpoint endpoint, List<Listener> inherited)
            throws IOException {
        endpoint.check();
        TlsContext tls = endpoint.tls() == null ? null : context(engine, endpoint.tls());
        return new ListenerBinding(
                engine, listener(engine, endpoint, inherited), new EndpointProtocol(endpoint, tls));
    }

    /// Counts it: it is open for good, as all that were opened with it.
    void count() {
        TlsContext tls = tls();
        if (tls != null) {
            engine.tls().add(tls);
            CpuTime.ofThread(); // loads what it needs, so that no loop has to
        }
    }

    private static Listener listener(Engine engine, Endpoint endpoint, List<Listener> inherited)
            throws IOException {
        for (Listener open : inherited) {
            if (open.isOpen() && endpoint.isAt(open)) {
                inherited.remove(open);
                return open;
            }
        }
        return engine.network().listen(endpoint.address(), engine.options().limits().backlog());
    }

    private static TlsContext context(Engine engine, TlsSettings settings) throws IOException {
        int size = engine.tuning().loopBuffer();
        if (size < LOOP_BUFFER_MIN) {
            throw new IllegalArgumentException(
                    "loopBuffer must be at least " + LOOP_BUFFER_MIN + " with TLS, was " + size);
        }
        try {
            TlsContext context = TlsContext.open(offered(engine, settings));
            report(context);
            return context;
        } catch (TlsConfigException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    private static void report(TlsContext context) {
        Log.LOG.log(Level.INFO, "TLS engine: " + context.engineName());
        context.unsupportedSettings().forEach(line -> Log.LOG.log(Level.WARNING, line));
        context.invalidCertificates().forEach(line -> Log.LOG.log(Level.WARNING, line));
    }

    /// Returns settings that offer HTTP/2 where it is enabled, unless they name other protocols.
    private static TlsSettings offered(Engine engine, TlsSettings settings) {
        return engine.offersHttp2() ? settings.preferring(HTTP_2) : settings;
    }

    public Listener listener() {
        return listener;
    }

    /// Returns the configured address: with port 0, if that was configured.
    SocketAddress address() {
        return protocol.endpoint().address();
    }

    public @Nullable TlsContext tls() {
        return protocol.tls();
    }

    /// Returns a change to the protocol of another endpoint at this address.
    Change change(Endpoint next) {
        return new Change(next);
    }

    /// A change of the protocol. Used by one thread.
    final class Change implements AutoCloseable {
        private final Endpoint endpoint;
        private EndpointProtocol next;

        /// The change of the listener's context, if it has one and keeps it.
        private TlsContext.@Nullable Reload reload;

        private Change(Endpoint endpoint) {
            this.endpoint = endpoint;
            this.next = new EndpointProtocol(endpoint, null);
        }

        /// Reads the certificates.
        ///
        /// @throws IOException if a certificate or key cannot be used; the message has the reason
        void prepare() throws IOException {
            TlsSettings settings = endpoint.tls();
            TlsContext known = tls();
            if (settings == null) {
                return;
            }
            if (known == null) {
                next = new EndpointProtocol(endpoint, context(engine, settings));
                return;
            }
            // No other context, whose ticket keys no client has.
            next = new EndpointProtocol(endpoint, known);
            try {
                reload = known.prepare(offered(engine, settings));
            } catch (TlsConfigException e) {
                throw new IOException(e.getMessage(), e);
            }
        }

        /// Applies what was prepared. Reads no file.
        void apply() {
            TlsContext created = next.tls();
            if (reload != null) {
                reload.apply();
            } else if (created != null) {
                engine.tls().add(created);
            }
            protocol = next;
        }

        /// Logs what the new settings and certificates lack.
        void report() {
            TlsContext changed = next.tls();
            if (reload != null && changed != null) {
                ListenerBinding.report(changed);
            }
        }

        @Override
        public void close() {
            if (reload != null) {
                reload.close();
            }
        }
    }

    void close() {
        listener.close();
    }

    /// @param context a loop's
    Protocol.Factory factory(IoContext context) {
        return new Factory(new Http1Factory(Http1Loop.of(engine, context)), context);
    }

    private final class Factory implements Protocol.Factory {
        private final Http1Factory http;
        private final IoContext context;

        Factory(Http1Factory http, IoContext context) {
            this.http = http;
            this.context = context;
        }

        @Override
        public Socket socket(Socket accepted) {
            engine.accepted().increment();
            EndpointProtocol now = protocol;
            Socket socket = now.endpoint().socket(accepted);
            TlsContext context = now.tls();
            return context == null
                    ? socket
                    : new TlsSocket(
                            socket,
                            context.newSession(),
                            engine.tls().open(),
                            engine.inputMemory());
        }

        @Override
        public Protocol protocol(Connection connection) {
            return TlsSocket.isOf(connection)
                    ? new TlsHandshake(connection, engine, context.input(), this::negotiated)
                    : http.protocol(connection);
        }

        /// Speaks what the client has chosen.
        private Protocol negotiated(Connection connection) {
            return TlsSocket.applicationProtocol(connection).equals(HTTP_2)
                    ? Http2Connection.on(connection, engine, context)
                    : http.protocol(connection);
        }

        /// Over TLS, nothing can be sent to clients beyond the limit.
        @Override
        public byte[] overloadResponse() {
            return protocol.tls() == null ? http.overloadResponse() : NOTHING;
        }
    }
}
