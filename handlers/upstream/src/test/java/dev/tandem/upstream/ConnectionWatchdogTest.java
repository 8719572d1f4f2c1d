package dev.tandem.upstream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.Patience;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Errors, such as for lack of memory for a moment, which must not end the checks: time-outs would
/// be without effect until the restart.
@Timeout(60)
class ConnectionWatchdogTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private final LogCapture log = LogCapture.of("dev.tandem.upstream");
    private Listener listener;

    @BeforeEach
    void listen() throws IOException {
        listener = new Listener();
    }

    @AfterEach
    void stop() throws IOException {
        listener.close();
        log.close();
    }

    private static boolean fail() {
        throw new StackOverflowError("of one connection");
    }

    @Test
    void errorOfOneConnectionDoesNotEndTheOthersTimeouts() throws Exception {
        try (UpstreamPool pool = Listener.pool(UpstreamOptions.DEFAULT, listener)) {
            UpstreamConnection other = Listener.borrow(pool);
            UpstreamConnection broken =
                    pool.borrow(
                            new HashSet<>(),
                            Listener.client("127.0.0.2"),
                            true,
                            ConnectionWatchdogTest::fail);
            assertThrows(UpstreamException.class, broken::read, "its check has failed");
            other.setTimeout(Duration.ofMillis(200));
            assertThrows(UpstreamTimeoutException.class, other::read);
            pool.discard(broken);
            pool.discard(other);
            assertEquals(1, log.messages(line -> line.contains("the check of a")).size());
        }
    }

    @Test
    void errorOfThePeriodicTaskDoesNotEndTheChecks() throws Exception {
        var runs = new AtomicInteger();
        var watchdog =
                new ConnectionWatchdog(
                        "watchdog",
                        () -> {
                            if (runs.incrementAndGet() == 1) {
                                throw new OutOfMemoryError("at the moment");
                            }
                        });
        var upstream = new Upstream(listener.address(), UpstreamOptions.DEFAULT);
        UpstreamConnection connection =
                UpstreamConnection.open(upstream, watchdog, LONG, () -> false);
        Patience.until("a run after the error", () -> runs.get() > 2);
        connection.dispose();
        watchdog.shutdown();
    }

    /// It would be watched for good, and its socket stay open until its time-out.
    @Test
    void connectionThatFailsByAnExceptionWhileItIsOpenedIsNotWatched() {
        var watchdog = new ConnectionWatchdog("watchdog-of-none", () -> {});
        var upstream =
                new Upstream(
                        Address.of("name.invalid:1"),
                        UpstreamOptions.DEFAULT,
                        () -> List.of(InetSocketAddress.createUnresolved("name.invalid", 1)));
        assertThrows(
                UnresolvedAddressException.class,
                () -> UpstreamConnection.open(upstream, watchdog, LONG, null));
        watchdog.shutdown();
        Patience.until("it has none to watch", () -> !isRunning("watchdog-of-none"));
    }

    private static boolean isRunning(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals(name));
    }
}
