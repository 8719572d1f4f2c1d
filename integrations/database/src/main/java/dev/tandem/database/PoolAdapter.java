package dev.tandem.database;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import javax.sql.DataSource;

/// Adapts a connection pool.
///
/// @param source opens connections
/// @param size the maximum number of connections
/// @param isFull whether the pool is known to be exhausted: then its failure says nothing about the
///     database
/// @param discard keeps a connection from being borrowed again
/// @param evictAll does so with all idle connections, after the database was down
record PoolAdapter(
        String name,
        DataSource source,
        IntSupplier size,
        BooleanSupplier isFull,
        Discard discard,
        Runnable evictAll) {

    interface Discard {
        void discard(Connection connection);
    }

    /// @param source the pool, or a data source in front of it
    static PoolAdapter of(HikariDataSource pool, DataSource source, Discard discard) {
        return new PoolAdapter(
                pool.getPoolName() == null ? "database" : pool.getPoolName(),
                source,
                pool::getMaximumPoolSize,
                () -> isFull(pool),
                discard,
                () -> evictAll(pool));
    }

    /// Returns an adapter of a pool of unknown type.
    static PoolAdapter of(DataSource source, String name, IntSupplier size) {
        return new PoolAdapter(name, source, new LastSize(size), () -> false, _ -> {}, () -> {});
    }

    private static boolean isFull(HikariDataSource pool) {
        return pool.isRunning()
                && pool.getHikariPoolMXBean().getActiveConnections() >= pool.getMaximumPoolSize();
    }

    private static void evictAll(HikariDataSource pool) {
        if (pool.isRunning()) {
            pool.getHikariPoolMXBean().softEvictConnections();
        }
    }

    /// Calls foreign code under the lane's lock; returns its last value when it fails.
    private static final class LastSize implements IntSupplier {
        private final IntSupplier size;
        private volatile int last = 1;

        LastSize(IntSupplier size) {
            this.size = size;
        }

        @Override
        public int getAsInt() {
            try {
                last = size.getAsInt();
            } catch (RuntimeException _) {
                // The last value is good enough until the next call succeeds.
            }
            return last;
        }
    }
}
