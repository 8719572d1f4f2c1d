package dev.tandem.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.net.Datagrams;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ServiceConfigurationError;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class SupervisorTest {
    private final List<String> log = new ArrayList<>();
    private final AtomicInteger searches = new AtomicInteger();

    private record Sender(Consumer<String> sent) implements Datagrams {
        @Override
        public boolean isUsable() {
            return true;
        }

        @Override
        public void send(String to, byte[] content, int... descriptors) {
            sent.accept(to + " " + new String(content, StandardCharsets.UTF_8));
        }

        @Override
        public Receiver bind(Path path) {
            throw new AssertionError(path);
        }
    }

    private Supervisor supervisor(String socket, Consumer<String> sent) {
        return new Supervisor(
                socket,
                () -> {
                    searches.incrementAndGet();
                    return Optional.of(new Sender(sent));
                },
                log::add);
    }

    /// An upgrade removes the jar in which it is looked for.
    @Test
    void looksForItsSenderAtTheStartOnly() {
        var sent = new ArrayList<String>();
        Supervisor supervisor = supervisor("@notify", sent::add);
        assertEquals(1, searches.get());
        supervisor.ready();
        supervisor.reloading();
        supervisor.stopping();
        assertEquals(1, searches.get());
        assertEquals(3, sent.size());
        assertEquals("@notify STOPPING=1", sent.getLast());
        assertEquals(List.of(), log);
    }

    /// Else neither a stop nor a reload would follow.
    @Test
    void failureIsLoggedOnce() {
        Supervisor supervisor =
                supervisor(
                        "@notify",
                        line -> {
                            throw new NoClassDefFoundError("removed");
                        });
        supervisor.reloading();
        supervisor.stopping();
        assertEquals(1, log.size(), log::toString);
        assertTrue(log.getFirst().contains("removed"), log::toString);
    }

    @Test
    void missingSenderDoesNotEndTheStart() {
        var supervisor =
                new Supervisor(
                        "@notify",
                        () -> {
                            throw new ServiceConfigurationError("a jar is not there");
                        },
                        log::add);
        supervisor.ready();
        assertEquals(1, log.size(), log::toString);
    }

    @Test
    void nothingIsLookedForWithoutSupervisor() {
        supervisor("", line -> {}).ready();
        assertEquals(0, searches.get());
    }
}
