package dev.tandem.upstream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.Patience;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Reuse, limits, balancing and health of a pool, over real sockets.
@Timeout(60)
class UpstreamPoolTest {
    private static final UpstreamOptions OPTIONS =
            UpstreamOptions.DEFAULT.withIdleConnectionsMax(8).withIdleTimeout(Duration.ofHours(1));

    private Listener first;
    private Listener second;

    @BeforeEach
    void listen() throws IOException {
        first = new Listener();
        second = new Listener();
    }

    @AfterEach
    void stop() throws IOException {
        first.close();
        second.close();
    }

    private static UpstreamConnection borrow(
            UpstreamPool pool, Set<Upstream> tried, boolean canRetry) throws IOException {
        return pool.borrow(tried, Listener.client("127.0.0.1"), canRetry, () -> false);
    }

    // ---- Reuse.

    @Test
    void releasedConnectionIsReused() throws IOException {
        try (UpstreamPool pool = Listener.pool(OPTIONS, first)) {
            UpstreamConnection connection = Listener.borrow(pool);
            assertTrue(connection.isNew());
            pool.release(connection);
            assertSame(connection, Listener.borrow(pool));
            assertFalse(connection.isNew());
        }
    }

    @Test
    void connectionReleasedLastIsReusedFirst() throws IOException {
        try (UpstreamPool pool = Listener.pool(OPTIONS, first)) {
            UpstreamConnection older = Listener.borrow(pool);
            UpstreamConnection newer = Listener.borrow(pool);
            pool.release(older);
            pool.release(newer);
            assertSame(newer, Listener.borrow(pool));
            assertSame(older, Listener.borrow(pool));
        }
    }

    @Test
    void discardedConnectionIsNotReused() throws IOException {
        try (UpstreamPool pool = Listener.pool(OPTIONS, first)) {
            UpstreamConnection connection = Listener.borrow(pool);
            Socket socket = first.accept();
            pool.discard(connection);
            assertEquals(-1, socket.getInputStream().read(), "it is closed");
            assertNotSame(connection, Listener.borrow(pool));
        }
    }

    @Test
    void connectionWithUnexpectedInputIsNotReused() throws IOException {
        try (UpstreamPool pool = Listener.pool(OPTIONS, first)) {
            UpstreamConnection connection = Listener.borrow(pool);
            Socket socket = first.accept();
            pool.release(connection);
            socket.getOutputStream().write('x');
            Patience.until("the byte has arrived", () -> !connection.hasNoInput());
            assertNotSame(connection, Listener.borrow(pool));
        }
    }

    @Test
    void connectionReleasedWithUnreadInputIsClosed() throws IOException {
        try (UpstreamPool pool = Listener.pool(OPTIONS, first)) {
            UpstreamConnection connection = Listener.borrow(pool);
            Socket socket = first.accept();
            socket.getOutputStream().write('x');
            assertTrue(connection.read());
            pool.release(connection);
            assertNull(pool.members().getFirst().pollIdle(System.nanoTime()));
        }
    }

    @Test
    void connectionClosedWhileIdleIsReplacedIfTheRequestCannotBeRepeated() throws IOException {
        try (UpstreamPool pool = Listener.pool(OPTIONS, first)) {
            UpstreamConnection connection = Listener.borrow(pool);
            Socket socket = first.accept();
            pool.release(connection);
            socket.close();
            Patience.until("the close has arrived", () -> !connection.isUsable());
            assertNotSame(connection, borrow(pool, new HashSet<>(), false));
        }
    }

    @Test
    void idleConnectionsAreLimited() throws IOException {
        UpstreamOptions options =
                OPTIONS.withIdleConnectionsMax(1).withIdleTimeout(Duration.ofHours(1));
        try (UpstreamPool pool = Listener.pool(options, first)) {
            UpstreamConnection kept = Listener.borrow(pool);
            first.accept();
            UpstreamConnection surplus = Listener.borrow(pool);
            Socket socket = first.accept();
            pool.release(kept);
            pool.release(surplus);
            assertEquals(-1, socket.getInputStream().read(), "it is closed");
            assertSame(kept, Listener.borrow(pool));
        }
    }

