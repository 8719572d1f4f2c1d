package dev.tandem.tomcat;

import static dev.tandem.tomcat.BlockingServletTest.servlet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.apache.catalina.LifecycleException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// `manage="ADDR:PORT"` on a `<Connector>`.
class ManagementAddressTest {
    private static final String TOKEN = "0123456789abcdef";

    private static Server server(TestTomcat site) {
        return Objects.requireNonNull(
                ((TandemProtocol) site.connector.getProtocolHandler()).server());
    }

    private static RawClient client(TestTomcat site) throws Exception {
        return RawClient.connect(Objects.requireNonNull(server(site).managementAddress()));
    }

    @Test
    void managementAddressReportsRouteMetrics() throws Exception {
        try (var site =
                new TestTomcat().with("/hello", servlet((_, s) -> s.getWriter().print("hi")))) {
            assertTrue(site.connector.setProperty("manage", "127.0.0.1:0"));
            site.start();
            try (RawClient client = site.client();
                    RawClient operator = client(site)) {
                // The route is known from the second request on; metrics are updated after
                // responses.
                Patience.until(
                        "its route",
                        () -> metrics(client, operator).contains("http_route=\"/hello\""));
            }
        }
    }

    private static String metrics(RawClient client, RawClient operator) {
        try {
            client.send("GET /hello HTTP/1.1\nHost: h\n\n").response();
            operator.send("GET /metrics HTTP/1.1\nHost: 127.0.0.1\n\n");
            return operator.response().text();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void requestWithoutTokenIsRejected() throws Exception {
        try (var site = new TestTomcat()) {
            site.connector.setProperty("manage", "0.0.0.0:0");
            site.connector.setProperty("manageToken", TOKEN);
            site.start();
            try (RawClient operator = client(site)) {
                operator.send("GET /metrics HTTP/1.1\nHost: 127.0.0.1\n\n");
                assertEquals(401, operator.response().status());
                operator.send(
                        "GET /metrics HTTP/1.1\nHost: 127.0.0.1\nAuthorization: Bearer "
                                + TOKEN
                                + "\n\n");
                assertEquals(200, operator.response().status());
            }
        }
    }

    @Test
    void connectorHasNoManagementAddressByDefault() throws Exception {
        try (TestTomcat site = new TestTomcat().start()) {
            assertNull(server(site).managementAddress());
        }
    }

    @Test
    void connectorWithInvalidManagementAddressDoesNotStart() throws Exception {
        try (var site = new TestTomcat()) {
            site.connector.setThrowOnFailure(true);
            site.connector.setProperty("manage", "9090");
            assertThrows(LifecycleException.class, site::start);
        }
    }

    @ParameterizedTest
    @CsvSource({"9090", "127.0.0.1", "127.0.0.1:65536", "unix:relative", "0.0.0.0:9090", ":80"})
    void invalidAddressIsNamed(String at) {
        var managed = new ManagementAddress(at, null);
        var message =
                assertThrows(IllegalArgumentException.class, () -> managed.addTo(Tandem.listen(0)));
        String said = String.valueOf(message.getMessage());
        assertTrue(said.startsWith("manage=\"" + at + "\": "), said);
    }
}
