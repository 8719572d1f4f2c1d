package dev.tandem.upstream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.Patience;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// New connections to an upstream whose name server is silent, until the test says what it replies.
@Timeout(60)
class LookUpTest {
    private static final Duration LONG = Duration.ofHours(1);

    private final CompletableFuture<List<SocketAddress>> reply = new CompletableFuture<>();
    private final AtomicInteger lookUps = new AtomicInteger();
    private final AtomicBoolean isDisconnected = new AtomicBoolean();
    private final ConnectionWatchdog watchdog = new ConnectionWatchdog("test", () -> {});
    private final Upstream upstream =
            new Upstream(Address.of("application:9000"), UpstreamOptions.DEFAULT, this::lookUp);

    private List<SocketAddress> lookUp() throws IOException {
        lookUps.incrementAndGet();
        try {
            return reply.get();
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @AfterEach
    void end() {
        reply.cancel(false);
        watchdog.shutdown();
    }

    private UpstreamConnection open(Duration timeout) throws IOException {
        return UpstreamConnection.open(upstream, watchdog, timeout, isDisconnected::get);
    }

    private CompletableFuture<UpstreamConnection> opening() {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return open(LONG);
                    } catch (IOException e) {
                        throw new CompletionException(e);
                    }
                },
                task -> Thread.ofPlatform().daemon().start(task));
    }

    @Test
    void requestWaitsForItNoLongerThanForItsConnection() {
        assertThrows(UpstreamTimeoutException.class, () -> open(Duration.ofMillis(100)));
        assertThrows(UpstreamTimeoutException.class, () -> open(Duration.ofMillis(100)));
        Patience.until("one look-up, which is still in progress", () -> lookUps.get() == 1);
    }

    @Test
    void requestEndsWhenItsClientHasDisconnected() throws Exception {
        CompletableFuture<UpstreamConnection> request = opening();
        Patience.until("a look-up", () -> lookUps.get() == 1);
        isDisconnected.set(true);
        var ended = assertThrows(ExecutionException.class, request::get);
        assertInstanceOf(ClientDisconnectedException.class, ended.getCause());
    }

    @Test
    void allThatWaitConnectWhenItReplies() throws Exception {
        try (var listener = new Listener()) {
            List<CompletableFuture<UpstreamConnection>> all = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                all.add(opening());
            }
            Patience.until("a look-up", () -> lookUps.get() == 1);
            reply.complete(List.of(addressOf(listener)));
            for (CompletableFuture<UpstreamConnection> each : all) {
                UpstreamConnection connection = each.get();
                assertTrue(connection.isUsable());
                connection.dispose();
            }
        }
    }

    private static SocketAddress addressOf(Listener listener) {
        return Objects.requireNonNull(listener.address().literal());
    }

    /// As where one of an application's machines is down.
    @Test
    void nextAddressIsTriedWhereOneRefuses() throws Exception {
        SocketAddress refusing;
        try (var closed = new Listener()) {
            refusing = addressOf(closed);
        }
        try (var listener = new Listener()) {
            List<SocketAddress> found = List.of(refusing, addressOf(listener));
            reply.complete(found);
            UpstreamConnection connection = open(LONG);
            assertTrue(connection.isUsable());
            connection.dispose();
            assertEquals(found.reversed(), upstream.order().of(found, System.nanoTime()));
        }
    }

    @Test
    void upstreamFailsIfAllItsAddressesDo() throws Exception {
        SocketAddress refusing;
        try (var closed = new Listener()) {
            refusing = addressOf(closed);
        }
        reply.complete(List.of(refusing, refusing));
        var failure = assertThrows(UpstreamException.class, () -> open(LONG));
        String text = String.valueOf(failure.getMessage());
        assertTrue(text.startsWith("application:9000 (127.0.0.1): "), text);
    }

    @Test
    void unknownNameIsAFailureOfTheUpstream() {
        reply.completeExceptionally(new UnknownHostException("application"));
        var failure = assertThrows(UpstreamException.class, () -> open(LONG));
        assertTrue(String.valueOf(failure.getMessage()).contains("application"));
    }
}
