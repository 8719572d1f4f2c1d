package dev.tandem.spring;

import dev.tandem.Options;
import dev.tandem.Tandem;
import dev.tandem.files.FileCache;
import dev.tandem.fleet.Fleet;
import dev.tandem.tomcat.FrameworkRoutes;
import dev.tandem.tomcat.StaticFileInitializer;
import dev.tandem.tomcat.TandemProtocol;
import java.lang.System.Logger.Level;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.catalina.connector.Connector;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.thread.Threading;
import org.springframework.boot.tomcat.TomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.core.env.Environment;

/// Sets Tomcat's protocol to the Tandem connector, unless the application has chosen another one
/// than Spring Boot's default.
final class TandemConnector
        implements WebServerFactoryCustomizer<TomcatWebServerFactory>, DisposableBean {
    private static final System.Logger LOG = System.getLogger("dev.tandem.spring");

    /// Spring Boot sets Tomcat's default of 100 even if the property is not set; then there is no
    /// limit.
    private static final String REQUESTS_MAX = "server.tomcat.max-keep-alive-requests";

    private final TandemProperties properties;
    private final Environment environment;
    private final ObjectProvider<FrameworkRoutes> routes;
    private final ObjectProvider<FleetLifecycle> fleet;

    /// Connectors whose page cache is closed here.
    private final List<TandemProtocol> withPageCache = new CopyOnWriteArrayList<>();

    TandemConnector(
            TandemProperties properties,
            Environment environment,
            ObjectProvider<FrameworkRoutes> routes,
            ObjectProvider<FleetLifecycle> fleet) {
        this.fleet = fleet;
        this.properties = properties;
        this.environment = environment;
        this.routes = routes;
    }

    @Override
    public void customize(TomcatWebServerFactory factory) {
        if (!factory.getProtocol().equals(TomcatWebServerFactory.DEFAULT_PROTOCOL)) {
            LOG.log(
                    Level.WARNING,
                    "the application has a connector of its own: " + factory.getProtocol());
            return;
        }
        factory.setProtocol(TandemProtocol.class.getName());
        factory.addConnectorCustomizers(this::customize);
        factory.addContextCustomizers(
                context ->
                        context.addServletContainerInitializer(new StaticFileInitializer(), null));
    }

    private void customize(Connector connector) {
        if (connector.getProtocolHandler() instanceof TandemProtocol protocol) {
            if (!environment.containsProperty(REQUESTS_MAX)) {
                protocol.setMaxKeepAliveRequests(-1);
            }
            addPageCache(protocol);
            protocol.customizeOptions(this::options);
            Optional<Fleet> joined = fleet.stream().findFirst().map(FleetLifecycle::fleet);
            protocol.customizeServer(
                    tandem -> {
                        manage(tandem);
                        joined.ifPresent(one -> one.addToContainer(tandem));
                    });
            joined.ifPresent(
                    one ->
                            protocol.setResponseHeaders(
                                    (peer, head, isSecure, response) ->
                                            one.addHeaders(
                                                    peer, head, isSecure, response::accept)));
            routes.ifAvailable(protocol::setFrameworkRoutes);
        }
    }

    /// Closes the connectors' page caches: Spring Boot has stopped its connectors by now, and never
    /// destroys them.
    @Override
    public void destroy() {
        withPageCache.forEach(TandemProtocol::closePageCache);
    }

    /// The connector would report a failure, too, among others' messages.
    private void addPageCache(TandemProtocol protocol) {
        String size = properties.pageCache();
        if (size == null) {
            return;
        }
        try {
            FileCache.Provider.installed().bytes(size);
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new InvalidConfigurationPropertyValueException(
                    "tandem.page-cache", size, String.valueOf(e.getMessage()));
        }
        withPageCache.add(protocol);
        protocol.setPageCache(size);
        protocol.setPageCacheEngine(properties.pageCacheEngine());
    }

    private Options options(Options options) {
        var cookies = new LinkedHashSet<>(options.sessionCookies());
        cookies.addAll(properties.sessionCookies());
        String named = environment.getProperty("server.servlet.session.cookie.name");
        if (named != null) {
            cookies.add(named);
        }
        boolean isVirtual = Threading.VIRTUAL.isActive(environment);
        return options.withThreads(t -> t.withInPlace(properties.inPlace()).withVirtual(isVirtual))
                .withSessionCookies(List.copyOf(cookies));
    }

    private void manage(Tandem tandem) {
        TandemProperties.Management management = properties.management();
        if (management.token() != null) {
            tandem.manageToken(management.token());
        }
        if (management.socket() != null) {
            tandem.manage(management.socket());
        } else if (management.port() != null && management.token() != null) {
            tandem.manageOpenly(management.address(), management.port());
        } else if (management.port() != null) {
            manage(tandem, management.address(), management.port());
        }
    }

    private static void manage(Tandem tandem, String address, int port) {
        try {
            tandem.manage(address, port);
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationPropertyValueException(
                    "tandem.management.address",
                    address,
                    e.getMessage() + "; tandem.management.token protects it");
        }
    }
}
