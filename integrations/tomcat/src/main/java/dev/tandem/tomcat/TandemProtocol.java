package dev.tandem.tomcat;

import dev.tandem.Options;
import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.engine.container.ContainerExchange;
import dev.tandem.files.FileCache;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.catalina.LifecycleException;
import org.apache.coyote.Processor;
import org.apache.coyote.UpgradeProtocol;
import org.apache.coyote.UpgradeToken;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.coyote.http11.upgrade.UpgradeProcessorInternal;
import org.apache.coyote.http2.Http2Protocol;
import org.apache.juli.logging.Log;
import org.apache.juli.logging.LogFactory;
import org.apache.tomcat.util.net.SocketWrapperBase;
import org.jspecify.annotations.Nullable;

/// Tandem's engine as a connector of Apache Tomcat 11: in `server.xml`
///
/// ```xml
/// <Connector protocol="dev.tandem.tomcat.TandemProtocol" port="8080"/>
/// ```
///
/// or `new Connector("dev.tandem.tomcat.TandemProtocol")`. Catalina, Jasper and WebSocket remain
/// Tomcat's. `docs/tomcat.md` describes what each attribute of the stock connectors does here.
public final class TandemProtocol extends AbstractHttp11Protocol<ContainerExchange> {
    /// An attribute of requests that name a file to be sent: if true, the file may be compressed
    /// like written content. Without it, only files up to 48 KiB are, which Catalina's default
    /// servlet would write. Catalina passes attributes with this prefix on.
    public static final String COMPRESSES_FILE = "org.apache.tomcat.tandem.compressesFile";

    private static final Log LOG = LogFactory.getLog(TandemProtocol.class);

    /// Characters that the request decoder accepts beyond RFC 3986, and that Catalina receives if
    /// it is configured to.
    private static final String PATH_RELAXED = "[]|";

    private static final String QUERY_RELAXED = "[]{}|^\\`";

    static {
        JarScanExclusion.addOwnJar();
    }

    private final TandemEndpoint endpoint;

    /// Set while the calling thread releases a processor that must not be used again.
    private final ThreadLocal<Boolean> dropsProcessor = ThreadLocal.withInitial(() -> false);

    private volatile int asyncRequestsMax;
    private boolean hasLenientHeads = true;
    private boolean isHttp2;
    private boolean isHttp2ClearText;
    private @Nullable Http2Protocol stockHttp2;
    private String manage = "";
    private @Nullable String manageToken;
    private String pageCache = "";
    private String pageCacheEngine = "";
    private @Nullable FileCache fileCache;
    private @Nullable FileCache ownCache;
    private volatile @Nullable CachedFiles cachedFiles;
    private @Nullable String unixDomainSocketPath;
    private boolean usesInheritedChannel;

    /// Keeps the processor that the calling thread is releasing out of the cache of processors.
    void dropReleasedProcessor() {
        dropsProcessor.set(true);
    }

    /// Returns the size of the cache of processors; Tomcat asks for it when it has recycled one. 0
    /// for one that must not be used again.
    @Override
    public int getProcessorCache() {
        if (dropsProcessor.get()) {
            dropsProcessor.remove();
            return 0;
        }
        return super.getProcessorCache();
    }

    /// Called by Tomcat.
    public TandemProtocol() {
        this(new TandemEndpoint());
    }

    private TandemProtocol(TandemEndpoint endpoint) {
        super(endpoint);
        this.endpoint = endpoint;
        endpoint.setProtocol(this);
        setMaxKeepAliveRequests(-1); // a limit would cost clients connections and gain nothing
    }

    @Override
    public void init() throws Exception {
        if (unixDomainSocketPath != null) {
            throw new LifecycleException(
                    "the Tandem connector listens on TCP only, and would open a port in place of"
                            + " unixDomainSocketPath: remove the attribute");
        }
        if (usesInheritedChannel) {
            throw new LifecycleException(
                    "the Tandem connector does not support useInheritedChannel: set address and"
                            + " port");
        }
        for (UpgradeProtocol other : super.findUpgradeProtocols()) {
            LOG.warn(
                    "the Tandem connector speaks HTTP/1.1 and HTTP/2, and ignores "
                            + other.getClass().getName()
                            + ": remove <UpgradeProtocol> to avoid this warning");
        }
        Http2Protocol stock = stockHttp2;
        if (stock != null) {
            logStock(http2(), stock);
        }
        warnOfRejected("relaxedPathChars", getRelaxedPathChars(), PATH_RELAXED);
        warnOfRejected("relaxedQueryChars", getRelaxedQueryChars(), QUERY_RELAXED);
        FileCache own = pageCache.isEmpty() ? null : openCache();
        FileCache cache = own == null ? fileCache : own;
        cachedFiles = cache == null ? null : new CachedFiles(cache, this);
        boolean isInitialized = false;
        try {
            super.init(); // binds, and has the server show the cache's gauges
            ownCache = own;
            isInitialized = true;
        } finally {
            if (!isInitialized) {
                cachedFiles = null;
                if (own != null) {
                    own.close();
                }
            }
        }
    }

