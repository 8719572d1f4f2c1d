package dev.tandem.engine.container;

import dev.tandem.http.RequestTarget;

/// Handles all requests, over HTTP/1.1 and HTTP/2: a servlet container, for example. It takes the
/// place of routes, filters and error pages; see [dev.tandem.Tandem#container]. Safe for use by any
/// thread.
public interface Container {
    /// A name that [#routeOf] returns as long as the route is unknown: it is called again for the
    /// target.
    String NOT_KNOWN_YET = "(not known yet)";

    /// Handles a request, in blocking style, on a worker; or begins to, having called
    /// [ContainerExchange#share()], and continues later.
    ///
    /// @throws Exception on any failure. Before the response has begun, an error page is sent;
    ///     afterwards the connection is closed, or the stream reset, since the response is
    ///     incomplete
    void serve(ContainerExchange exchange) throws Exception;

    /// Ends an exchange that has been [upgraded][ContainerExchange#upgrade()], since the server
    /// stops: a step of the exchange, which follows those that are due. It may send its last
    /// message, and the exchange may last for a second.
    ///
    /// @throws Exception on any failure: the connection is closed
    default void stopping(ContainerExchange upgraded) throws Exception {
        upgraded.end();
    }

    /// Returns the route of requests for `target`, by which their times are learned. Called on the
    /// event loop, once for each target that is not cached: it must not block.
    ///
    /// @return one of a bounded number of names, such as the pattern that the target matches; one
    ///     that begins with the method and a space applies to that method alone
    String routeOf(String method, RequestTarget target);

    /// Whether a name returned by [#routeOf] is a health check, which uses the probe lane. Called
    /// once for each name.
    default boolean isProbe(String route) {
        return false;
    }

    /// How requests are read for it. Asked once, before the server starts.
    default ContainerOptions options() {
        return ContainerOptions.DEFAULT;
    }
}
