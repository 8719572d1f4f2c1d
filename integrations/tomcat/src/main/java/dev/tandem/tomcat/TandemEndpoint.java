package dev.tandem.tomcat;

import dev.tandem.Options;
import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.engine.container.Container;
import dev.tandem.engine.container.ContainerExchange;
import dev.tandem.engine.container.ContainerOptions;
import dev.tandem.http.RequestTarget;
import dev.tandem.tls.TlsConfigException;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.connector.Request;
import org.apache.coyote.Processor;
import org.apache.juli.logging.Log;
import org.apache.juli.logging.LogFactory;
import org.apache.tomcat.util.net.AbstractEndpoint;
import org.apache.tomcat.util.net.AbstractEndpoint.Handler.SocketState;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SocketEvent;
import org.apache.tomcat.util.net.SocketProcessorBase;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/// Tomcat's endpoint: a Tandem server with Catalina as its container. Public only for its JMX
/// beans, whose attributes are read by reflection.
///
/// A request is one call of [#serve], and each later event of a suspended request is a step of its
/// container exchange; so Tomcat's processors are used by one thread at a time, as they expect.
public final class TandemEndpoint extends AbstractEndpoint<ContainerExchange, ContainerExchange>
        implements Container {
    private static final Log LOG = LogFactory.getLog(TandemEndpoint.class);

    /// Interval of checks for connections that have waited for their clients for too long: 1 s, as
    /// often as Tomcat checks for async requests that have timed out.
    private static final long CHECK_MILLIS = 1000;

    /// How long a stop waits at most for upgraded connections that it has asked to end: 1 s.
    private static final long LAST_MILLIS = 1000;

    private @Nullable TandemProtocol protocol;
    private volatile @Nullable Server server;

    /// Set while the endpoint is bound with TLS.
    private volatile @Nullable ConnectorTls connectorTls;

    /// Whether clients are asked for certificates because an application declares CLIENT-CERT.
    private volatile boolean isCertificateRequested;

    private final ClientCertificateApplications certificateApplications =
            new ClientCertificateApplications(this::requestCertificates);

    private @Nullable ScheduledFuture<?> periodicCheck;
    private Consumer<Tandem> serverCustomizer = _ -> {};
    private UnaryOperator<Options> optionsCustomizer = UnaryOperator.identity();
    private @Nullable ConnectorHeaders responseHeaders;
    private final ServletRoutes routes = new ServletRoutes();
    private final AsyncRequestLimit asyncRequestLimit = new AsyncRequestLimit(routes, LOG::warn);

    TandemEndpoint() {
        setUseSendfile(true);
    }

    /// Always true, whatever the attribute says: a message that a client does not read at once is
    /// then sent on while other events of the connection are handled.
    @Override
    public boolean getUseAsyncIO() {
        return true;
    }

    void setProtocol(TandemProtocol made) {
        protocol = made;
    }

    TandemProtocol protocol() {
        return Objects.requireNonNull(protocol);
    }

    void setServerCustomizer(Consumer<Tandem> customizer) {
        serverCustomizer = customizer;
    }

    void setOptionsCustomizer(UnaryOperator<Options> change) {
        optionsCustomizer = change;
    }

    void setResponseHeaders(ConnectorHeaders headers) {
        responseHeaders = headers;
    }

    @Nullable ConnectorHeaders responseHeaders() {
        return responseHeaders;
    }

    @Nullable Server server() {
        return server;
    }

    ServletRoutes routes() {
        return routes;
    }

    /// Learns the connector from a request that Catalina has handled, if it is not known yet.
    void learnConnector(Object catalinaRequest) {
        if (!routes.hasConnector() && catalinaRequest instanceof Request request) {
            useConnector(request.getConnector());
        }
    }

    private void useConnector(Connector connector) {
        routes.setConnector(connector);
        if (isSSLEnabled()) {
            certificateApplications.watch(connector.getService().getContainer());
        }
    }

    // ---- Requests.

    @Override
    public void serve(ContainerExchange exchange) {
        if (!isRunning()) {
            exchange.refuse();
            return; // a connection that was open when the connector was stopped: it is closed
        }
        processEvent(socketOf(exchange), exchange, SocketEvent.OPEN_READ);
    }

    /// Returns the connection's socket; one of its own for each stream.
    private TandemSocket socketOf(ContainerExchange exchange) {
        if (exchange.isMultiplexed()) {
            Object connection = exchange.attachment(() -> new StreamConnection(exchange));
            return new TandemSocket(exchange, this, (StreamConnection) connection);
        }
        var socket =
                (TandemSocket) exchange.attachment(() -> new TandemSocket(exchange, this, null));
        socket.startRequest(exchange);
        return socket;
    }

    /// A WebSocket session is closed with 1001, which its client then closes, too; streams of
    /// another protocol are closed. Nothing happens if the session is closed already. What the
    /// session has written before is sent first, without holding a worker.
    @Override
    public void stopping(ContainerExchange upgraded) {
        if (connections.get(upgraded) instanceof TandemSocket socket) {
            if (socket.isSession() && socket.hasDataToWrite()) {
                upgraded.awaitOutput(() -> processEvent(socket, upgraded, SocketEvent.STOP));
            } else {
                processEvent(socket, upgraded, SocketEvent.STOP);
            }
        }
    }

    @Override
    public String routeOf(String method, RequestTarget target) {
        return routes.routeOf(method, target);
    }

    @Override
    public boolean isProbe(String route) {
        return routes.isProbe(route);
    }

    /// Handles one event of one connection, as Tomcat's own endpoints do in their socket
    /// processors.
    ///
    /// @param exchange that the event belongs to; if it has ended, nothing happens
    void processEvent(TandemSocket socket, ContainerExchange exchange, SocketEvent event) {
        try {
            process(socket, exchange, event);
        } finally {
            if (socket.isEnding()) {
                endLost(socket, exchange);
            }
        }
    }

    private void process(TandemSocket socket, ContainerExchange exchange, SocketEvent event) {
        socket.getLock().lock();
        try {
            if (socket.getSocket() == exchange
                    && !socket.isClosed()
                    && (event != SocketEvent.TIMEOUT || isTimedOut(socket))) {
                SocketState state = getHandler().process(socket, event);
                continueAfter(socket, exchange, state);
            }
        } finally {
            socket.getLock().unlock();
        }
    }

    private void continueAfter(TandemSocket socket, ContainerExchange exchange, SocketState state) {
        switch (state) {
            case OPEN -> endRequest(socket, exchange);
            case CLOSED -> {
                if (!exchange.isMultiplexed()) {
                    exchange.keep(false);
                }
                if (exchange.isShared()) {
                    socket.close();
                }
            }
            case UPGRADED, SUSPENDED -> suspend(socket, exchange, false);
            default -> suspend(socket, exchange, true);
        }
    }

    /// Notifies the application that the connection is closed. If a thread is processing an event
    /// of it, nothing happens: for one that is ending, that thread does so afterwards.
    void endLost(TandemSocket socket, ContainerExchange exchange) {
        if (socket.getLock().tryLock()) {
            try {
                if (socket.getSocket() == exchange && !socket.isClosed()) {
                    closeLost(socket, exchange);
                }
            } finally {
                socket.getLock().unlock();
            }
        }
    }

    /// Has the handler of an upgraded connection, or the listeners of an asynchronous request,
    /// notified, if they have not been, and closes it.
    private void closeLost(TandemSocket socket, ContainerExchange exchange) {
        if (exchange.isOver()) {
            socket.setError(new EOFException("the connection is closed"));
        }
        getHandler().process(socket, SocketEvent.ERROR);
        socket.close();
    }

    /// Whether a time-out is not too late. Tomcat does nothing for one that is, but its result is
    /// that of the end of a request, and no processor is kept.
    private static boolean isTimedOut(TandemSocket socket) {
        return socket.getCurrentProcessor() instanceof Processor processor
                && (processor.isAsync()
                        ? processor.checkAsyncTimeoutGeneration()
                        : processor.isUpgrade());
    }

    private void endRequest(TandemSocket socket, ContainerExchange exchange) {
        socket.endRequest();
        if (!isRunning()) {
            // The connector was stopped meanwhile, and has closed idle connections.
            exchange.keep(false);
        }
        if (exchange.isShared()) {
            connections.remove(exchange);
            exchange.end();
        }
    }

    private void suspend(TandemSocket socket, ContainerExchange exchange, boolean isAsync) {
        exchange.share();
        socket.suspend(isAsync);
        connections.put(exchange, socket);
        exchange.awaitReset(socket::reset);
        if (socket.isClosed() || exchange.isOver()) { // meanwhile, by a stop or a failed write
            connections.remove(exchange);
            if (!isAsync) {
                closeLost(socket, exchange);
            } else if (socket.isClosed()) {
                getHandler().release(socket); // it had no processor at that time
            }
        }
        if (isAsync && protocol().getAsyncRequestsMax() == 0) {
            asyncRequestLimit.enforceMemory(connections.values(), System.nanoTime());
        }
    }

    /// Whether a request of an application continues after its call.
    boolean hasAsyncRequestOf(Context context) {
        return connections.values().stream()
                .anyMatch(each -> ((TandemSocket) each).isAsyncIn(context));
    }

    /// For tests: see [AsyncRequestLimit#memoryMax(int)].
    void asyncMemoryMax(int max) {
        asyncRequestLimit.memoryMax(max);
    }

    void removeConnection(ContainerExchange exchange) {
        connections.remove(exchange);
    }

    /// Waits until no request continues after its call.
    ///
    /// @return the rest of the waiting time
    long awaitSuspendedRequests(long waitMillis) {
        return await(waitMillis, connections::isEmpty);
    }

    private static long await(long waitMillis, BooleanSupplier isDone) {
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
        long remaining = waitMillis;
        try {
            while (remaining > 0 && !isDone.getAsBoolean()) {
                Thread.sleep(Math.min(remaining, 20));
                remaining = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return Math.max(0, remaining);
    }

    // ---- Lifecycle.

    @Override
    public void bind() throws Exception {
        Tandem tandem =
                getAddress() == null
                        ? Tandem.listen(getPortWithOffset())
                        : Tandem.listen(getAddress().getHostAddress(), getPortWithOffset());
        if (isSSLEnabled()) {
            tandem.tls(HostTls.settings(this));
            connectorTls = HostTls.connectorTls(this);
        }
        tandem.options(optionsCustomizer.apply(ConnectorOptions.of(this, protocol())));
        ManagementAddress management = protocol().managementAddress();
        if (management != null) {
            management.addTo(tandem);
        }
        CachedFiles files = protocol().cachedFiles();
        if (files != null) {
            files.addGauges(tandem);
        }
        serverCustomizer.accept(tandem);
        server = tandem.container(this).startPaused();
    }

    /// As Catalina and its applications expect; it has attributes for ambiguous paths.
    @Override
    public ContainerOptions options() {
        return new ContainerOptions(protocol().getLenientHeads(), false, false, true);
    }

    @Override
    public void startInternal() {
        if (!running) {
            running = true;
            paused = false;
            if (isSSLEnabled()) {
                startCertificates();
            }
            Objects.requireNonNull(server).resume();
            periodicCheck =
                    getUtilityExecutor()
                            .scheduleWithFixedDelay(
                                    this::checkConnections,
                                    CHECK_MILLIS,
                                    CHECK_MILLIS,
                                    TimeUnit.MILLISECONDS);
        }
    }

    /// Fails requests that have waited for their clients for too long. A check that fails, also for
    /// lack of memory, does not stop later ones: they would end for good, as the executor has it.
    private void checkConnections() {
        long now = System.nanoTime();
        guarded(() -> connections.values().forEach(each -> checkTimeouts(each, now)));
        guarded(() -> asyncRequestLimit.enforce(connections.values(), asyncRequestsMax(), now));
    }

    private static void checkTimeouts(SocketWrapperBase<ContainerExchange> socket, long now) {
        guarded(() -> ((TandemSocket) socket).checkTimeouts(now));
    }

    private static void guarded(Runnable check) {
        try {
            check.run();
        } catch (RuntimeException | Error e) {
            try {
                LOG.error("the periodic check of a suspended request failed", e);
            } catch (OutOfMemoryError _) {
                // There is none for the message, either.
            }
        }
    }

    private int asyncRequestsMax() {
        int configured = protocol().getAsyncRequestsMax();
        return configured > 0 ? configured : Math.max(1, ConnectorOptions.connectionsMax(this) / 2);
    }

    @Override
    public void pause() {
        Server current = server;
        if (running && !paused && current != null) {
            paused = true;
            current.pause();
            current.drainStreams();
            getHandler().pause();
        }
    }

    /// Rejects new connections from now on if the next start binds again; otherwise they wait in
    /// the backlog.
    void pauseAndCloseListeners() {
        pause();
        Server current = server;
        if (!getBindOnInit() && current != null) {
            current.closeListeners();
        }
    }

    @Override
    public void resume() {
        Server current = server;
        if (running && current != null) {
            paused = false;
            current.resume();
        }
    }

    /// New connections wait in the backlog from now on; idle connections are closed, since no
    /// request on them would be served. WebSocket sessions are closed with 1001, if Catalina has
    /// not done so: Spring Boot stops its connectors before its applications.
    @Override
    public void stopInternal() {
        if (running) {
            pause();
            running = false;
            Objects.requireNonNull(server).closeIdle();
            ScheduledFuture<?> current = periodicCheck;
            if (current != null) {
                current.cancel(false);
            }
            endUpgraded();
            connections.values().forEach(SocketWrapperBase::close);
        }
    }

    private void endUpgraded() {
        connections.forEach(
                (exchange, socket) -> {
                    if (isUpgraded(socket)) {
                        exchange.resume(() -> stopping(exchange));
                    }
                });
        await(
                Math.min(LAST_MILLIS, getExecutorTerminationTimeoutMillis()),
                () -> connections.values().stream().noneMatch(TandemEndpoint::isUpgraded));
    }

    private static boolean isUpgraded(SocketWrapperBase<ContainerExchange> socket) {
        return ((TandemSocket) socket).isUpgraded();
    }

    @Override
    public void unbind() throws Exception {
        Server current = server;
        server = null;
        connectorTls = null;
        isCertificateRequested = false;
        if (current != null) {
            connections.values().forEach(SocketWrapperBase::close);
            current.stop(Duration.ofMillis(Math.max(0, getExecutorTerminationTimeoutMillis())));
            getHandler().recycle();
        }
    }

    // ---- TLS.

    @Override
    protected void createSSLContext(SSLHostConfig host) {
        // The server creates its own context when it is bound, for all hosts together.
    }

    /// If the server is running, its certificates and keys are reloaded for new connections; a host
    /// that was not there before is served with the default host's certificate. If that fails, the
    /// host before is kept, so that others can be reloaded.
    @Override
    public void addSslHostConfig(SSLHostConfig host, boolean replaces) {
        checkCompatible(host);
        SSLHostConfig before = sslHostConfigs.get(host.getHostName());
        super.addSslHostConfig(host, replaces);
        boolean isLoaded = false;
        try {
            reloadSslHostConfigs();
            isLoaded = true;
        } finally {
            if (!isLoaded) {
                restore(host.getHostName(), before);
            }
        }
    }

    private void restore(String hostName, @Nullable SSLHostConfig before) {
        if (before == null) {
            removeSslHostConfig(hostName);
        } else {
            super.addSslHostConfig(before, true);
        }
    }

    /// Checks that a host matches the TLS parameters that were fixed when the endpoint was bound.
    private void checkCompatible(SSLHostConfig host) {
        ConnectorTls current = connectorTls;
        if (current != null && isSSLEnabled()) {
            try {
                HostTls.checkReplacement(this, host, current, isCertificateRequested);
            } catch (IOException e) {
                throw new IllegalArgumentException(e.getMessage(), e);
            }
        }
    }

    /// Reloads certificates and keys.
    ///
    /// @throws IllegalArgumentException if one cannot be used, or a host requires other TLS
    ///     parameters than those fixed when the connector was bound; then nothing changes
    @Override
    public void reloadSslHostConfigs() {
        Server current = server;
        if (current != null && isSSLEnabled()) {
            for (SSLHostConfig host : findSslHostConfigs()) {
                checkCompatible(host);
            }
            try {
                current.reloadTls();
            } catch (TlsConfigException e) {
                throw new IllegalArgumentException(e.getMessage(), e);
            }
        }
    }

    /// Catalina's applications are there before its connectors start.
    private void startCertificates() {
        Connector connector = routes.hasConnector() ? null : CatalinaBeans.connectorOf(protocol());
        if (connector != null) {
            useConnector(connector);
        }
        String path = certificateApplications.lastPath();
        if (path != null) {
            requestCertificates(path); // again, since the connector may have been bound anew
        }
    }

    /// An application wants client certificates. Stock's connectors request one when a resource
    /// needs it, by renegotiation, which TLS 1.3 does not have; here, clients that connect from now
    /// on may send one in their handshakes.
    private synchronized void requestCertificates(String path) {
        Server current = server;
        ConnectorTls bound = connectorTls;
        if (current == null
                || bound == null
                || isCertificateRequested
                || bound.verification() != SSLHostConfig.CertificateVerification.NONE) {
            return;
        }
        String declares = "the application at " + path + " declares CLIENT-CERT: ";
        try {
            current.reloadTls(HostTls.requestingCertificates(this));
            isCertificateRequested = true;
            LOG.info(declares + "clients are asked for a certificate, and need none elsewhere");
        } catch (TlsConfigException | IOException e) {
            LOG.warn(declares + "no client is asked for a certificate: " + e.getMessage());
        }
    }

    // ---- Statistics.

    @Override
    public long getConnectionCount() {
        Server current = server;
        return current == null ? 0 : current.connectionCount();
    }

    @Override
    public int getCurrentThreadCount() {
        Server current = server;
        return current == null ? 0 : current.workerCount();
    }

    /// Returns the number of workers that are running requests.
    @Override
    public int getCurrentThreadsBusy() {
        Server current = server;
        return current == null ? 0 : current.runningCount();
    }

    /// Returns the number of connections without a worker: idle ones, and those of waiting async
    /// requests and WebSockets. The manager's status page reads it.
    public int getKeepAliveCount() {
        Server current = server;
        return current == null
                ? 0
                : Math.max(0, current.connectionCount() - current.runningCount());
    }

    @Override
    protected @Nullable InetSocketAddress getLocalAddress() {
        Server current = server;
        return current == null ? null : current.address();
    }

    @Override
    protected Log getLog() {
        return LOG;
    }

    // ---- Required by Tomcat's endpoints, and not used here.

    /// Connections are counted where they are accepted. Tomcat's counter starts when
    /// `maxConnections` is set, but is never incremented here, so each closed connection would
    /// cause a warning.
    @Override
    protected long countDownConnection() {
        return -1;
    }

    @Override
    public boolean processSocket(
            SocketWrapperBase<ContainerExchange> socket, SocketEvent event, boolean dispatch) {
        ContainerExchange exchange = socket.getSocket();
        return exchange != null && addEvent((TandemSocket) socket, exchange, event);
    }

    /// Has a worker handle an event.
    ///
    /// @return false if the request is over
    boolean addEvent(TandemSocket socket, ContainerExchange exchange, SocketEvent event) {
        return exchange.resume(() -> processEvent(socket, exchange, event));
    }

    @Override
    protected SocketProcessorBase<ContainerExchange> createSocketProcessor(
            SocketWrapperBase<ContainerExchange> socket, SocketEvent event) {
        return new SocketProcessorBase<>(socket, event) {
            @Override
            protected void doRun() {
                processSocket(socketWrapper, this.event, true);
            }
        };
    }

    @Override
    protected void doCloseServerSocket() {
        // The server closes it when it stops; while it is paused, it accepts no connections.
    }

    @Override
    protected ContainerExchange serverSocketAccept() {
        throw new UnsupportedOperationException("event loops accept");
    }

    @Override
    protected boolean setSocketOptions(ContainerExchange exchange) {
        return true;
    }

    @Override
    protected void destroySocket(ContainerExchange exchange) {
        exchange.close();
    }
}