    /// @throws LifecycleException in place of a stack trace, with one line for the user
    private FileCache openCache() throws LifecycleException {
        String attribute = "pageCache=\"" + pageCache;
        try {
            FileCache.Provider provider = FileCache.Provider.installed();
            long bytes = provider.bytes(pageCache);
            attribute = "pageCacheEngine=\"" + pageCacheEngine;
            return provider.open(bytes, pageCacheEngine);
        } catch (IllegalStateException | IllegalArgumentException e) {
            throw new LifecycleException(attribute + "\": " + e.getMessage());
        }
    }

    /// Closes the cache that was opened here, after the server that used it.
    @Override
    public void destroy() throws Exception {
        try {
            super.destroy();
        } finally {
            closePageCache();
        }
    }

    /// Closes the cache that was opened here. [#destroy()] does it, too; but Spring Boot stops its
    /// connectors and never destroys them. Called after the connector was stopped.
    public void closePageCache() {
        cachedFiles = null;
        FileCache own = ownCache;
        ownCache = null;
        if (own != null) {
            own.close();
        }
    }

    /// Returns what serves files in place of the kernel's cache; null for none.
    @Nullable CachedFiles cachedFiles() {
        return cachedFiles;
    }

    /// Whether a file cache is configured.
    boolean hasFileCache() {
        return !pageCache.isEmpty() || fileCache != null;
    }

