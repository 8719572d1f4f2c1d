package dev.tandem.tomcat;

import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRegistration;
import java.util.Arrays;
import java.util.Set;
import org.apache.catalina.Container;
import org.apache.catalina.Engine;
import org.apache.catalina.Globals;
import org.apache.catalina.WebResourceRoot;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.servlets.DefaultServlet;
import org.jspecify.annotations.Nullable;

/// Has an application's default servlet leave files from 1 KiB to the connector, if one of its
/// connectors has a page cache; Catalina's own limit is 48 KiB. With tags made of the content, or
/// precompressed files, Catalina looks at files at each request, so that validators and content
/// agree: the connector cannot tell from such headers that Catalina, which remembers a file for
/// 5 s, describes an earlier state.
///
/// Catalina finds it in applications with a `web.xml` or annotations; others add it by
/// `context.addServletContainerInitializer(new StaticFileInitializer(), null)`.
public final class StaticFileInitializer implements ServletContainerInitializer {
    /// For [java.util.ServiceLoader].
    public StaticFileInitializer() {}

    @Override
    public void onStartup(@Nullable Set<Class<?>> classes, ServletContext application) {
        if (!(application.getAttribute(Globals.RESOURCES_ATTR) instanceof WebResourceRoot root)
                || !hasPageCache(root.getContext())) {
            return;
        }
        for (ServletRegistration each : application.getServletRegistrations().values()) {
            if (DefaultServlet.class.getName().equals(each.getClassName())) {
                each.setInitParameter("sendfileSize", "1"); // KiB; not if the application has one
                if (isSet(each, "useStrongETags") || isSet(each, "precompressed")) {
                    root.setCacheTtl(0);
                }
            }
        }
    }

    private static boolean isSet(ServletRegistration servlet, String parameter) {
        String value = servlet.getInitParameter(parameter);
        return value != null && !value.equals("false");
    }

    private static boolean hasPageCache(Container application) {
        Container outer = application;
        while (outer != null && !(outer instanceof Engine)) {
            outer = outer.getParent();
        }
        return outer instanceof Engine engine
                && engine.getService() != null
                && Arrays.stream(engine.getService().findConnectors())
                        .map(Connector::getProtocolHandler)
                        .anyMatch(p -> p instanceof TandemProtocol own && own.hasFileCache());
    }
}
