package dev.tandem.spring;

import dev.tandem.database.Stage;
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
/// @param management the server's management address
/// @param data handling of data sources
@ConfigurationProperties("tandem")
public record TandemProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("true") boolean inPlace,
        @DefaultValue List<String> sessionCookies,
        @DefaultValue List<String> probes,
        @DefaultValue Management management,
        @DefaultValue Data data) {

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

    /// @param enabled whether connection pools are wrapped
    /// @param deadline how long a request may hold a connection; over 0
    /// @param viewConnection what happens when a view needs a connection
    public record Data(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("20s") Duration deadline,
            @DefaultValue("reacquire") Stage.LateUse viewConnection) {

        /// @throws IllegalArgumentException if it is out of range
        public Data {
            if (deadline.isZero() || deadline.isNegative()) {
                throw new IllegalArgumentException(
                        "tandem.data.deadline must be over 0, was " + deadline);
            }
        }
    }
}
