package dev.tandem.tomcat;

import dev.tandem.http.RequestTarget;
import org.jspecify.annotations.Nullable;

/// What a framework within a servlet knows of its routes: one servlet answers all of a Spring
/// application, so that its mapping tells admission nothing. Safe for use by any thread.
public interface FrameworkRoutes {

    /// Asked on the event loop, once for each target that is not remembered: it must not wait.
    ///
    /// @return one of a bounded number of names, which may begin with the method and a space if it
    ///     is for that one alone; null if the framework does not know: then the servlet's mapping
    ///     counts
    @Nullable String routeOf(String method, RequestTarget target);

    /// Whether a route is a health check, which is answered whatever the load.
    ///
    /// @param route as it was named here
    boolean isProbe(String route);
}
