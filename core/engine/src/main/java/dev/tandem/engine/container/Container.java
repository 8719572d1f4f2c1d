package dev.tandem.engine.container;

import dev.tandem.http.RequestTarget;

/// Answers whatever is asked, and frames its answers itself: a servlet container, for example. In
/// place of routes, filters and error pages; see [dev.tandem.Tandem#container]. Safe for use by
/// any thread.
public interface Container {
    /// A name that [#routeOf] gives until it can tell: the target is asked for again.
    String NOT_KNOWN_YET = "(not known yet)";

    /// Answers a request, in blocking style, on a worker; or begins to, having called
    /// [ContainerExchange#share()], and goes on later.
    ///
    /// @throws Exception whatever went wrong: the connection is closed, since nobody knows how far
    ///     the answer came
    void serve(ContainerExchange wire) throws Exception;

    /// What requests for `target` count as, in what is learned of how long they take. Asked on the
    /// event loop, once for each target that is not remembered: it must not wait.
    ///
    /// @return one of a bounded number of names, such as the pattern that the target matches; one
    ///     that begins with the method and a space counts for that method alone
    String routeOf(String method, RequestTarget target);

    /// Whether what [#routeOf] named is a health check, which goes by the probe lane. Asked once
    /// for each name.
    default boolean isProbe(String route) {
        return false;
    }

    /// How requests are read for it. Asked once, before the server starts.
    default ContainerOptions options() {
        return ContainerOptions.DEFAULT;
    }
}
