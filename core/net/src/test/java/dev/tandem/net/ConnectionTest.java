package dev.tandem.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.FakeClock;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Each state of a connection with each event, with a scripted poller, socket and clock.
/// [ConnectionWaitTest] tests the waits of workers.
class ConnectionTest {
    private final ScriptedPoller poller = new ScriptedPoller();
    private final FakeClock clock = new FakeClock(0);
    private final Loop loop = new Loop(poller, clock::nanos);
    private final ScriptedSocket socket = new ScriptedSocket();
    private RecordingProtocol protocol = accept(socket);
    private Connection connection = protocol.connection();

    @BeforeEach
    void idle() throws IOException {
        connection.awaitInput();
        assertEquals(List.of("readable"), protocol.events());
    }

    private RecordingProtocol accept(Socket accepted) {
        var made = new RecordingProtocol[1];
        loop.addConnection(
                accepted,
                c -> {
                    made[0] = new RecordingProtocol(c);
                    return made[0];
                });
        return made[0];
    }

    private void assertInterest(int interest) {
        assertEquals(interest, poller.interest(socket));
    }

    // ---- Owned by the loop.

    @Test
    void inputNotifiesProtocolWhileLoopOwnsConnection() {
        assertInterest(Poller.READ);
        connection.ready(Poller.READ);
        connection.ready(Poller.READ | Poller.WRITE);
        assertEquals(List.of("readable", "readable"), protocol.events());
    }

    @Test
    void pollerIsNotifiedOfClosedSocket() {
        connection.handOver();
        connection.close();
        accept(new ScriptedSocket()).connection().close(); // never watched
        assertEquals(List.of(socket), poller.closed());
    }

    @Test
    void repeatedInputWaitMakesNoCall() throws IOException {
        int before = poller.changes();
        connection.awaitInput();
        connection.awaitInput();
        assertEquals(before, poller.changes());
    }

    @Test
    void onlyWritabilityIsReportedDuringOutputWait() throws IOException {
        connection.awaitOutput();
        assertInterest(Poller.WRITE);
        connection.ready(Poller.READ);
        connection.ready(Poller.WRITE);
        connection.ready(Poller.READ | Poller.WRITE);
        assertEquals(List.of("writable", "writable"), protocol.events());
    }

    @Test
    void inputIsReportedAfterOutputWait() throws IOException {
        connection.awaitOutput();
        connection.awaitInput();
        assertInterest(Poller.READ);
        connection.ready(Poller.READ);
        assertEquals(List.of("readable"), protocol.events());
    }

    @Test
    void unregisteredSocketIsAddedForOutputWait() throws IOException {
        var other = new ScriptedSocket();
        Connection fresh = accept(other).connection();
        assertEquals(-1, poller.interest(other));
        fresh.awaitOutput();
        assertEquals(Poller.WRITE, poller.interest(other));
    }

    // ---- Owned by a worker.

    @Test
    void handOverAndReturnMakeNoCall() throws IOException {
        int before = poller.changes();
        connection.handOver();
        connection.returnToLoop();
        assertEquals(before, poller.changes());
        connection.ready(Poller.READ);
        assertEquals(List.of("readable"), protocol.events());
    }

    @Test
    void inputDuringHandOverDisarmsUntilReturn() throws IOException {
        connection.handOver();
        connection.ready(Poller.READ);
        assertInterest(Poller.NONE);
        connection.returnToLoop();
        assertInterest(Poller.READ);
        assertEquals(List.of(), protocol.events());
        connection.ready(Poller.READ);
        assertEquals(List.of("readable"), protocol.events());
    }

    @Test
    void eventOfDisarmedSocketIsIgnored() {
        connection.handOver();
        connection.ready(Poller.READ);
        int before = poller.changes();
        connection.ready(Poller.READ);
        assertEquals(before, poller.changes());
        assertEquals(List.of(), protocol.events());
    }

    /// Reported until it is read, it would have the loop poll without a pause, perhaps on the
    /// processor that the worker needs to end the return.
    @Test
    void eventDuringReturnDisarmsUntilLoopHasConnection() throws IOException {
        connection.handOver();
        connection.ready(Poller.READ);
        poller.meanwhile(
                () -> {
                    connection.ready(Poller.READ);
                    assertInterest(Poller.NONE);
                    int before = poller.changes();
                    connection.ready(Poller.READ); // a reset: reported once more for each change
                    assertEquals(before, poller.changes());
                });
        connection.returnToLoop();
        assertEquals(List.of(), protocol.events());
        loop.runOnce(0);
        assertInterest(Poller.READ);
        connection.ready(Poller.READ);
        assertEquals(List.of("readable"), protocol.events());
    }

