package dev.tandem.lab.commands;

import dev.tandem.Gauge;
import dev.tandem.Tandem;
import java.lang.management.ManagementFactory;
import java.util.function.DoubleSupplier;
import javax.management.JMException;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/// Gauges of the auction's database connection pool, read from HikariCP's JMX beans: JMX is how the
/// server can look into an application that has its own class loader.
final class PoolGauges {
    private static final String SECTION = "database_pool";

    private PoolGauges() {}

    /// @param pool its name
    static void addTo(Tandem tandem, String pool) {
        try {
            var name = new ObjectName("com.zaxxer.hikari:type=Pool (" + pool + ")");
            tandem.gauge(
                            new Gauge(
                                    SECTION,
                                    "active",
                                    "Connections in use by requests.",
                                    number(name, "ActiveConnections")))
                    .gauge(
                            new Gauge(
                                    SECTION,
                                    "idle",
                                    "Idle connections.",
                                    number(name, "IdleConnections")))
                    .gauge(
                            new Gauge(
                                    SECTION,
                                    "waiting",
                                    "Requests waiting for a connection.",
                                    number(name, "ThreadsAwaitingConnection")));
        } catch (MalformedObjectNameException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /// Fails while there is no pool; then no gauge is shown.
    private static DoubleSupplier number(ObjectName name, String attribute) {
        return () -> {
            try {
                Object value =
                        ManagementFactory.getPlatformMBeanServer().getAttribute(name, attribute);
                return ((Number) value).doubleValue();
            } catch (JMException e) {
                throw new IllegalStateException(e);
            }
        };
    }
}
