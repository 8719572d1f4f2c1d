package dev.tandem.fleet;

import java.lang.System.Logger.Level;
import java.lang.management.ManagementFactory;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;

/// The connection pools of applications that this process runs, whose classes it does not share:
/// those of HikariCP with `registerMbeans`, by their MBeans.
final class PoolsByJmx {
    private static final System.Logger LOG = System.getLogger("dev.tandem.fleet");

    private PoolsByJmx() {}

    /// Sets the maximum size of all pools, and ends connections beyond it as they are returned. A
    /// pool that fails keeps its size; the log has a warning.
    ///
    /// @param size of each pool, 1 or more
    static void resize(int size) {
        MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
        for (ObjectName pool : beans.queryNames(pattern("PoolConfig (*)"), null)) {
            resize(beans, pool, size);
        }
    }

    private static void resize(MBeanServer beans, ObjectName settings, int size) {
        String name = settings.getKeyProperty("type").replaceFirst("^PoolConfig ", "Pool ");
        try {
            Object before = beans.getAttribute(settings, "MaximumPoolSize");
            if (before.equals(size)) {
                return;
            }
            beans.setAttribute(settings, new Attribute("MaximumPoolSize", size));
            if ((Integer) before > size) {
                beans.invoke(pattern(name), "softEvictConnections", new Object[0], new String[0]);
            }
        } catch (JMException e) {
            LOG.log(Level.WARNING, name + " keeps its size: " + e);
        }
    }

    private static ObjectName pattern(String type) {
        try {
            return new ObjectName("com.zaxxer.hikari:type=" + type);
        } catch (MalformedObjectNameException e) {
            throw new IllegalStateException(e); // a constant, or a name that is one already
        }
    }
}
