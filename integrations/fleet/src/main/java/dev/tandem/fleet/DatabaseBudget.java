package dev.tandem.fleet;

import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.function.IntSupplier;

/// Divides a database's connections between the instances of a fleet, however many there are:
///
/// ```java
/// IntSupplier instances = DatabaseBudget.byName("shop-instances");
/// DatabaseBudget budget = DatabaseBudget.open(90, instances, size -> {
///     pool.setMaximumPoolSize(size);
///     pool.getHikariPoolMXBean().softEvictConnections();
/// });
/// ```
///
/// One daemon thread counts the instances every two seconds. If they cannot be counted, the number
/// stays as it was, and a warning is logged once. Safe for use by any thread.
public final class DatabaseBudget implements AutoCloseable {
    /// 2: one is for instances that start.
    public static final int CONNECTIONS_MIN = 2;

    /// 1,000,000, more than any database has.
    public static final int CONNECTIONS_MAX = 1_000_000;

    /// 2 s between two counts.
    static final Duration INTERVAL = Duration.ofSeconds(2);

    /// 40 s: the JVM keeps names for 30 s (`networkaddress.cache.ttl`), then two counts, and some
    /// time to return connections.
    static final Duration SETTLE = Duration.ofSeconds(40);

    private static final System.Logger LOG = System.getLogger("dev.tandem.fleet");

    private final ConnectionBudget budget;
    private final IntSupplier instances;
    private final IntConsumer ceiling;
    /// Whether the ceiling is set after each count, not only after a change.
    private final boolean isRepeated;

    private final Thread thread;
    private volatile int share;
    private volatile boolean isClosed;
    private boolean isFailing;

    private DatabaseBudget(
            ConnectionBudget budget,
            IntSupplier instances,
            IntConsumer ceiling,
            boolean isRepeated) {
        this.budget = budget;
        this.isRepeated = isRepeated;
        this.instances = instances;
        this.ceiling = ceiling;
        this.thread = Thread.ofPlatform().daemon().name("tandem-budget").unstarted(this::run);
    }

    /// Begins with one connection, until the number of instances was the same for 40 s.
    ///
    /// @param connections of all instances together, 2 to 1,000,000; a tenth of them is for
    ///     instances that start
    /// @param instances counts the live ones, this one included; 0 if it cannot
    /// @param ceiling receives each new number of connections of this instance, 1 or more; called
    ///     by this thread at first, later by another
    /// @throws IllegalArgumentException if the number is out of range
    public static DatabaseBudget open(int connections, IntSupplier instances, IntConsumer ceiling) {
        return open(connections, instances, ceiling, false);
    }

    /// As [#open], for the HikariCP pools of applications in this process, whose classes it does
    /// not share: by their MBeans (`registerMbeans`). Each pool gets the whole share. One that is
    /// opened later has its configured size for two seconds, which should be 1.
    public static DatabaseBudget ofPools(int connections, IntSupplier instances) {
        return open(connections, instances, PoolsByJmx::resize, true);
    }

    private static DatabaseBudget open(
            int connections, IntSupplier instances, IntConsumer ceiling, boolean isRepeated) {
        var opened =
                new DatabaseBudget(
                        new ConnectionBudget(connections, SETTLE), instances, ceiling, isRepeated);
        opened.count();
        opened.thread.start();
        return opened;
    }

    /// Counts instances by the addresses of a name: of a headless service of Kubernetes, of a
    /// service of Compose, or of any name with an address for each instance.
    ///
    /// @return a number of 0 if the name is not known
    public static IntSupplier byName(String name) {
        return () -> {
            try {
                return InetAddress.getAllByName(name).length;
            } catch (UnknownHostException e) {
                return 0;
            }
        };
    }

    /// Returns how many connections this instance may have now.
    public int share() {
        return share;
    }

    private void run() {
        while (!isClosed) {
            LockSupport.parkNanos(this, INTERVAL.toNanos());
            if (!isClosed) {
                countAgain();
            }
        }
    }

    /// An error, such as for lack of memory, does not end the counting.
    private void countAgain() {
        try {
            count();
        } catch (Error e) {
            try {
                reportFailure(true, e.toString());
            } catch (OutOfMemoryError _) {
                // The next count reports.
            }
        }
    }

    private void count() {
        try {
            int counted = instances.getAsInt();
            reportFailure(counted <= 0, "the instances cannot be counted");
            int next = budget.counted(counted, System.nanoTime());
            if (next != share || isRepeated) {
                share = next;
                ceiling.accept(next);
            }
        } catch (RuntimeException e) {
            reportFailure(true, e.toString());
        }
    }

    private void reportFailure(boolean hasFailed, String why) {
        if (hasFailed && !isFailing) {
            LOG.log(Level.WARNING, "connections stay at " + share + ": " + why);
        }
        isFailing = hasFailed;
    }

    /// Ends the counting; the last number stays.
    @Override
    public void close() {
        isClosed = true;
        LockSupport.unpark(thread);
    }
}
