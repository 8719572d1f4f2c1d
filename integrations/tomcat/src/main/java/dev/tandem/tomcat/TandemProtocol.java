package dev.tandem.tomcat;

import dev.tandem.Options;
import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.engine.container.ContainerExchange;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.catalina.LifecycleException;
import org.apache.coyote.Processor;
import org.apache.coyote.UpgradeProtocol;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.juli.logging.Log;
import org.apache.juli.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/// Tandem's engine as a connector of Apache Tomcat 11: in `server.xml`
///
/// ```xml
/// <Connector protocol="dev.tandem.tomcat.TandemProtocol" port="8080"/>
/// ```
///
/// or `new Connector("dev.tandem.tomcat.TandemProtocol")`. Catalina, Jasper and WebSocket stay
/// Tomcat's. `docs/tomcat.md` says of each attribute of the stock connectors what becomes of it.
public final class TandemProtocol extends AbstractHttp11Protocol<ContainerExchange> {
    private static final Log LOG = LogFactory.getLog(TandemProtocol.class);

    /// What the decoder of requests takes beyond RFC 3986, and Catalina is given if it wants it.
    private static final String PATH_RELAXED = "[]|";

    private static final String QUERY_RELAXED = "[]{}|^\\`";

    static {
        JarScanExclusion.addOwnJar();
    }

    private final TandemEndpoint endpoint;
    private volatile int asyncRequestsMax;
    private boolean hasLenientHeads = true;
    private String manage = "";
    private @Nullable String manageToken;
    private @Nullable String unixDomainSocketPath;
    private boolean usesInheritedChannel;

    /// What Tomcat calls.
    public TandemProtocol() {
        this(new TandemEndpoint());
    }

    private TandemProtocol(TandemEndpoint endpoint) {
        super(endpoint);
        this.endpoint = endpoint;
        endpoint.setProtocol(this);
        setMaxKeepAliveRequests(-1); // a limit would cost visitors connections and gain nothing
    }

    @Override
    public void init() throws Exception {
        if (unixDomainSocketPath != null) {
            throw new LifecycleException(
                    "the Tandem connector listens on TCP alone, and would open a port in place of"
                            + " unixDomainSocketPath: take the attribute away");
        }
        if (usesInheritedChannel) {
            throw new LifecycleException(
                    "the Tandem connector knows no useInheritedChannel: give it address and port");
        }
        for (UpgradeProtocol other : findUpgradeProtocols()) {
            String name = other.getHttpUpgradeName(isSSLEnabled());
            LOG.warn(
                    "the Tandem connector speaks HTTP/1.1 and leaves "
                            + (name == null ? other.getAlpnName() : name)
                            + " out: take <UpgradeProtocol> (Spring Boot: server.http2.enabled)"
                            + " away to be rid of this line");
        }
        warnOfRejected("relaxedPathChars", getRelaxedPathChars(), PATH_RELAXED);
        warnOfRejected("relaxedQueryChars", getRelaxedQueryChars(), QUERY_RELAXED);
        super.init();
    }

    private static void warnOfRejected(String attribute, @Nullable String wanted, String accepted) {
        String all = wanted == null ? "" : wanted;
        String rejected =
                all.chars()
                        .filter(c -> accepted.indexOf(c) < 0)
                        .mapToObj(Character::toString)
                        .collect(Collectors.joining());
        if (!rejected.isEmpty()) {
            LOG.warn(
                    attribute
                            + ": the Tandem connector refuses "
                            + rejected
                            + " all the same, with 400; it takes "
                            + accepted
                            + ": have clients encode the others by %");
        }
    }

    @Override
    protected Log getLog() {
        return LOG;
    }

    @Override
    protected String getNamePrefix() {
        return isSSLEnabled() ? "https-tandem" : "http-tandem";
    }

    @Override
    protected Processor createProcessor() {
        return new TandemProcessor(this, getAdapter());
    }

    TandemEndpoint endpoint() {
        return endpoint;
    }

    /// The server underneath; null while the connector is not bound.
    public @Nullable Server server() {
        return endpoint.server();
    }

    /// Has more done to the server underneath before it is bound, such as a management address or
    /// another listener, which may speak TLS. Options that it sets take the place of all that the
    /// connector's attributes say.
    public void customizeServer(Consumer<Tandem> customizer) {
        endpoint.setServerCustomizer(customizer);
    }

    /// Changes what the connector's attributes have made of the server's options; before it is
    /// bound.
    public void customizeOptions(UnaryOperator<Options> change) {
        endpoint.setOptionsCustomizer(change);
    }