    @Test
    void connectionIdleForTooLongIsClosed() throws IOException {
        try (UpstreamPool pool = Listener.pool(OPTIONS, first)) {
            pool.release(Listener.borrow(pool));
            Socket socket = first.accept();
            Upstream upstream = pool.members().getFirst();
            upstream.closeExpired(System.nanoTime() + Duration.ofHours(2).toNanos());
            assertNull(upstream.pollIdle(System.nanoTime()));
            assertEquals(-1, socket.getInputStream().read(), "it is closed");
        }
    }

    @Test
    void closeOfThePoolClosesIdleConnectionsAndThoseReleasedLater() throws IOException {
        UpstreamPool pool = Listener.pool(OPTIONS, first);
        UpstreamConnection idle = Listener.borrow(pool);
        Socket idleSocket = first.accept();
        UpstreamConnection active = Listener.borrow(pool);
        Socket activeSocket = first.accept();
        pool.release(idle);
        pool.close();
        assertEquals(-1, idleSocket.getInputStream().read());
        activeSocket.getOutputStream().write('x');
        assertTrue(active.read(), "a connection in use remains open");
        assertEquals('x', active.input().get());
        pool.release(active);
        assertEquals(-1, activeSocket.getInputStream().read());
    }

    // ---- Limits.

    @Test
    void borrowBeyondTheConnectionLimitFails() throws IOException {
        try (UpstreamPool pool = Listener.pool(OPTIONS.withConnectionsMax(1), first)) {
            UpstreamConnection connection = Listener.borrow(pool);
            assertThrows(PoolExhaustedException.class, () -> Listener.borrow(pool));
            pool.release(connection);
            assertSame(connection, Listener.borrow(pool));
        }
    }

    @Test
    void detachedConnectionDoesNotCountAgainstTheLimit() throws IOException {
        try (UpstreamPool pool = Listener.pool(OPTIONS.withConnectionsMax(1), first)) {
            UpstreamConnection detached = Listener.borrow(pool);
            pool.detach(detached);
            assertEquals(0, pool.members().getFirst().inUse());
            UpstreamConnection other = Listener.borrow(pool);
            pool.discard(detached);
            assertEquals(1, pool.members().getFirst().inUse(), "it is not counted twice");
            pool.discard(other);
            assertEquals(0, pool.members().getFirst().inUse());
        }
    }

    /// A client that has its share of one upstream gets connections to another.
    @Test
    void shareOfAClientIsThatOfEachUpstream() throws IOException {
        try (UpstreamPool pool = Listener.pool(OPTIONS.withConnectionsMax(8), first, second)) {
            var all = new ArrayList<UpstreamConnection>();
            for (int i = 0; i < 14; i++) {
                all.add(Listener.borrow(pool));
            }
            assertThrows(PoolExhaustedException.class, () -> Listener.borrow(pool));
            Upstream one = pool.members().getFirst();
            assertEquals(7, one.inUse());
            all.stream().filter(c -> c.upstream() == one).findFirst().ifPresent(pool::discard);
            assertSame(one, Listener.borrow(pool).upstream());
            Listener.borrow(pool, "127.0.0.2");
            Listener.borrow(pool, "127.0.0.3");
            assertThrows(PoolExhaustedException.class, () -> Listener.borrow(pool, "127.0.0.4"));
        }
    }

    // ---- Balancing.

    @Test
    void leastLoadedUpstreamIsChosen() throws IOException {
        try (UpstreamPool pool = Listener.pool(OPTIONS, first, second)) {
            UpstreamConnection one = Listener.borrow(pool);
            UpstreamConnection other = Listener.borrow(pool);
            assertNotSame(one.upstream(), other.upstream());
            Listener.borrow(pool);
            Listener.borrow(pool);
            pool.release(other);
            assertSame(other.upstream(), Listener.borrow(pool).upstream());
        }
    }

    @Test
    void triedUpstreamIsAvoidedIfThereIsAnother() throws IOException {
        try (UpstreamPool pool = Listener.pool(OPTIONS, first, second)) {
            Set<Upstream> tried = new HashSet<>();
            Upstream one = borrow(pool, tried, true).upstream();
            assertEquals(Set.of(one), tried);
            Upstream other = borrow(pool, tried, true).upstream();
            assertNotSame(one, other);
            assertEquals(Set.copyOf(pool.members()), tried);
            borrow(pool, tried, true); // any, if all were tried
        }
    }

