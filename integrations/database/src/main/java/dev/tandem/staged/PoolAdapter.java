package dev.tandem.staged;

import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import javax.sql.DataSource;

/// What differs between pools.
///
/// @param source opens connections
/// @param size how many there may be
/// @param isFull whether it is known to have lent as many as it may: then that it lends no more
///     tells nothing of the database
/// @param discard keeps a connection from being lent again
/// @param evictAll does so with all that are there: the database was away
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

    /// @param source the pool, or what stands before it
    static PoolAdapter of(HikariDataSource pool, DataSource source, Discard discard) {
        return new PoolAdapter(
                pool.getPoolName() == null ? "database" : pool.getPoolName(),
                source,
                pool::getMaximumPoolSize,
                () -> isFull(pool),
                discard,
                () -> evictAll(pool));
    }

    /// One of which nothing is known.
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

    /// Somebody else's code, asked under the lane's lock: what it said last, when it fails.
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
                // A connection more or less, until it can say so again.
            }
            return last;
        }
    }
}
