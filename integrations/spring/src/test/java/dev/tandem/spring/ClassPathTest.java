package dev.tandem.spring;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.spring.plain.Plain;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// The starter needs no classes that an application does not have.
class ClassPathTest {
    private static final List<String> DATA =
            List.of("jdbc", "hibernate", "jpa", "orm", "redis", "lettuce", "spring-session");
    private static final List<String> WATCHED =
            List.of("actuator", "health", "micrometer-core", "boot-micrometer");

    private static void startsWithout(List<String> without, String... properties) throws Exception {
        try (var running = ApplicationProcess.start(Plain.class, without, properties)) {
            String thread = running.get("/connector").text();
            assertTrue(thread.startsWith("tandem-"), thread);
        }
    }

    /// Nothing is created before it is needed, either.
    @Test
    void starterRunsWithWebOnly() throws Exception {
        var without = new ArrayList<>(DATA);
        without.addAll(WATCHED);
        without.addAll(List.of("thymeleaf", "HikariCP", "h2-", "spring-tx"));
        startsWithout(without, "spring.main.lazy-initialization=true");
    }

    /// Spring Boot prefers Hikari to any other pool, so the starter does not bring it.
    @Test
    void starterRunsWithoutHikari() throws Exception {
        startsWithout(List.of("HikariCP", "redis", "lettuce", "spring-session"));
    }
}
