package dev.tandem.upstream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.FakeClock;
import dev.tandem.testkit.LogCapture;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Look-ups whose threads the test runs.
class ResolutionTest {
    private static final List<SocketAddress> FOUND = List.of(new InetSocketAddress("127.0.0.1", 1));

    private final FakeClock clock = new FakeClock(Long.MAX_VALUE);
    private final List<Runnable> threads = new ArrayList<>();
    private @Nullable IOException failure;
    private boolean hasNoThread;
    private final Resolution resolution =
            new Resolution("application:1", this::find, this::thread, clock::nanos);

    private List<SocketAddress> find() throws IOException {
        IOException failed = failure;
        if (failed != null) {
            throw failed;
        }
        return FOUND;
    }

    private Thread thread(Runnable task) {
        if (hasNoThread) {
            throw new OutOfMemoryError("unable to create native thread");
        }
        threads.add(task);
        return new Thread();
    }

    private static final class Connection implements Resolution.Waiting {
        private @Nullable List<SocketAddress> found;
        private @Nullable IOException why;
        private int calls;

        @Override
        public void resolved(List<SocketAddress> addresses) {
            found = addresses;
            calls++;
        }

        @Override
        public void unresolved(IOException failed) {
            why = failed;
            calls++;
        }
    }

    private Connection await() {
        var made = new Connection();
        resolution.await(made);
        return made;
    }

    /// Clients that come and go while a name server is silent.
    @Test
    void allThatWaitShareOneThread() {
        var all = new ArrayList<Connection>();
        for (int i = 0; i < 1_000; i++) {
            all.add(await());
        }
        assertEquals(1, threads.size());
        resolution.forget(all.getFirst());
        threads.getFirst().run();
        assertEquals(0, all.removeFirst().calls);
        all.forEach(each -> assertEquals(FOUND, each.found));
        Connection later = await();
        assertEquals(0, later.calls, "addresses may change");
        assertEquals(2, threads.size());
    }

    @Test
    void allLearnThatThereIsNoSuchName() {
        failure = new UnknownHostException("a.invalid");
        Connection first = await();
        Connection second = await();
        threads.getFirst().run();
        assertEquals(failure, first.why);
        assertEquals(failure, second.why);
    }

    /// Else a name server that is out ends the service of applications that run.
    @Test
    void addressesOfBeforeAreUsedWhileTheNameServerIsOut() {
        try (var log = LogCapture.of("dev.tandem.upstream")) {
            await();
            threads.removeLast().run();
            failure = new UnknownHostException("application");
            Connection first = await();
            assertEquals(0, first.calls);
            threads.removeLast().run();
            assertEquals(FOUND, first.found);
            Connection second = await();
            assertEquals(FOUND, second.found, "at once");
            threads.removeLast().run();
            assertEquals(1, second.calls);
            assertEquals(1, log.lines().size(), log.lines()::toString);
            failure = null;
            await();
            threads.removeLast().run();
            assertEquals(0, await().calls, "addresses may change");
        }
    }

    /// Most time-outs of connections are shorter than those of look-ups.
    @Test
    void slowLookUpIsNotAwaitedIfThereAreAddresses() {
        await();
        threads.removeLast().run();
        Connection first = await();
        clock.advance(Duration.ofMillis(900));
        Connection second = await();
        clock.advance(Duration.ofMillis(200));
        Connection third = await();
        assertEquals(FOUND, third.found);
        assertEquals(0, first.calls + second.calls);
        resolution.check();
        assertEquals(FOUND, first.found);
        assertEquals(FOUND, second.found);
        threads.removeLast().run();
        assertEquals(1, first.calls);
        assertEquals(1, third.calls);
        assertEquals(0, threads.size(), "one look-up for all");
    }

    @Test
    void firstLookUpIsAwaitedHoweverSlowItIs() {
        Connection first = await();
        clock.advance(Duration.ofSeconds(2));
        resolution.check();
        assertEquals(0, first.calls);
        threads.removeLast().run();
        assertEquals(FOUND, first.found);
    }

    @Test
    void lackOfThreadsIsAFailureOfTheLookUp() {
        hasNoThread = true;
        Connection first = await();
        assertTrue(String.valueOf(first.why).contains("thread"));
        hasNoThread = false;
        Connection second = await();
        threads.getFirst().run();
        assertEquals(FOUND, second.found);
        assertEquals(1, first.calls);
    }

    /// Its address may be another application's by then.
    @Test
    void addressesOfANameThatIsGoneAreNotUsedForEver() {
        try (var _ = LogCapture.of("dev.tandem.upstream")) {
            await();
            threads.removeFirst().run();
            failure = new UnknownHostException("application");
            await();
            threads.removeFirst().run();
            clock.advance(Duration.ofMinutes(10));
            assertEquals(FOUND, await().found);
            clock.advance(Duration.ofSeconds(1));
            threads.removeFirst().run();
            Connection late = await();
            assertEquals(0, late.calls);
            threads.removeFirst().run();
            assertEquals(failure, late.why);
        }
    }
}
