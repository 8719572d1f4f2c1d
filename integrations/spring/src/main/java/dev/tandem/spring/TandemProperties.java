package dev.tandem.spring;

import dev.tandem.database.Stage;
import dev.tandem.fleet.DatabaseBudget;
import dev.tandem.fleet.FleetOptions;
import dev.tandem.net.AddressRange;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// Tandem's own properties; all others are Spring Boot's `server.*`. Each has an entry in
/// `META-INF/spring-configuration-metadata.json`.
///
/// @param enabled whether Tomcat uses the Tandem connector
/// @param inPlace whether requests that are known to be short run on the event loop's thread
/// @param sessionCookies names of cookies that identify a session, in addition to `JSESSIONID`,
///     `SESSION` and `server.servlet.session.cookie.name`
/// @param probes patterns of controllers that are health checks, in addition to Actuator's
/// @param pageCache memory for static files, `auto` or a size such as `512m`; null for none
/// @param pageCacheEngine who compresses them: `cache`, `workers`, `helper`, `gpu` or `auto`
/// @param trainingPaths if there are any, the application sends itself requests for these paths and
///     exits ([Training])
/// @param management the server's management address
/// @param data handling of data sources
/// @param fleet what is reported to load balancers, and shared with other instances
@ConfigurationProperties("tandem")
public record TandemProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("true") boolean inPlace,
        @DefaultValue List<String> sessionCookies,
        @DefaultValue List<String> probes,
        @Nullable String pageCache,
        @DefaultValue("cache") String pageCacheEngine,
        @DefaultValue List<String> trainingPaths,
        @DefaultValue Management management,
        @DefaultValue Data data,
        @DefaultValue Fleet fleet) {

    /// @throws IllegalArgumentException if a training path does not begin with a slash
    public TandemProperties {
        for (String path : trainingPaths) {
            if (!path.startsWith("/") || path.chars().anyMatch(c -> c <= ' ')) {
                throw new IllegalArgumentException(
                        "tandem.training-paths must begin with / and have no spaces, was '"
                                + path
                                + "'");
            }
        }
    }

    /// There is no management address without a port or a socket.
    ///
    /// @param address of this machine
    /// @param port 0 for a free one
    /// @param token required if other machines can reach the address; at least 16 characters
    /// @param socket a Unix-domain socket, in place of address and port
    public record Management(
            @DefaultValue("127.0.0.1") String address,
            @Nullable Integer port,
            @Nullable String token,
            @Nullable Path socket) {
        private static final int PORT_MAX = 65_535;
        private static final int TOKEN_MIN = 16;

        /// @throws IllegalArgumentException if a value is out of range; names the property, but not
        ///     a token
        public Management {
            if (port != null && (port < 0 || port > PORT_MAX)) {
                throw new IllegalArgumentException(
                        "tandem.management.port must be 0 to " + PORT_MAX + ", was " + port);
            }
            if (token != null && token.length() < TOKEN_MIN) {
                throw new IllegalArgumentException(
                        "tandem.management.token must have at least "
                                + TOKEN_MIN
                                + " characters, had "
                                + token.length());
            }
        }
    }

    /// An instance is in a fleet if one of `agent`, `load-reports` and `secret` is set.
    ///
    /// @param agent `ADDR:PORT` where HAProxy's agent checks get their replies; null for none
    /// @param peers addresses and ranges of balancers: only these get reports; this machine if
    ///     empty
    /// @param balancers as [FleetOptions#balancers()]
    /// @param loadReports as [FleetOptions#reportsLoad()]
    /// @param capacity as [FleetOptions#capacity()]
    /// @param notice as [FleetOptions#notice()]
    /// @param ending as [FleetOptions#ending()]
    /// @param secret as [FleetOptions#secret()]
    public record Fleet(
            @Nullable String agent,
            @DefaultValue List<String> peers,
            @DefaultValue("0") int balancers,
            @DefaultValue("false") boolean loadReports,
            @DefaultValue("0") int capacity,
            @DefaultValue("5s") Duration notice,
            @DefaultValue("10s") Duration ending,
            @Nullable Path secret) {

        /// @throws IllegalArgumentException if a value is out of range or has another form; names
        ///     the property
        public Fleet {
            peers = List.copyOf(peers);
            try {
                FleetOptions options =
                        FleetOptions.DEFAULT
                                .withAgent(agent == null ? null : address(agent))
                                .withPeers(ranges(peers))
                                .withBalancers(balancers)
                                .withCapacity(capacity)
                                .withNotice(notice)
                                .withEnding(ending);
                if (options.isReachableByOthers() && peers.isEmpty()) {
                    throw new IllegalArgumentException(
                            "peers is missing: other machines can reach the agent at "
                                    + agent
                                    + ", and the balancers among them must be named");
                }
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("tandem.fleet." + e.getMessage(), e);
            }
        }

        FleetOptions options() {
            return new FleetOptions(
                    agent == null ? null : address(agent),
                    ranges(peers),
                    balancers,
                    loadReports,
                    capacity,
                    notice,
                    ending,
                    secret);
        }

        private static InetSocketAddress address(String text) {
            int colon = text.lastIndexOf(':');
            String port = text.substring(colon + 1);
            if (colon < 1 || !port.matches("[0-9]{1,5}") || Integer.parseInt(port) > 65_535) {
                throw new IllegalArgumentException("agent must be ADDR:PORT, was '" + text + "'");
            }
            String host = text.substring(0, colon).replaceAll("^\\[|]$", "");
            return new InetSocketAddress(host, Integer.parseInt(port));
        }

        private static List<AddressRange> ranges(List<String> texts) {
            if (texts.isEmpty()) {
                return FleetOptions.DEFAULT.peers();
            }
            try {
                return texts.stream().map(AddressRange::parse).toList();
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("peers: " + e.getMessage(), e);
            }
        }
    }

    /// @param enabled whether connection pools are wrapped
    /// @param deadline how long a request may hold a connection; over 0
    /// @param viewConnection what happens when a view needs a connection
    /// @param fleetConnections the database's connections for all instances; null to leave pools as
    ///     they are configured
    /// @param fleetName a name with an address for each instance, by which they are counted
    public record Data(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("20s") Duration deadline,
            @DefaultValue("reacquire") Stage.LateUse viewConnection,
            @Nullable Integer fleetConnections,
            @Nullable String fleetName) {

        /// @throws IllegalArgumentException if a value is out of range, or one of two is missing
        public Data {
            if ((fleetConnections == null) != (fleetName == null)) {
                throw new IllegalArgumentException(
                        "tandem.data.fleet-connections and tandem.data.fleet-name belong together");
            }
            if (fleetConnections != null
                    && (fleetConnections < DatabaseBudget.CONNECTIONS_MIN
                            || fleetConnections > DatabaseBudget.CONNECTIONS_MAX)) {
                throw new IllegalArgumentException(
                        "tandem.data.fleet-connections must be "
                                + DatabaseBudget.CONNECTIONS_MIN
                                + " to "
                                + DatabaseBudget.CONNECTIONS_MAX
                                + ", was "
                                + fleetConnections);
            }
            if (deadline.isZero() || deadline.isNegative()) {
                throw new IllegalArgumentException(
                        "tandem.data.deadline must be over 0, was " + deadline);
            }
        }
    }
}
