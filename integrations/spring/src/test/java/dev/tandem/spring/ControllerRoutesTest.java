package dev.tandem.spring;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

/// Which routes are health checks. How routes are found is tested in a running application.
class ControllerRoutesTest {
    private final ControllerRoutes routes =
            new ControllerRoutes(
                    new StaticListableBeanFactory()
                            .getBeanProvider(RequestMappingInfoHandlerMapping.class),
                    new RoutePrefix("/shop", "", List.of("/actuator/health")),
                    List.of("/alive"));

    @Test
    void healthChecksAreProbes() {
        assertTrue(routes.isProbe("/shop/actuator/health"));
        assertTrue(routes.isProbe("GET /shop/actuator/health/{*path}"));
        assertTrue(routes.isProbe("GET /shop/alive"));
        assertFalse(routes.isProbe("GET /shop/orders/{id}"));
        assertFalse(routes.isProbe("/"));
    }

    /// Such as the first request, if it is for a file.
    @Test
    void routeNamesOfTheConnectorAreNoProbes() {
        assertFalse(routes.isProbe("servlets"));
        assertFalse(routes.isProbe(""));
    }
}
