package dev.tandem.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.FakeClock;
import dev.tandem.testkit.Patience;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Waits of a worker on its connection: for input, for output, and time-outs.
class ConnectionWaitTest {
    private static final long LONG = Duration.ofSeconds(20).toNanos();

    private final ScriptedPoller poller = new ScriptedPoller();
    private final FakeClock clock = new FakeClock(0);
    private final Loop loop = new Loop(poller, clock::nanos);
    private final ScriptedSocket socket = new ScriptedSocket();
    private Connection connection = accept();

    private Connection accept() {
        var made = new Connection[1];
        loop.addConnection(
                socket,
                c -> {
                    made[0] = c;
                    return new RecordingProtocol(c);
                });
        return made[0];
    }

    @BeforeEach
    void handOver() throws IOException {
        connection.awaitInput();
        connection.handOver();
    }

    private static int read(Connection connection, long nanos) throws IOException {
        var to = new IoBuffer(10);
        int count = connection.socket().read(to);
        while (count == 0) {
            connection.awaitInput(nanos);
            count = connection.socket().read(to);
        }
        return count;
    }

    private void write(int size) throws IOException {
        var from = new IoBuffer(size);
        socket.write(from);
        while (from.bytes().hasRemaining()) {
            connection.awaitOutput(LONG);
            socket.write(from);
        }
    }

    private FutureTask<Integer> reading(long deadline) {
        var task = new FutureTask<>(() -> read(connection, deadline));
        Thread.ofPlatform().daemon().start(task);
        return task;
    }

    private FutureTask<Integer> writing(int size) {
        var task =
                new FutureTask<>(
                        () -> {
                            write(size);
                            return size;
                        });
        Thread.ofPlatform().daemon().start(task);
        return task;
    }

    private void awaitInterest(int interest) {
        Patience.until("interest " + interest, () -> poller.interest(socket) == interest);
    }

    private static int result(FutureTask<Integer> task) throws Exception {
        return task.get(20, TimeUnit.SECONDS);
    }

    @Test
    void inputEndsWait() throws Exception {
        FutureTask<Integer> read = reading(LONG);
        awaitInterest(Poller.READ | Poller.ONCE);
        socket.receive(3);
        connection.ready(Poller.READ);
        assertEquals(3, result(read));
    }

    @Test
    void spuriousWakeUpContinuesWait() throws Exception {
        FutureTask<Integer> read = reading(LONG);
        awaitInterest(Poller.READ | Poller.ONCE);
        int before = poller.changes();
        connection.ready(Poller.READ);
        Patience.until("armed anew", () -> poller.changes() > before);
        socket.receive(3);
        connection.ready(Poller.READ);
        assertEquals(3, result(read));
    }

    @Test
    void writabilityEndsEachWait() throws Exception {
        FutureTask<Integer> write = writing(10);
        for (int i = 0; i < 10; i++) {
            awaitInterest(Poller.WRITE | Poller.ONCE);
            int before = poller.changes();
            socket.makeRoom(1);
            connection.ready(Poller.WRITE);
            if (i < 9) {
                Patience.until("armed anew", () -> poller.changes() > before);
            }
        }
        assertEquals(10, result(write));
    }

    @Test
    void connectionReturnsToLoopAfterWait() throws Exception {
        FutureTask<Integer> read = reading(LONG);
        awaitInterest(Poller.READ | Poller.ONCE);
        socket.receive(3);
        connection.ready(Poller.READ);
        result(read);
        connection.returnToLoop();
        assertEquals(Poller.READ, poller.interest(socket));
    }

    @Test
    void waitWithoutEventTimesOut() {
        FutureTask<Integer> read = reading(Duration.ofMillis(1).toNanos());
        awaitInterest(Poller.READ | Poller.ONCE);
        clock.advance(Duration.ofMillis(2));
        var thrown = assertThrows(ExecutionException.class, () -> result(read));
        assertInstanceOf(TimeoutIOException.class, thrown.getCause());
    }

    /// The event occurs after the worker has timed out: the loop must ignore it.
    @Test
    void eventAfterTimeOutIsIgnored() throws Exception {
        FutureTask<Integer> read = reading(Duration.ofMillis(1).toNanos());
        awaitInterest(Poller.READ | Poller.ONCE);
        clock.advance(Duration.ofMillis(2));
        assertThrows(ExecutionException.class, () -> result(read));
        int before = poller.changes();
        connection.ready(Poller.READ);
        assertEquals(before, poller.changes());
        connection.returnToLoop();
        assertEquals(Poller.READ, poller.interest(socket));
    }

    @Test
    void cancelEndsWait() {
        FutureTask<Integer> read = reading(LONG);
        awaitInterest(Poller.READ | Poller.ONCE);
        connection.cancelWait();
        var thrown = assertThrows(ExecutionException.class, () -> result(read));
        assertInstanceOf(TimeoutIOException.class, thrown.getCause());
    }

    @Test
    void earlierCancelEndsWait() {
        connection.cancelWait();
        FutureTask<Integer> read = reading(LONG);
        var thrown = assertThrows(ExecutionException.class, () -> result(read));
        assertInstanceOf(TimeoutIOException.class, thrown.getCause());
    }

    @Test
    void interruptEndsWait() {
        var task = new FutureTask<>(() -> read(connection, LONG));
        Thread thread = Thread.ofPlatform().daemon().start(task);
        awaitInterest(Poller.READ | Poller.ONCE);
        thread.interrupt();
        var thrown = assertThrows(ExecutionException.class, () -> result(task));
        assertTrue(String.valueOf(thrown.getCause()).endsWith("interrupted"));
    }

    /// The worker starts to wait while the loop disarms the socket for an earlier event.
    @Test
    void waitDuringDisarmingArmsSocket() throws Exception {
        var read = new FutureTask<>(() -> read(connection, LONG));
        poller.meanwhile(
                () -> {
                    Thread.ofPlatform().daemon().start(read);
                    awaitInterest(Poller.READ | Poller.ONCE);
                    poller.setInterest(socket, Poller.NONE); // the loop's call comes last
                });
        connection.ready(Poller.READ);
        assertEquals(Poller.READ | Poller.ONCE, poller.interest(socket));
        socket.receive(3);
        connection.ready(Poller.READ);
        assertEquals(3, result(read));
    }

    @Test
    void unregisteredSocketIsAddedForWait() throws Exception {
        var other = new ScriptedSocket();
        var fresh = new Connection(other, loop, RecordingProtocol::new);
        fresh.handOver();
        var read = new FutureTask<>(() -> read(fresh, LONG));
        Thread.ofPlatform().daemon().start(read);
        Patience.until("added", () -> poller.interest(other) == (Poller.READ | Poller.ONCE));
        other.receive(1);
        fresh.ready(Poller.READ);
        assertEquals(1, result(read));
        assertTrue(poller.changes() >= 1);
    }

    @Test
    void waitsForInputAndOutputAlternate() throws Exception {
        for (int i = 0; i < 200; i++) {
            FutureTask<Integer> read = reading(LONG);
            awaitInterest(Poller.READ | Poller.ONCE);
            socket.receive(1);
            connection.ready(Poller.READ);
            assertEquals(1, result(read));
            FutureTask<Integer> write = writing(1);
            awaitInterest(Poller.WRITE | Poller.ONCE);
            socket.makeRoom(1);
            connection.ready(Poller.WRITE);
            assertEquals(1, result(write));
        }
    }
}
