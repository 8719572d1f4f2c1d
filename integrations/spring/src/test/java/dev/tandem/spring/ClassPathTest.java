package dev.tandem.spring;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.spring.plain.Plain;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What an application does not have is not asked for.
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

    /// And with nothing made before it is needed.
    @Test
    void startsWithNothingButTheWeb() throws Exception {
        var without = new ArrayList<>(DATA);
        without.addAll(WATCHED);
        without.addAll(List.of("thymeleaf", "HikariCP", "h2-", "spring-tx"));
        startsWithout(without, "spring.main.lazy-initialization=true");
    }

    /// Spring Boot would take it before any other pool, so the starter does not bring it.
    @Test
    void startsWithADatabaseAndNoHikari() throws Exception {
        startsWithout(List.of("HikariCP", "redis", "lettuce", "spring-session"));
    }
}
