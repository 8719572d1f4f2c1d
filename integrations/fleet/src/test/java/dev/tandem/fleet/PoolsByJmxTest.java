package dev.tandem.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.lang.management.ManagementFactory;
import java.util.concurrent.atomic.AtomicInteger;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Pools with the names and attributes of HikariCP's MBeans.
class PoolsByJmxTest {
    private static final MBeanServer BEANS = ManagementFactory.getPlatformMBeanServer();

    private final AtomicInteger size = new AtomicInteger(10);
    private final AtomicInteger evictions = new AtomicInteger();

    /// As `HikariConfigMXBean`.
    public interface Config {
        int getMaximumPoolSize();

        void setMaximumPoolSize(int size);
    }

    /// As `HikariPoolMXBean`.
    public interface Pool {
        void softEvictConnections();
    }

    private static ObjectName name(String type) throws Exception {
        return new ObjectName("com.zaxxer.hikari:type=" + type);
    }

    private void open() throws Exception {
        var config =
                new Config() {
                    @Override
                    public int getMaximumPoolSize() {
                        return size.get();
                    }

                    @Override
                    public void setMaximumPoolSize(int next) {
                        size.set(next);
                    }
                };
        BEANS.registerMBean(
                new StandardMBean(config, Config.class, true), name("PoolConfig (shop)"));
        Pool pool = evictions::incrementAndGet;
        BEANS.registerMBean(new StandardMBean(pool, Pool.class, true), name("Pool (shop)"));
    }

    @AfterEach
    void close() throws Exception {
        for (ObjectName each : BEANS.queryNames(name("Pool*"), null)) {
            BEANS.unregisterMBean(each);
        }
    }

    @Test
    void smallerPoolEndsConnectionsOnce() throws Exception {
        open();
        PoolsByJmx.resize(4);
        PoolsByJmx.resize(4);
        assertEquals(4, size.get());
        assertEquals(1, evictions.get());
    }

    @Test
    void largerPoolKeepsItsConnections() throws Exception {
        open();
        PoolsByJmx.resize(20);
        assertEquals(20, size.get());
        assertEquals(0, evictions.get());
    }

    @Test
    void poolThatIsOpenedLaterIsFound() throws Exception {
        PoolsByJmx.resize(3);
        open();
        PoolsByJmx.resize(3);
        assertEquals(3, size.get());
    }
}
