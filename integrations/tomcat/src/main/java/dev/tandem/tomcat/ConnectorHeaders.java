package dev.tandem.tomcat;

import dev.tandem.http.RequestHead;
import java.net.SocketAddress;
import java.util.function.BiConsumer;

/// Headers of all responses, such as reports to load balancers: they are added before an
/// application gets the request, which may replace them.
@FunctionalInterface
public interface ConnectorHeaders {

    /// Adds headers to a response. Called by the thread that runs the request; must not block.
    ///
    /// @param peer whose connection it is
    /// @param head of the request
    /// @param isSecure whether it came by TLS
    /// @param response receives names and values
    void addTo(
            SocketAddress peer,
            RequestHead head,
            boolean isSecure,
            BiConsumer<String, String> response);
}
