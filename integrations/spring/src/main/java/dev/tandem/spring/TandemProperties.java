package dev.tandem.spring;

import dev.tandem.staged.Stage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/// What is ours to set; all else is said by Spring Boot's own `server.*`. Each has an entry in
/// `META-INF/spring-configuration-metadata.json`.
///
/// @param enabled whether Tomcat has our connector
/// @param inPlace whether requests that are known to be short run on the thread that has the
///     event loop
/// @param sessionCookies names of cookies that tell admission of a session, besides
///     `JSESSIONID`, `SESSION` and what `server.servlet.session.cookie.name` says
/// @param probes patterns of controllers that are health checks, besides Actuator's
/// @param management where the server tells how it fares
/// @param data what becomes of data sources
@ConfigurationProperties("tandem")
public record TandemProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("true") boolean inPlace,
        @DefaultValue List<String> sessionCookies,
        @DefaultValue List<String> probes,
        @DefaultValue Management management,
        @DefaultValue Data data) {

    /// Nowhere, unless there is a port or a socket.
    ///
    /// @param address of this machine
    /// @param port 0 takes one that is free
    /// @param token needed where others than this machine may reach it; at least 16 characters
    /// @param socket a Unix-domain socket, in place of address and port
    public record Management(
            @DefaultValue("127.0.0.1") String address,
            @Nullable Integer port,
            @Nullable String token,
            @Nullable Path socket) {
        private static final int PORT_MAX = 65_535;
        private static final int TOKEN_MIN = 16;

        /// @throws IllegalArgumentException if one is out of range; names it, and no token
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

    /// @param enabled whether pools of connections are wrapped
    /// @param deadline how long a request may hold a connection; over 0
    /// @param late what becomes of a view that needs a connection
    public record Data(
            @DefaultValue("true") boolean enabled,
            @DefaultValue("20s") Duration deadline,
            @DefaultValue("taken-anew") Stage.LateUse late) {

        /// @throws IllegalArgumentException if it is out of range
        public Data {
            if (deadline.isZero() || deadline.isNegative()) {
                throw new IllegalArgumentException(
                        "tandem.data.deadline must be over 0, was " + deadline);
            }
        }
    }
}
