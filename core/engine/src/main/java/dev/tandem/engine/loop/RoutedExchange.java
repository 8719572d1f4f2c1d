package dev.tandem.engine.loop;

import dev.tandem.http.Exchange;
import dev.tandem.http.ExchangeWrapper;

/// An exchange whose handler was found by routes. For handlers that pass paths to other servers.
public interface RoutedExchange {

    /// Returns whether the path without its parameters does not have the exchange's route: a server
    /// that removes them, as servlet containers do, would serve what is another route's here.
    static boolean isRouteByParameters(Exchange x) {
        Exchange inner = x;
        while (!(inner instanceof RoutedExchange) && inner instanceof ExchangeWrapper wrapper) {
            inner = wrapper.wrapped();
        }
        return inner instanceof RoutedExchange routed && routed.isRouteByParameters();
    }

    /// See [#isRouteByParameters(Exchange)].
    boolean isRouteByParameters();
}
