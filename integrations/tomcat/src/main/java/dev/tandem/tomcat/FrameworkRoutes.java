package dev.tandem.tomcat;

import dev.tandem.http.RequestTarget;
import org.jspecify.annotations.Nullable;

/// The routes of a framework within a servlet. One servlet serves all requests of a Spring
/// application, so its mapping says nothing about routes. Safe for use by any thread.
public interface FrameworkRoutes {

    /// Returns the route of a request. Called on the event loop, once for each target that is not
    /// cached: it must not block.
    ///
    /// @return one of a bounded number of names, which may begin with the method and a space if it
    ///     applies to that method alone; null if the framework does not know: then the servlet's
    ///     mapping is used
    @Nullable String routeOf(String method, RequestTarget target);

    /// Returns whether a route is a health check, which is served whatever the load.
    ///
    /// @param route a name returned by [#routeOf]
    boolean isProbe(String route);
}