    private static void logStock(Http2Attributes http2, Http2Protocol stock) {
        String line =
                "<UpgradeProtocol className=\""
                        + stock.getClass().getName()
                        + "\">: HTTP/2 is the Tandem connector's own, with at most "
                        + http2.options().streamsMax()
                        + " concurrent streams of a connection";
        List<String> ignored = Http2Attributes.ignored(stock);
        if (ignored.isEmpty()) {
            LOG.info(line);
        } else {
            LOG.warn(line + "; ignored: " + String.join(", ", ignored));
        }
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
                            + ": the Tandem connector rejects "
                            + rejected
                            + " nevertheless, with 400; it accepts "
                            + accepted
                            + ": clients must percent-encode the others");
        }
    }

    /// The stock HTTP/2 protocol stands for this connector's own, and is not used otherwise.
    @Override
    public void addUpgradeProtocol(UpgradeProtocol protocol) {
        if (protocol instanceof Http2Protocol stock) {
            stockHttp2 = stock;
        } else {
            super.addUpgradeProtocol(protocol);
        }
    }

    @Override
    public UpgradeProtocol[] findUpgradeProtocols() {
        Stream<UpgradeProtocol> others = Arrays.stream(super.findUpgradeProtocols());
        return Stream.concat(Stream.ofNullable(stockHttp2), others).toArray(UpgradeProtocol[]::new);
    }

    Http2Attributes http2() {
        return new Http2Attributes(isHttp2, isHttp2ClearText, stockHttp2);
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

    @Override
    protected Processor createUpgradeProcessor(SocketWrapperBase<?> socket, UpgradeToken token) {
        Processor processor = super.createUpgradeProcessor(socket, token);
        if (processor instanceof UpgradeProcessorInternal && socket instanceof TandemSocket own) {
            own.becomesSession(); // Tomcat's own protocol over HTTP/1.1 is WebSocket
        }
        return processor;
    }

    TandemEndpoint endpoint() {
        return endpoint;
    }

    /// Returns the underlying server; null while the connector is not bound.
    public @Nullable Server server() {
        return endpoint.server();
    }

    /// Customizes the underlying server before it is bound, for example with a management address
    /// or another listener, which may use TLS. Options set there replace all of the connector's
    /// attributes.
    public void customizeServer(Consumer<Tandem> customizer) {
        endpoint.setServerCustomizer(customizer);
    }

    /// Changes the options that were derived from the connector's attributes; before it is bound.
    public void customizeOptions(UnaryOperator<Options> change) {
        endpoint.setOptionsCustomizer(change);
    }

    /// Sets what adds headers to all responses; before it is bound.
    public void setResponseHeaders(ConnectorHeaders headers) {
        endpoint.setResponseHeaders(headers);
    }

    /// Sets a framework that names routes more precisely than the servlets' mappings.
    public void setFrameworkRoutes(FrameworkRoutes routes) {
        endpoint.routes().setFrameworkRoutes(routes);
    }

    /// Returns the number of open connections, idle ones included.
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

    /// Returns how many async requests of one route (a servlet's mapping) may be open. Beyond it,
    /// the oldest are timed out, and the log names the route. 0, the default, stands for half of
    /// `maxConnections`, so that a route that leaks async requests leaves connections for others;
    /// and all routes together may then have as many as half of the heap has room for, 48 KiB each.
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

    /// Returns whether lenient parsing for old clients is on, as in the stock connectors; true by
    /// default. See [dev.tandem.engine.container.ContainerOptions].
    public boolean getLenientHeads() {
        return hasLenientHeads;
    }

    /// @param isLenient read when the connector is bound
    public void setLenientHeads(boolean isLenient) {
        hasLenientHeads = isLenient;
    }

    /// Returns whether clients may use HTTP/2, as with a stock `<UpgradeProtocol>`; false by
    /// default, as in the stock connectors.
    public boolean getHttp2() {
        return isHttp2;
    }

    /// @param isOn read when the connector is bound. Without TLS it is for clients at loopback
    ///     addresses, unless [#setHttp2ClearText] allows others
    public void setHttp2(boolean isOn) {
        isHttp2 = isOn;
    }

    /// Returns whether clients of other machines may use HTTP/2 without TLS; false by default.
    public boolean getHttp2ClearText() {
        return isHttp2ClearText;
    }

    /// @param isAllowed read when the connector is bound
    public void setHttp2ClearText(boolean isAllowed) {
        isHttp2ClearText = isAllowed;
    }

    /// Returns the management address (`/metrics`, `/explain`, the console); empty, the default,
    /// for none.
    public String getManage() {
        return manage;
    }

    /// @param at `ADDR:PORT`, a loopback address unless there is a token, or `unix:/PATH`; read
    ///     when the connector is bound
    public void setManage(@Nullable String at) {
        manage = at == null ? "" : at;
    }

    /// Sets the token that clients of the management address must send: at least 16 characters. JMX
    /// beans do not expose it.
    public void setManageToken(@Nullable String token) {
        manageToken = token == null || token.isEmpty() ? null : token;
    }

    /// Returns the size of the page cache for files that applications send; empty, the default, for
    /// none.
    public String getPageCache() {
        return pageCache;
    }

    /// @param size `auto`, or bytes such as `512m`; the artifact `tandem-page-cache` must be there.
    ///     Read when the connector is initialized
    public void setPageCache(@Nullable String size) {
        pageCache = size == null ? "" : size;
    }

    /// Returns who compresses the pages of the cache; empty, the default, for its own threads.
    public String getPageCacheEngine() {
        return pageCacheEngine;
    }

    /// @param name `cache`, `workers`, `helper`, `gpu` or `auto`, as `docs/page-cache.md` says.
    /// Read
    ///     when the connector is initialized, which fails if the engine cannot work here
    public void setPageCacheEngine(@Nullable String name) {
        pageCacheEngine = name == null ? "" : name;
    }

    /// Sets a cache for files that applications send, which may have other users, in place of
    /// [#setPageCache]; before the connector is initialized.
    ///
    /// @param cache closed by the caller, after the connector
    public void setFileCache(FileCache cache) {
        fileCache = cache;
    }

    @Nullable ManagementAddress managementAddress() {
        return manage.isEmpty() ? null : new ManagementAddress(manage, manageToken);
    }

    /// Ignored; in Tomcat 10.1 no superclass has it.
    @SuppressWarnings("MissingOverride")
    public void setSslImplementationName(String name) {
        // TLS is the server's own.
    }

    /// Ignored, likewise.
    @SuppressWarnings("MissingOverride")
    public void setSniParseLimit(int bytes) {
        // A ClientHello may be as long as the protocol allows.
    }

    /// Tomcat 10.1's attribute; as in Tomcat 11, always on.
    @SuppressWarnings({"MissingOverride", "deprecation"})
    public void setRejectIllegalHeader(boolean isRejected) {
        if (!isRejected) {
            LOG.warn("rejectIllegalHeader=\"false\" is ignored: such a request is rejected");
        }
    }

    /// Tomcat 10.1's attribute; as in Tomcat 11, always off.
    @SuppressWarnings({"MissingOverride", "deprecation"})
    public void setAllowHostHeaderMismatch(boolean isAllowed) {
        if (isAllowed) {
            LOG.warn("allowHostHeaderMismatch=\"true\" is ignored: a mismatch is rejected");
        }
    }

    /// Returns how long a stop waits for running requests, in milliseconds; 5,000 by default. Then
    /// they are interrupted and their connections closed.
    public long getStopGraceMillis() {
        return endpoint.getExecutorTerminationTimeoutMillis();
    }

    public void setStopGraceMillis(long millis) {
        endpoint.setExecutorTerminationTimeoutMillis(millis);
    }

    // ---- Attributes of the stock endpoints, of which Tomcat would warn if they were missing.

    /// @param path if set, the connector does not start, since it would open a port instead
    public void setUnixDomainSocketPath(@Nullable String path) {
        unixDomainSocketPath = path;
    }

    /// @param isAsked if true, the connector does not start
    public void setUseInheritedChannel(boolean isAsked) {
        usesInheritedChannel = isAsked;
    }

    /// Ignored: there is no path.
    public void setUnixDomainSocketPathPermissions(String permissions) {}

    /// Ignored: there is no path.
    public void setUnixDomainSocketParentPermissions(String permissions) {}

    /// Ignored: there is no path.
    public void setUnixDomainSocketParentOwner(String owner) {}

    /// Ignored: there is no selector of Tomcat's.
    public void setSelectorTimeout(long millis) {}

    /// Ignored: there is no poller of Tomcat's.
    public void setPollerThreadPriority(int priority) {}
}
