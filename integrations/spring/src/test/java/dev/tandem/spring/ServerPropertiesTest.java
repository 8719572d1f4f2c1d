package dev.tandem.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.spring.plain.Plain;
import dev.tandem.spring.visits.CountingApplication;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.web.server.PortInUseException;

/// Effects of properties, set and unset; and of contexts that are stopped and started.
class ServerPropertiesTest {
    private static final String ASK = "GET /visits HTTP/1.1\nHost: h\nCookie: none=1\n\n";

    private static RawClient client(RunningApplication site) throws IOException {
        return RawClient.connect(new InetSocketAddress("127.0.0.1", site.port()));
    }

    /// Spring Boot sets a limit of 100 by default.
    @Test
    void connectionHasNoRequestLimitByDefault() throws Exception {
        try (RunningApplication site = RunningApplication.start(CountingApplication.class);
                RawClient client = client(site)) {
            for (int i = 0; i < 102; i++) {
                assertFalse(client.send(ASK).response().saysClose(), "of request " + i);
            }
        }
    }

    /// One context after another in one JVM.
    @Test
    void connectionHasConfiguredRequestLimit() throws Exception {
        String limit = "server.tomcat.max-keep-alive-requests=";
        assertEquals(3, requestsServed(limit + 3));
        assertEquals(100, requestsServed(limit + 100));
    }

    private static int requestsServed(String property) throws IOException {
        try (RunningApplication site =
                        RunningApplication.start(CountingApplication.class, property);
                RawClient client = client(site)) {
            int served = 1;
            while (!client.send(ASK).response().saysClose()) {
                served++;
            }
            return served;
        }
    }

    @Test
    void oldFormsOfHttpAreAcceptedUnlessABeanRejectsThem() throws Exception {
        assertEquals(200, statusOfFoldedHeader("example.strict=false"));
        assertEquals(400, statusOfFoldedHeader("example.strict=true"));
    }

    private static int statusOfFoldedHeader(String property) throws IOException {
        String folded = "GET /connector HTTP/1.1\nHost: h\nX: a\n b\n\n";
        try (RunningApplication site = RunningApplication.start(Plain.class, property);
                RawClient client = client(site)) {
            return client.send(folded).response().status();
        }
    }

    @Test
    void portInUseIsNamed() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            int port = taken.getLocalPort();
            var rejection = rejected(PortInUseException.class, "server.port=" + port);
            assertEquals(port, rejection.getPort());
            // Its message would name the wrong port.
            String other = "tandem.management.port=" + port;
            var failure =
                    assertThrows(
                            Exception.class,
                            () -> RunningApplication.start(CountingApplication.class, other));
            assertTrue(causes(failure).noneMatch(PortInUseException.class::isInstance));
            assertTrue(
                    causes(failure)
                            .map(cause -> String.valueOf(cause.getMessage()))
                            .anyMatch(text -> text.matches("management: .*" + port + ".*in use")));
        }
    }

    @Test
    void invalidPropertyIsNamed() {
        for (String property :
                new String[] {
                    "tandem.data.deadline=0s",
                    "tandem.management.port=65536",
                    "tandem.management.token=short"
                }) {
            var rejection = rejected(IllegalArgumentException.class, property);
            String name = property.substring(0, property.indexOf('='));
            assertTrue(String.valueOf(rejection.getMessage()).startsWith(name), "" + rejection);
            assertFalse(String.valueOf(rejection.getMessage()).contains("short"), "" + rejection);
        }
        var rejection =
                rejected(
                        InvalidConfigurationPropertyValueException.class,
                        "tandem.management.port=0",
                        "tandem.management.address=0.0.0.0");
        assertEquals("tandem.management.address", rejection.getName());
        var size =
                rejected(
                        InvalidConfigurationPropertyValueException.class, "tandem.page-cache=much");
        assertEquals("tandem.page-cache", size.getName());
    }

    private static <T extends Exception> T rejected(Class<T> why, String... properties) {
        var failure =
                assertThrows(
                        Exception.class,
                        () -> RunningApplication.start(CountingApplication.class, properties));
        return causes(failure)
                .filter(why::isInstance)
                .map(why::cast)
                .reduce((_, last) -> last)
                .orElseThrow(() -> new AssertionError(failure));
    }

    private static Stream<Throwable> causes(Throwable failure) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause);
    }

    /// As Spring's tests and checkpoints do. The port changes.
    @Test
    void stoppedContextCanBeStarted() throws Exception {
        try (RunningApplication site = RunningApplication.start(CountingApplication.class)) {
            Server first = server(site);
            site.context.stop();
            site.context.start();
            assertFalse(first == server(site));
            try (RawClient client = client(site)) {
                assertEquals(200, client.send(ASK).response().status());
                var meters = site.context.getBean(MeterRegistry.class);
                Patience.until(
                        "meters are the new one's",
                        () -> meters.get("tandem.connections").gauge().value() == 1);
            }
        }
    }

    private static Server server(RunningApplication site) {
        return Objects.requireNonNull(site.context.getBean(TandemServer.class).server());
    }

    @Test
    void healthChecksWithOtherPathsAreProbes() {
        try (RunningApplication site =
                RunningApplication.start(
                        CountingApplication.class,
                        "management.endpoints.web.base-path=/",
                        "management.endpoints.web.path-mapping.health=healthz",
                        "management.endpoint.health.probes.add-additional-paths=true",
                        "management.endpoint.health.group.shop.additional-path=server:/shopz",
                        "management.endpoint.health.group.shop.include=ping")) {
            var routes = site.context.getBean(ControllerRoutes.class);
            for (String probe : new String[] {"/healthz", "/healthz/db", "/livez", "/shopz"}) {
                assertTrue(routes.isProbe("GET " + probe), probe);
            }
            assertFalse(routes.isProbe("GET /visits"));
        }
    }

    @Test
    void healthChecksWithAPathAsSpringBootCleansItAreProbes() throws Exception {
        try (RunningApplication site =
                RunningApplication.start(
                        CountingApplication.class,
                        "management.endpoints.web.base-path=/manage/",
                        "management.endpoints.web.path-mapping.health=")) {
            assertEquals(200, site.get("/manage/health").status());
            var routes = site.context.getBean(ControllerRoutes.class);
            assertTrue(routes.isProbe("GET /manage/health"));
            assertFalse(routes.isProbe("GET /manage/metrics"));
        }
    }
}