    /// The worker still owns the connection then, and closes it.
    @Test
    void returnFailsWithoutMemoryForTheLoopsTask() throws IOException {
        connection.handOver();
        connection.ready(Poller.READ);
        poller.failToWakeUp();
        poller.meanwhile(() -> connection.ready(Poller.READ));
        poller.duringSleep(() -> assertThrows(OutOfMemoryError.class, this::returnToLoop));
        loop.runOnce(-1);
        assertFalse(connection.isOwnedByLoop());
        connection.close();
        assertEquals(List.of("closed"), protocol.events());
    }

    @Test
    void eventDuringReturnToAnEndedLoopClosesConnection() throws IOException {
        connection.handOver();
        connection.ready(Poller.READ);
        poller.meanwhile(() -> connection.ready(Poller.READ));
        loop.close();
        connection.returnToLoop();
        assertEquals(List.of("closed"), protocol.events());
    }

    @Test
    void unregisteredSocketIsAddedOnReturn() throws IOException {
        var other = new ScriptedSocket();
        RecordingProtocol fresh = accept(other);
        int before = poller.changes();
        fresh.connection().handOver();
        fresh.connection().returnToLoop();
        assertEquals(Poller.READ, poller.interest(other));
        assertEquals(before + 1, poller.changes());
        fresh.events();
        fresh.connection().ready(Poller.READ);
        assertEquals(List.of("readable"), fresh.events());
    }

    @Test
    void inputIsReportedAfterOutputWaitAndReturn() throws IOException {
        connection.awaitOutput();
        connection.handOver();
        connection.returnToLoop();
        assertInterest(Poller.READ);
        connection.ready(Poller.READ);
        assertEquals(List.of("readable"), protocol.events());
    }

    @Test
    void inputIsReportedAfterTakingFromWorkerAndHandOver() throws IOException {
        connection.handOver();
        connection.takeFromWorker();
        connection.handOver();
        connection.returnToLoop();
        assertInterest(Poller.READ);
        connection.ready(Poller.READ);
        assertEquals(List.of("readable"), protocol.events());
    }

    @Test
    void takenFromWorkerArmsForAwaitedOperation() throws IOException {
        connection.handOver();
        connection.ready(Poller.READ);
        connection.takeFromWorker();
        connection.awaitInput();
        assertInterest(Poller.READ);
        connection.handOver();
        connection.takeFromWorker();
        connection.awaitOutput();
        assertInterest(Poller.WRITE);
    }

    @Test
    void watchedEventIsReportedOnce() throws IOException {
        connection.handOver();
        connection.watchOnce(Poller.READ);
        connection.ready(Poller.READ);
        connection.ready(Poller.READ);
        assertEquals(List.of("noticed " + Poller.READ), protocol.events());
    }

    @Test
    void bufferedInputIsReportedToWatch() throws IOException {
        connection.handOver();
        socket.hold(1);
        connection.watchOnce(Poller.WRITE);
        loop.runOnce(0);
        assertEquals(List.of(), protocol.events());
        connection.watchOnce(Poller.READ);
        loop.runOnce(0);
        assertEquals(List.of("noticed " + Poller.READ), protocol.events());
    }

    /// The worker returns it while the loop disarms it: it must not stay disarmed.
    @Test
    void returnDuringDisarmingArmsSocket() {
        connection.handOver();
        poller.meanwhile(this::returnToLoop);
        connection.ready(Poller.READ);
        assertInterest(Poller.READ);
        connection.ready(Poller.READ);
        assertEquals(List.of("readable"), protocol.events());
    }

    @Test
    void closeDuringDisarmingLeavesSocketDisarmed() {
        connection.handOver();
        poller.meanwhile(connection::close);
        connection.ready(Poller.READ);
        assertInterest(Poller.NONE);
    }