    @Test
    void poolNeedsAnAddress() {
        assertThrows(
                IllegalArgumentException.class,
                () -> new UpstreamPool(List.of(), UpstreamOptions.DEFAULT).close());
    }

    // ---- Health.

    @Test
    void upstreamThatRejectsConnectionsIsAvoided() throws IOException {
        UpstreamOptions options = OPTIONS.withFailuresMax(1).withDownTime(Duration.ofHours(1));
        try (UpstreamPool pool = Listener.pool(options, first, second)) {
            first.close();
            assertThrows(UpstreamException.class, () -> Listener.borrow(pool));
            Upstream failed = pool.members().getFirst();
            assertFalse(failed.isUp());
            assertEquals(0, failed.inUse(), "a failed attempt is not counted");
            for (int i = 0; i < 4; i++) {
                assertSame(pool.members().getLast(), Listener.borrow(pool).upstream());
            }
        }
    }

    @Test
    void downUpstreamIsUsedIfAllAreDown() throws IOException {
        UpstreamOptions options = OPTIONS.withFailuresMax(1).withDownTime(Duration.ofHours(1));
        try (UpstreamPool pool = Listener.pool(options, first)) {
            pool.discardFailed(Listener.borrow(pool));
            assertFalse(pool.members().getFirst().isUp());
            UpstreamConnection connection = Listener.borrow(pool);
            pool.release(connection);
            assertTrue(pool.members().getFirst().isUp(), "a completed request ends the down time");
        }
    }

    @Test
    void healthChecksExcludeAnUpstreamUntilOneSucceeds() throws IOException {
        var isHealthy = new AtomicBoolean();
        first.acceptAll();
        second.acceptAll();
        try (UpstreamPool pool = Listener.pool(OPTIONS, first, second)) {
            Upstream sick = pool.members().getFirst();
            pool.startHealthChecks(
                    Duration.ofMillis(5),
                    connection -> connection.upstream() != sick || isHealthy.get());
            Patience.until("the check fails", () -> !sick.isUp());
            for (int i = 0; i < 4; i++) {
                assertSame(pool.members().getLast(), Listener.borrow(pool).upstream());
            }
            isHealthy.set(true);
            Patience.until("the check succeeds", sick::isUp);
            assertSame(sick, Listener.borrow(pool).upstream());
        }
    }

    @Test
    void healthCheckFailsIfTheUpstreamIsUnreachable() throws IOException {
        first.close();
        try (UpstreamPool pool = Listener.pool(OPTIONS, first)) {
            pool.startHealthChecks(Duration.ofMillis(5), _ -> true);
            Patience.until("the check fails", () -> !pool.members().getFirst().isUp());
        }
    }

    /// Such as for lack of memory for a moment.
    @Test
    void errorDoesNotEndHealthChecks() throws IOException {
        first.acceptAll();
        var checks = new AtomicInteger();
        try (var log = LogCapture.of("dev.tandem.upstream");
                UpstreamPool pool = Listener.pool(OPTIONS, first)) {
            Upstream upstream = pool.members().getFirst();
            pool.startHealthChecks(
                    Duration.ofMillis(5),
                    _ ->
                            switch (checks.incrementAndGet()) {
                                case 1 -> false;
                                case 2 -> throw new OutOfMemoryError("at the moment");
                                default -> true;
                            });
            Patience.until("a check after the error", () -> checks.get() > 3 && upstream.isUp());
            assertEquals(1, log.messages(line -> line.contains("health check of")).size());
        }
    }

    /// What the upstream has sent may be the reason.
    @Test
    void healthCheckThatFailsByAnExceptionExcludesTheUpstream() throws IOException {
        first.acceptAll();
        var isBroken = new AtomicBoolean(true);
        try (var log = LogCapture.of("dev.tandem.upstream");
                UpstreamPool pool = Listener.pool(OPTIONS, first)) {
            Upstream upstream = pool.members().getFirst();
            pool.startHealthChecks(
                    Duration.ofMillis(5),
                    _ -> {
                        if (isBroken.get()) {
                            throw new IllegalStateException("not a number");
                        }
                        return true;
                    });
            Patience.until("the check fails", () -> !upstream.isUp());
            isBroken.set(false);
            Patience.until("the check succeeds", upstream::isUp);
            assertFalse(log.messages(line -> line.contains("health check of")).isEmpty());
        }
    }
}
