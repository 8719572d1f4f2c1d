package dev.tandem.spring.sample;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/// REST resources of the sample.
@RestController
public class Rest {
    /// Latches of a request that waits for another.
    public static final CountDownLatch BEGUN = new CountDownLatch(1);

    public static final CountDownLatch MAY_END = new CountDownLatch(1);

    private final JdbcTemplate jdbc;

    Rest(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @GetMapping("/hello/{name}")
    Map<String, String> hello(@PathVariable String name) {
        return Map.of("hello", name);
    }

    @PostMapping("/hello/{name}")
    String greet(@PathVariable String name) {
        return "you, " + name;
    }

    @GetMapping("/db/{id}")
    Map<String, @Nullable Object> row(@PathVariable int id) {
        return jdbc.queryForMap("SELECT id, name FROM author WHERE id = ?", id);
    }

    @GetMapping("/thread")
    String thread() {
        return "virtual " + Thread.currentThread().isVirtual();
    }

    @GetMapping("/later")
    CompletableFuture<String> later() {
        return CompletableFuture.supplyAsync(() -> "later");
    }

    @GetMapping("/long")
    String waits() throws InterruptedException {
        BEGUN.countDown();
        return "ended " + MAY_END.await(30, TimeUnit.SECONDS);
    }

    @GetMapping("/text")
    String text() {
        return "all work and no play ".repeat(500);
    }

    @GetMapping("/fails")
    String fails() {
        throw new IllegalStateException("as it must");
    }
}