    private void returnToLoop() {
        try {
            connection.returnToLoop();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    // ---- Closed.

    @Test
    void closeClosesSocketAndNotifiesOnce() throws IOException {
        connection.close();
        connection.close();
        assertTrue(connection.isClosed());
        assertEquals(1, socket.closed());
        assertEquals(List.of("closed"), protocol.events());
        loop.runOnce(0);
        assertEquals(0, loop.connectionCount());
        assertEquals(-1, poller.interest(socket));
    }

    @Test
    void closeResetsIfWhatIsSentIsIncomplete() throws IOException {
        connection.resetWhenClosed(true);
        connection.close();
        connection.close();
        assertEquals(1, socket.aborted());
        assertEquals(0, socket.closed());
        assertEquals(List.of("closed"), protocol.events());
        loop.runOnce(0);
        assertEquals(0, loop.connectionCount());
    }

    @Test
    void closeResetsNothingOnceAllIsSent() {
        connection.resetWhenClosed(true);
        connection.resetWhenClosed(false);
        connection.close();
        assertEquals(0, socket.aborted());
        assertEquals(1, socket.closed());
    }

    @Test
    void eventOfClosedConnectionIsIgnored() {
        connection.close();
        protocol.events();
        connection.ready(Poller.READ | Poller.WRITE);
        assertEquals(List.of(), protocol.events());
    }

    @Test
    void workerMayCloseConnection() throws IOException {
        connection.handOver();
        connection.close();
        loop.runOnce(0);
        assertEquals(0, loop.connectionCount());
        assertEquals(1, socket.closed());
    }

    // ---- Deadlines.

    @Test
    void deadlineIsReportedOnce() throws IOException {
        connection.setDeadline(Duration.ofSeconds(1).toNanos());
        pass(Duration.ofMillis(990));
        assertEquals(List.of(), protocol.events());
        pass(Duration.ofMillis(30));
        assertEquals(List.of("expired"), protocol.events());
        pass(Duration.ofSeconds(100));
        assertEquals(List.of(), protocol.events());
    }

    @Test
    void cancelledDeadlineIsNotReported() throws IOException {
        connection.setDeadline(Duration.ofSeconds(1).toNanos());
        connection.cancelDeadline();
        pass(Duration.ofSeconds(2));
        assertEquals(List.of(), protocol.events());
        assertEquals(0, loop.timers().count());
    }

    @Test
    void deadlineIsNotReportedWhileWorkerOwnsConnection() throws IOException {
        connection.setDeadline(Duration.ofSeconds(1).toNanos());
        connection.handOver();
        pass(Duration.ofSeconds(2));
        assertEquals(List.of(), protocol.events());
    }

    @Test
    void closedConnectionHasNoDeadline() throws IOException {
        connection.setDeadline(Duration.ofSeconds(1).toNanos());
        connection.close();
        loop.runOnce(0);
        assertEquals(0, loop.timers().count());
    }

    private void pass(Duration time) throws IOException {
        clock.advance(time);
        loop.runOnce(0);
    }

    // ---- Idle or not.

    @Test
    void onlyConnectionOfLoopIsIdle() throws IOException {
        assertTrue(connection.isIdle());
        protocol.busy(true);
        assertFalse(connection.isIdle());
        protocol.busy(false);
        connection.handOver();
        assertFalse(connection.isIdle());
        connection.returnToLoop();
        assertTrue(connection.isIdle());
        connection.close();
        assertFalse(connection.isIdle());
    }

    @Test
    void onlyConnectionOfLoopIsNotifiedOfStop() throws IOException {
        connection.handOver();
        loop.announceStop();
        loop.runOnce(0);
        assertEquals(List.of(), protocol.events());
        connection.returnToLoop();
        loop.announceStop();
        loop.runOnce(0);
        assertEquals(List.of("stopping"), protocol.events());
    }

    @Test
    void closingLoopClosesOnlyItsConnections() {
        var other = new ScriptedSocket();
        Connection lent = accept(other).connection();
        lent.handOver();
        loop.close();
        assertEquals(1, socket.closed());
        assertEquals(0, other.closed());
        assertTrue(poller.isClosed());
    }

    @Test
    void connectionThatIsReturnedToAClosedLoopIsClosed() throws IOException {
        connection.handOver();
        loop.close();
        connection.returnToLoop();
        assertEquals(1, socket.closed());
    }

    @Test
    void waitsForAClosedLoopFail() {
        connection.handOver();
        loop.close();
        var failure = assertThrows(IOException.class, () -> connection.awaitInput(0));
        assertEquals("the event loop has ended", failure.getMessage());
        assertThrows(IOException.class, () -> connection.watchOnce(Poller.READ));
        connection.takeFromWorker();
        assertThrows(IOException.class, () -> connection.awaitInput());
        assertThrows(IOException.class, () -> connection.awaitOutput());
    }

    @Test
    void waitThatTimesOutThrows() {
        connection.handOver();
        var timeout = assertThrows(TimeoutIOException.class, () -> connection.awaitInput(0));
        assertEquals("timed out", timeout.getMessage());
    }
}
