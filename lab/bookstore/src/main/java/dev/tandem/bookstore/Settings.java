package dev.tandem.bookstore;

/// The settings of a store.
///
/// @param url of JDBC: H2, MariaDB or PostgreSQL
/// @param poolSize connections, 1 to 1,000
/// @param population the content of a database that has no tables of ours
public record Settings(
        String url, String user, String password, int poolSize, Population population)
        implements SettingsWith {
    /// 10, the default of HikariCP.
    private static final int POOL_SIZE = 10;

    /// H2 in memory.
    public static final String URL = "jdbc:h2:mem:bookstore;DB_CLOSE_DELAY=-1";

    /// H2's administrator.
    public static final String USER = "sa";

    /// H2 in memory, with the small population; lost when the process ends.
    public static final Settings DEFAULT = new Settings(URL, USER, "", POOL_SIZE, Population.SMALL);

    public Settings {
        if (poolSize < 1 || poolSize > 1_000) {
            throw new IllegalArgumentException(
                    "the pool must have 1 to 1000 connections, was " + poolSize);
        }
    }

    public Settings withDatabase(String url, String user, String password) {
        return withUrl(url).withUser(user).withPassword(password);
    }
}
