package dev.tandem.auction;

import jakarta.servlet.ServletContext;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The site's settings, from context parameters or else system properties, with the prefix
/// `auction.`.
///
/// @param url of JDBC: H2, MariaDB or PostgreSQL. By default H2 in memory
/// @param poolSize connections, 1 to 1,000
/// @param poolWaitMillis after which a request fails because no connection is available, 250 to
///     60,000
/// @param querySeconds after which a query is given up, 1 to 3,600: the client has disconnected by
///     then
/// @param sessions the maximum number of anonymous ones, and of members', 1 to 10,000,000 each
/// @param passwordIterations of PBKDF2 for new passwords, 1 to 10,000,000
/// @param ending how many auctions that end soon the front page shows, 1 to 24; by default 0, since
///     RUBiS' front page has no data
/// @param population the content of a database that has no tables of ours
record Settings(
        String url,
        String user,
        String password,
        int poolSize,
        int poolWaitMillis,
        int querySeconds,
        int sessions,
        int passwordIterations,
        int ending,
        Population population) {

    /// OWASP's recommendation of 2023 for PBKDF2 with HMAC-SHA256: about 0.1 to 0.2 s of computing.
    private static final int PASSWORD_ITERATIONS = 600_000;

    private static final int POOL_SIZE = 10;
    private static final int QUERY_SECONDS = 20;

    /// In Tomcat a session takes 650 bytes: 32 MB for each kind.
    private static final int SESSIONS = 50_000;

    private static final int POOL_WAIT_MILLIS = 3_000;

    /// @param named returns the value of a name, or null
    /// @throws IllegalArgumentException if a value is invalid; the message names it
    static Settings read(Function<String, @Nullable String> named) {
        Population small = Population.SMALL;
        return new Settings(
                text(named, "url", "jdbc:h2:mem:auction;DB_CLOSE_DELAY=-1"),
                text(named, "user", "sa"),
                text(named, "password", ""),
                number(named, "pool", POOL_SIZE, 1_000),
                Math.max(250, number(named, "pool.wait", POOL_WAIT_MILLIS, 60_000)),
                number(named, "query", QUERY_SECONDS, 3_600),
                number(named, "sessions", SESSIONS, 10_000_000),
                number(named, "password.iterations", PASSWORD_ITERATIONS, 10_000_000),
                named.apply("auction.ending") == null ? 0 : number(named, "ending", 0, 24),
                new Population(
                        number(named, "users", small.users(), 10_000_000),
                        number(named, "items", small.items(), 10_000_000),
                        number(named, "olditems", small.oldItems(), 10_000_000),
                        number(named, "description", small.descriptionMax(), 8_192),
                        number(named, "seed", (int) small.seed(), Integer.MAX_VALUE)));
    }

    /// Returns a context parameter, or else a system property; null if there is neither.
    static @Nullable String value(ServletContext context, String name) {
        String value = context.getInitParameter(name);
        return value == null ? System.getProperty(name) : value;
    }

    private static String text(
            Function<String, @Nullable String> named, String name, String otherwise) {
        String value = named.apply("auction." + name);
        return value == null ? otherwise : value;
    }

    private static int number(
            Function<String, @Nullable String> named, String name, int otherwise, int max) {
        String value = named.apply("auction." + name);
        if (value == null) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(value);
            if (number >= 1 && number <= max) {
                return number;
            }
        } catch (NumberFormatException _) {
            // Thrown below.
        }
        throw new IllegalArgumentException(
                "auction." + name + " must be from 1 to " + max + ", was '" + value + "'");
    }
}
