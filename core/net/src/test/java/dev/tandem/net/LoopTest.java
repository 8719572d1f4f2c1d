package dev.tandem.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.FakeClock;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.Patience;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LoopTest {
    private final ScriptedPoller poller = new ScriptedPoller();
    private final FakeClock clock = new FakeClock(0);
    private final Loop loop = new Loop(poller, clock::nanos);
    private final List<String> done = new ArrayList<>();
    private final LogCapture log = LogCapture.of("dev.tandem.net");

    @AfterEach
    void stopLogging() {
        log.close();
    }

    private RecordingProtocol accept() {
        var made = new ArrayList<RecordingProtocol>();
        loop.addConnection(
                new ScriptedSocket(),
                c -> {
                    var protocol = new RecordingProtocol(c);
                    made.add(protocol);
                    return protocol;
                });
        return made.getFirst();
    }

    @Test
    void tasksRunInOrder() throws IOException {
        loop.execute(() -> done.add("a"));
        loop.execute(() -> done.add("b"));
        loop.runOnce(-1);
        assertEquals(List.of("a", "b"), done);
    }

    /// It would use the loop's buffer at the same time as the loop's own thread.
    @Test
    void othersRunTasksOnlyWhenTheEndedLoopHasClosedItsConnections() throws Exception {
        var isClosing = new CountDownLatch(1);
        var release = new CountDownLatch(1);
        RecordingProtocol connected = accept();
        connected.onClosed(
                () -> {
                    isClosing.countDown();
                    Patience.until("released", () -> release.getCount() == 0);
                });
        Thread ending = Thread.ofPlatform().start(loop::close);
        isClosing.await();
        loop.execute(() -> done.add(Thread.currentThread() == ending ? "loop" : "other"));
        assertEquals(List.of(), done);
        release.countDown();
        ending.join();
        assertEquals(List.of("loop"), done);
        loop.execute(() -> done.add("later"));
        assertEquals(List.of("loop", "later"), done);
    }

    @Test
    void taskAddedByTaskRunsInNextIteration() throws IOException {
        loop.execute(() -> loop.execute(() -> done.add("b")));
        loop.runOnce(0);
        assertEquals(List.of(), done);
        loop.runOnce(0);
        assertEquals(List.of("b"), done);
    }

    /// Its caller closes the connection for which it was: it must not be run then.
    @Test
    void taskForWhichTheLoopCannotBeWokenIsNotRun() throws IOException {
        poller.failToWakeUp();
        Runnable task = () -> done.add("a");
        poller.duringSleep(() -> assertThrows(OutOfMemoryError.class, () -> loop.execute(task)));
        loop.runOnce(-1);
        loop.runOnce(0);
        assertEquals(List.of(), done);
    }

    /// The next connection would send it to its own client.
    @Test
    void outputThatATaskLeavesIsDropped() throws IOException {
        var output = new IoBuffer(16);
        loop.gatherOutputIn(output);
        loop.execute(() -> output.bytes().putInt(1));
        loop.execute(() -> done.add(output.bytes().position() + " bytes"));
        var e = assertThrows(IllegalStateException.class, () -> loop.runOnce(0));
        assertEquals(
                "a connection has left 4 bytes of output to the next one: they are dropped",
                e.getMessage());
        loop.runOnce(0);
        assertEquals(List.of("0 bytes"), done);
    }

    @Test
    void limitOfTheOutputThatATaskLeavesIsTakenBack() throws IOException {
        var output = new IoBuffer(16);
        loop.gatherOutputIn(output);
        loop.execute(() -> output.bytes().limit(1));
        assertThrows(IllegalStateException.class, () -> loop.runOnce(0));
        assertEquals(16, output.bytes().limit());
    }

    /// Deadlines of many connections are over in the same task.
    @Test
    void outputThatAnExpiredConnectionLeavesDoesNotReachTheNext() throws IOException {
        var output = new IoBuffer(16);
        loop.gatherOutputIn(output);
        for (int i = 0; i < 2; i++) {
            RecordingProtocol protocol = accept();
            protocol.onExpired(
                    () -> {
                        done.add(output.bytes().position() + " bytes");
                        output.bytes().putInt(1);
                    });
            protocol.connection().setDeadline(Duration.ofSeconds(1).toNanos());
        }
        clock.advance(Duration.ofSeconds(2));
        loop.runOnce(0);
        assertEquals(List.of("0 bytes", "0 bytes"), done);
        assertEquals(0, output.bytes().position());
        assertEquals(0, loop.connectionCount(), "without a deadline they could stay for ever");
    }

    @Test
    void outputThatAConnectionLeavesAtTheStopDoesNotReachTheNext() throws IOException {
        var output = new IoBuffer(16);
        loop.gatherOutputIn(output);
        for (int i = 0; i < 2; i++) {
            accept().onStopping(
                            () -> {
                                done.add(output.bytes().position() + " bytes");
                                output.bytes().putInt(1);
                            });
        }
        loop.announceStop();
        loop.runOnce(0);
        assertEquals(List.of("0 bytes", "0 bytes"), done);
    }

    /// It would use them at the same time as the thread that has the loop.
    @Test
    void threadThatHasLostTheLoopNotifiesNoFurtherConnections() throws IOException {
        for (int i = 0; i < 3; i++) {
            String name = "connection " + i;
            accept().onStopping(
                            () -> {
                                done.add(name);
                                if (done.size() == 1) {
                                    loop.baton().setHolder(Thread.ofPlatform().unstarted(() -> {}));
                                }
                            });
        }
        loop.announceStop();
        loop.runOnce(0);
        assertEquals(List.of("connection 0"), done);
        loop.baton().setHolder(Thread.currentThread());
        loop.runOnce(0);
        assertEquals(List.of("connection 0", "connection 0", "connection 1", "connection 2"), done);
    }

    /// The task runs at once then. It would queue itself again until the stack is full, which shows
    /// in what that allocates only.
    @Test
    void threadWithoutTheLoopTriesOnceAfterTheEnd() throws ReflectiveOperationException {
        accept().connection().handOver();
        loop.close();
        loop.baton().setHolder(Thread.ofPlatform().unstarted(() -> {}));
        loop.announceEnd();
        loop.announceStop();
        long before = allocatedBytes();
        loop.announceEnd();
        loop.announceStop();
        long allocated = allocatedBytes() - before;
        assertTrue(allocated < 20_000, () -> allocated + " bytes");
    }

    /// By the current thread. This module does not read `java.management`.
    private static long allocatedBytes() throws ReflectiveOperationException {
        Object threads =
                Class.forName("java.lang.management.ManagementFactory")
                        .getMethod("getThreadMXBean")
                        .invoke(null);
        return (long)
                Class.forName("com.sun.management.ThreadMXBean")
                        .getMethod("getCurrentThreadAllocatedBytes")
                        .invoke(threads);
    }

    /// Each request for a file that cannot be opened asks for it.
    @Test
    void lackOfDescriptorsLooksAtAllConnectionsOnceInAWhile() throws IOException {
        RecordingProtocol busy = accept();
        busy.busy(true);
        for (int i = 0; i < 3; i++) {
            loop.evictSoon(2);
            loop.evictSoon(2);
            loop.runOnce(0);
        }
        assertEquals(1, busy.looks());
        busy.busy(false);
        clock.advance(Duration.ofMillis(200));
        loop.evictSoon(2);
        loop.runOnce(0);
        assertTrue(busy.connection().isClosed());
    }

    /// Sessions are never idle: each request for a file would walk over all of them. So some are
    /// closed at once.
    @Test
    void lackOfDescriptorsIsNotLookedForAgainAtOnceBehindManySessions() throws IOException {
        RecordingProtocol oldest = accept();
        oldest.busy(true);
        for (int i = 0; i < IdleList.SKIPPED_MAX; i++) {
            accept().busy(true);
        }
        for (int i = 0; i < 40; i++) {
            accept();
        }
        int before = loop.connectionCount();
        for (int i = 0; i < 3; i++) {
            loop.evictSoon(2);
            loop.runOnce(0);
        }
        assertEquals(1, oldest.looks());
        assertEquals(before / 64, before - loop.connectionCount());
        clock.advance(Duration.ofMillis(10));
        loop.evictSoon(2);
        loop.runOnce(0);
        assertEquals(2 * (before / 64), before - loop.connectionCount());
    }

    /// Those that are closed for lack of memory may say goodbye.
    @Test
    void outputOfAConnectionWithoutMemoryIsDroppedBeforeOthersAreClosed() throws IOException {
        var output = new IoBuffer(16);
        loop.gatherOutputIn(output);
        RecordingProtocol idle = accept();
        loop.execute(
                () -> {
                    output.bytes().putInt(1);
                    throw new OutOfMemoryError("on purpose");
                });
        loop.runOnce(0);
        assertTrue(idle.connection().isClosed());
        assertEquals(0, output.bytes().position());
    }

    /// It has given the connection back, and failed behind that.
    @Test
    void threadWithoutTheLoopLeavesItsConnectionsOpen() throws IOException {
        Connection given = accept().connection();
        Connection own = accept().connection();
        own.handOver();
        loop.baton().setHolder(Thread.ofPlatform().unstarted(() -> {}));
        given.close();
        own.close();
        assertFalse(given.isClosed());
        assertTrue(own.isClosed());
        loop.baton().setHolder(Thread.currentThread());
        loop.runOnce(0);
        assertTrue(given.isClosed());
        assertEquals(0, loop.connectionCount());
    }

    @Test
    void connectionThatFailsToCloseKeepsNoOthersOpen() {
        RecordingProtocol first = accept();
        RecordingProtocol second = accept();
        first.failWhenClosed();
        loop.close();
        assertTrue(first.connection().isClosed());
        assertTrue(second.connection().isClosed());
    }

    @Test
    void loopDoesNotWaitWithPendingTasks() throws IOException {
        loop.execute(() -> {});
        loop.runOnce(-1);
        loop.runOnce(-1);
        assertEquals(List.of(0L, -1L), poller.waits());
    }

    @Test
    void waitEndsAtNextDeadline() throws IOException {
        loop.timers().schedule(new TimingWheel.Deadline(() -> {}), Duration.ofSeconds(1).toNanos());
        loop.runOnce(-1);
        long wait = poller.waits().getFirst();
        assertTrue(wait > 0 && wait <= 1_016_000_000L, "waits " + wait);
    }

    /// Otherwise deadlines would be late by the duration of the previous iteration.
    @Test
    void longIterationShortensWait() throws IOException {
        loop.timers().schedule(new TimingWheel.Deadline(() -> {}), Duration.ofSeconds(1).toNanos());
        loop.execute(() -> clock.advance(Duration.ofMillis(900)));
        loop.runOnce(-1);
        loop.runOnce(-1);
        long wait = poller.waits().getLast();
        assertTrue(wait > 0 && wait <= 116_000_000L, "waits " + wait);
    }

    @Test
    void waitIsLimitedByArgument() throws IOException {
        loop.timers().schedule(new TimingWheel.Deadline(() -> {}), Duration.ofDays(1).toNanos());
        loop.runOnce(5);
        assertEquals(List.of(5L), poller.waits());
    }

    @Test
    void failingTaskDoesNotStopOthers() throws IOException {
        loop.execute(
                () -> {
                    throw new IllegalStateException("on purpose");
                });
        loop.execute(() -> done.add("b"));
        loop.runOnce(0);
        assertEquals(List.of("b"), done);
        assertEquals(List.of("a task of an event loop failed"), log.messages(_ -> true));
    }

    @Test
    void failingDeadlineDoesNotStopOthers() throws IOException {
        long at = Duration.ofSeconds(1).toNanos();
        loop.timers()
                .schedule(
                        new TimingWheel.Deadline(
                                () -> {
                                    throw new IllegalStateException("on purpose");
                                }),
                        at);
        loop.timers().schedule(new TimingWheel.Deadline(() -> done.add("b")), at);
        clock.advance(Duration.ofSeconds(2));
        loop.runOnce(0);
        assertEquals(List.of("b"), done);
        assertEquals(1, log.lines().size());
    }

    @Test
    void outOfMemoryClosesQuarterOfIdleConnections() throws IOException {
        for (int i = 0; i < 8; i++) {
            accept();
        }
        loop.execute(
                () -> {
                    throw new OutOfMemoryError("on purpose");
                });
        loop.runOnce(0);
        assertEquals(6, loop.connectionCount());
        assertEquals(
                List.of("out of memory (on purpose); closed 2 connections"),
                log.messages(_ -> true));
    }

    @Test
    void stopEndsLoopAndClosesConnections() throws InterruptedException {
        RecordingProtocol protocol = accept();
        Thread runner = Thread.ofPlatform().start(() -> assertTrue(loop.run()));
        loop.stop();
        runner.join(20_000);
        assertFalse(runner.isAlive());
        assertTrue(protocol.connection().isClosed());
        assertTrue(poller.isClosed());
        assertTrue(loop.isEnded());
    }

    @Test
    void taskAddedAfterEndRunsInCaller() {
        loop.close();
        loop.execute(() -> done.add(Thread.currentThread().getName()));
        assertEquals(List.of(Thread.currentThread().getName()), done);
    }

    @Test
    void pendingTasksRunAtEnd() {
        loop.execute(() -> done.add("a"));
        loop.close();
        assertEquals(List.of("a"), done);
    }

    @Test
    void evictionClosesLongestIdleAndSkipsBusy() {
        RecordingProtocol first = accept();
        RecordingProtocol busy = accept();
        RecordingProtocol lent = accept();
        RecordingProtocol fourth = accept();
        busy.busy(true);
        lent.connection().handOver();
        assertEquals(1, loop.evict(1));
        assertTrue(first.connection().isClosed());
        assertFalse(fourth.connection().isClosed());
        assertEquals(1, loop.evict(5));
        assertTrue(fourth.connection().isClosed());
        assertEquals(0, loop.evict(5));
        assertEquals(2, loop.connectionCount());
    }

    @Test
    void evictionWithoutIdleClosesConnectionBeforeFirstRequest() {
        RecordingProtocol busy = accept();
        RecordingProtocol first = accept();
        RecordingProtocol second = accept();
        busy.busy(true);
        first.withIncompleteRequest();
        second.withIncompleteRequest();
        assertEquals(1, loop.evict(5));
        assertTrue(first.connection().isClosed());
        RecordingProtocol idle = accept();
        assertEquals(1, loop.evict(1));
        assertTrue(idle.connection().isClosed());
        assertFalse(second.connection().isClosed());
    }

    @Test
    void recentlyUsedConnectionIsEvictedLast() {
        RecordingProtocol first = accept();
        RecordingProtocol second = accept();
        first.connection().ready(Poller.READ);
        loop.evict(1);
        assertFalse(first.connection().isClosed());
        assertTrue(second.connection().isClosed());
    }

    // ---- Idle connections.

    private void pass(Duration time) throws IOException {
        clock.advance(time);
        loop.runOnce(0);
    }

    @Test
    void connectionIsClosedWhenItHasBeenIdleForTooLong() throws IOException {
        loop.closeIdleAfter(Duration.ofSeconds(60).toNanos());
        RecordingProtocol idle = accept();
        pass(Duration.ofSeconds(30));
        RecordingProtocol second = accept();
        pass(Duration.ofSeconds(29));
        assertFalse(idle.connection().isClosed());
        pass(Duration.ofSeconds(2));
        assertTrue(idle.connection().isClosed());
        assertFalse(second.connection().isClosed());
        pass(Duration.ofSeconds(40));
        assertEquals(0, loop.connectionCount());
        loop.runOnce(-1);
        assertEquals(-1, poller.waits().getLast(), "a loop without connections has no timer");
    }

    /// Times are kept in an int, which overflows after about 800 days.
    @Test
    void idleTimeIsRightAfterYears() throws IOException {
        loop.closeIdleAfter(Duration.ofSeconds(60).toNanos());
        for (int i = 0; i < 5; i++) {
            pass(Duration.ofDays(300));
            RecordingProtocol idle = accept();
            pass(Duration.ofSeconds(59));
            assertFalse(idle.connection().isClosed());
            pass(Duration.ofSeconds(10));
            assertTrue(idle.connection().isClosed());
        }
    }

    @Test
    void idleConnectionIsKeptWithoutLimit() throws IOException {
        RecordingProtocol idle = accept();
        pass(Duration.ofDays(7));
        assertFalse(idle.connection().isClosed());
    }

    @Test
    void idleTimeBeginsWithTheEndOfARequest() throws IOException {
        loop.closeIdleAfter(Duration.ofSeconds(60).toNanos());
        RecordingProtocol used = accept();
        used.connection().handOver();
        pass(Duration.ofSeconds(50));
        used.connection().usedAt(clock.nanos());
        used.connection().returnToLoop();
        pass(Duration.ofSeconds(50));
        assertFalse(used.connection().isClosed());
        pass(Duration.ofSeconds(20));
        assertTrue(used.connection().isClosed());
    }

    @Test
    void connectionInUseIsNotClosedForBeingIdle() throws IOException {
        loop.closeIdleAfter(Duration.ofSeconds(60).toNanos());
        RecordingProtocol busy = accept();
        RecordingProtocol idle = accept();
        busy.busy(true);
        pass(Duration.ofSeconds(61));
        assertFalse(busy.connection().isClosed());
        assertTrue(idle.connection().isClosed());
        busy.busy(false);
        pass(Duration.ofSeconds(50));
        assertFalse(busy.connection().isClosed());
        pass(Duration.ofSeconds(20));
        assertTrue(busy.connection().isClosed());
    }

    /// Without memory, the poller and all else may fail.
    @Test
    void iterationThatFailsDoesNotEndTheLoop() {
        var failing =
                new Poller() {
                    private final AtomicInteger polls = new AtomicInteger();

                    @Override
                    public void poll(long timeoutNanos) {
                        throw polls.incrementAndGet() == 1
                                ? new OutOfMemoryError("on purpose")
                                : new AssertionError("on purpose");
                    }

                    @Override
                    public void add(Pollable of, int interest, ReadinessListener listener) {}

                    @Override
                    public void setInterest(Pollable of, int interest) {}

                    @Override
                    public void remove(Pollable of) {}

                    @Override
                    public void closed(Pollable of) {}

                    @Override
                    public boolean hasNext() {
                        return false;
                    }

                    @Override
                    public boolean dispatchNext() {
                        return false;
                    }

                    @Override
                    public void wakeup() {}

                    @Override
                    public void close() {}
                };
        var survivor = new Loop(failing, clock::nanos);
        Thread thread = Thread.ofPlatform().daemon().start(survivor::run);
        Patience.until("polled again", () -> failing.polls.get() > 2);
        survivor.stop();
        Patience.until("ended", () -> !thread.isAlive());
    }
}
