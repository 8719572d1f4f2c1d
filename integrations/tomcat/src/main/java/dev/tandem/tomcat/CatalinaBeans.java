package dev.tandem.tomcat;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.catalina.Service;
import org.apache.catalina.connector.Connector;
import org.jspecify.annotations.Nullable;

/// Finds the connector that a protocol handler belongs to, of which Catalina does not inform it,
/// through the bean of its service.
final class CatalinaBeans {
    private CatalinaBeans() {}

    /// Returns the connector; null if there are no beans, as where a program has turned them off.
    static @Nullable Connector connectorOf(TandemProtocol protocol) {
        Object resource;
        try {
            var name = new ObjectName(protocol.getDomain() + ":type=Service");
            resource =
                    ManagementFactory.getPlatformMBeanServer()
                            .getAttribute(name, "managedResource");
        } catch (JMException | RuntimeException _) {
            return null;
        }
        if (resource instanceof Service service) {
            for (Connector each : service.findConnectors()) {
                if (each.getProtocolHandler() == protocol) {
                    return each;
                }
            }
        }
        return null; // the beans are those of another Tomcat with the same name
    }
}