    /// Has routes named by a framework that knows more than the servlets' mappings.
    public void setFrameworkRoutes(FrameworkRoutes routes) {
        endpoint.routes().setFrameworkRoutes(routes);
    }

    /// How many connections are open, idle ones, too.
    @Override
    public long getConnectionCount() {
        return endpoint.getConnectionCount();
    }

    @Override
    public void closeServerSocketGraceful() {
        endpoint.pauseAndCloseListeners();
    }

    @Override
    public long awaitConnectionsClose(long waitMillis) {
        return endpoint.awaitSuspendedRequests(waitMillis);
    }

    /// How many async requests of one route (a servlet's mapping) may be open; of more, the
    /// oldest are ended as if their time were over, and the log names the route. 0, which is
    /// the default: half of `maxConnections`, so that one that leaks them leaves room for the
    /// others.
    public int getAsyncRequestsMax() {
        return asyncRequestsMax;
    }

    /// @throws IllegalArgumentException if it is negative
    public void setAsyncRequestsMax(int max) {
        if (max < 0) {
            throw new IllegalArgumentException("asyncRequestsMax must be 0 or more, was " + max);
        }
        asyncRequestsMax = max;
    }

    /// Whether old clients are let in, as by the stock connectors: true. See
    /// [dev.tandem.Options#withLenientHeads].
    public boolean getLenientHeads() {
        return hasLenientHeads;
    }

    /// @param isLenient looked at when the connector is bound
    public void setLenientHeads(boolean isLenient) {
        hasLenientHeads = isLenient;
    }

    /// Where the server tells how it fares (`/metrics`, `/explain`, the console); empty, which is
    /// the default, for nowhere.
    public String getManage() {
        return manage;
    }

    /// @param at `ADDR:PORT`, an address of this machine alone unless there is a token, or
    ///     `unix:/PATH`; looked at when the connector is bound
    public void setManage(@Nullable String at) {
        manage = at == null ? "" : at;
    }

    /// What has to be known there: at least 16 characters. Beans do not tell it.
    public void setManageToken(@Nullable String token) {
        manageToken = token == null || token.isEmpty() ? null : token;
    }

    @Nullable ManagementAddress managementAddress() {
        return manage.isEmpty() ? null : new ManagementAddress(manage, manageToken);
    }

    /// Not looked at; in Tomcat 10.1 no class above knows it.
    @SuppressWarnings("MissingOverride")
    public void setSslImplementationName(String name) {
        // TLS is ours.
    }

    /// Not looked at, likewise.
    @SuppressWarnings("MissingOverride")
    public void setSniParseLimit(int bytes) {
        // A hello may have as many as the protocol allows.
    }

    /// Tomcat 10.1's; as in 11, there is no choice.
    @SuppressWarnings({"MissingOverride", "deprecation"})
    public void setRejectIllegalHeader(boolean isRejected) {
        if (!isRejected) {
            LOG.warn("rejectIllegalHeader=\"false\" is not looked at: such a request is refused");
        }
    }

    /// Tomcat 10.1's; as in 11, there is no choice.
    @SuppressWarnings({"MissingOverride", "deprecation"})
    public void setAllowHostHeaderMismatch(boolean isAllowed) {
        if (isAllowed) {
            LOG.warn("allowHostHeaderMismatch=\"true\" is not looked at: one is refused");
        }
    }

    /// How long a stop lets requests finish that run, in milliseconds; 5,000. Then they are
    /// interrupted and their connections closed.
    public long getStopGraceMillis() {
        return endpoint.getExecutorTerminationTimeoutMillis();
    }

    public void setStopGraceMillis(long millis) {
        endpoint.setExecutorTerminationTimeoutMillis(millis);
    }

    // ---- What the stock endpoints have, and Tomcat would warn of if it were not known.

    /// @param path asked for in place of a port: the connector does not start
    public void setUnixDomainSocketPath(@Nullable String path) {
        unixDomainSocketPath = path;
    }

    /// @param isAsked if so, the connector does not start
    public void setUseInheritedChannel(boolean isAsked) {
        usesInheritedChannel = isAsked;
    }

    /// Says nothing without a path.
    public void setUnixDomainSocketPathPermissions(String permissions) {}

    /// Says nothing without a path.
    public void setUnixDomainSocketParentPermissions(String permissions) {}

    /// Says nothing without a path.
    public void setUnixDomainSocketParentOwner(String owner) {}

    /// There is no selector of Tomcat's.
    public void setSelectorTimeout(long millis) {}

    /// There is no poller of Tomcat's.
    public void setPollerThreadPriority(int priority) {}
}
