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

/// Each state of a connection against each event, with the loop's poller, socket and clock played
/// by the test. A worker's waits are in [ConnectionWaitTest].
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
        assertEquals(List.of("readable"), protocol.told());
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

    // ---- The loop has it.

    @Test
    void whileTheLoopHasItInputIsTold() {
        assertInterest(Poller.READ);
        connection.ready(Poller.READ);
        connection.ready(Poller.READ | Poller.WRITE);
        assertEquals(List.of("readable", "readable"), protocol.told());
    }

    @Test
    void thePollerLearnsOfTheEndOfWhatItWatches() {
        connection.handOver();
        connection.close();
        accept(new ScriptedSocket()).connection().close(); // never watched
        assertEquals(List.of(socket), poller.closed());
    }

    @Test
    void waitingForInputAgainCostsNothing() throws IOException {
        int before = poller.changes();
        connection.awaitInput();
        connection.awaitInput();
        assertEquals(before, poller.changes());
    }

    @Test
    void whileItWaitsForRoomOnlyRoomIsTold() throws IOException {
        connection.awaitOutput();
        assertInterest(Poller.WRITE);
        connection.ready(Poller.READ);
        connection.ready(Poller.WRITE);
        connection.ready(Poller.READ | Poller.WRITE);
        assertEquals(List.of("writable", "writable"), protocol.told());
    }

    @Test
    void afterItHadRoomInputIsToldAgain() throws IOException {
        connection.awaitOutput();
        connection.awaitInput();
        assertInterest(Poller.READ);
        connection.ready(Poller.READ);
        assertEquals(List.of("readable"), protocol.told());
    }

    @Test
    void oneThatWasNeverWatchedIsAddedWhenItWaits() throws IOException {
        var other = new ScriptedSocket();
        Connection fresh = accept(other).connection();
        assertEquals(-1, poller.interest(other));
        fresh.awaitOutput();
        assertEquals(Poller.WRITE, poller.interest(other));
    }

    // ---- A worker has it.

    @Test
    void lendingAndGivingBackCostNothing() throws IOException {
        int before = poller.changes();
        connection.handOver();
        connection.returnToLoop();
        assertEquals(before, poller.changes());
        connection.ready(Poller.READ);
        assertEquals(List.of("readable"), protocol.told());
    }

    @Test
    void inputWhileItIsLentDisarmsItAndGivingBackArmsItAgain() throws IOException {
        connection.handOver();
        connection.ready(Poller.READ);
        assertInterest(Poller.NONE);
        connection.returnToLoop();
        assertInterest(Poller.READ);
        assertEquals(List.of(), protocol.told());
        connection.ready(Poller.READ);
        assertEquals(List.of("readable"), protocol.told());
    }

    @Test
    void whatIsToldOfOneThatIsDisarmedIsPassedOver() {
        connection.handOver();
        connection.ready(Poller.READ);
        int before = poller.changes();
        connection.ready(Poller.READ);
        assertEquals(before, poller.changes());
        assertEquals(List.of(), protocol.told());
    }

    @Test
    void oneThatWasNeverWatchedIsAddedWhenItIsGivenBack() throws IOException {
        var other = new ScriptedSocket();
        RecordingProtocol fresh = accept(other);
        fresh.connection().handOver();
        fresh.connection().returnToLoop();
        assertEquals(Poller.READ, poller.interest(other));
        fresh.told();
        fresh.connection().ready(Poller.READ);
        assertEquals(List.of("readable"), fresh.told());
    }

    @Test
    void oneThatWaitedForRoomAndIsGivenBackIsToldOfInput() throws IOException {
        connection.awaitOutput();
        connection.handOver();
        connection.returnToLoop();
        assertInterest(Poller.READ);
        connection.ready(Poller.READ);
        assertEquals(List.of("readable"), protocol.told());
    }

    @Test
    void oneThatWasReclaimedAndLentAgainIsToldOfInput() throws IOException {
        connection.handOver();
        connection.takeFromWorker();
        connection.handOver();
        connection.returnToLoop();
        assertInterest(Poller.READ);
        connection.ready(Poller.READ);
        assertEquals(List.of("readable"), protocol.told());
    }

    @Test
    void oneThatWasReclaimedIsArmedForWhateverItWaitsFor() throws IOException {
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
    void whatIsWatchedForIsNoticedOnce() throws IOException {
        connection.handOver();
        connection.watchOnce(Poller.READ);
        connection.ready(Poller.READ);
        connection.ready(Poller.READ);
        assertEquals(List.of("noticed " + Poller.READ), protocol.told());
    }

    @Test
    void inputThatNoPollerTellsOfIsNoticed() throws IOException {
        connection.handOver();
        socket.hold(1);
        connection.watchOnce(Poller.WRITE);
        loop.runOnce(0);
        assertEquals(List.of(), protocol.told());
        connection.watchOnce(Poller.READ);
        loop.runOnce(0);
        assertEquals(List.of("noticed " + Poller.READ), protocol.told());
    }

    /// The worker gives it back just as the loop disarms it: it must not stay disarmed.
    @Test
    void oneThatIsGivenBackWhileItIsDisarmedIsArmed() {
        connection.handOver();
        poller.meanwhile(this::giveBack);
        connection.ready(Poller.READ);
        assertInterest(Poller.READ);
        connection.ready(Poller.READ);
        assertEquals(List.of("readable"), protocol.told());
    }

    @Test
    void oneThatIsClosedWhileItIsDisarmedStaysDisarmed() {
        connection.handOver();
        poller.meanwhile(connection::close);
        connection.ready(Poller.READ);
        assertInterest(Poller.NONE);
    }

    private void giveBack() {
        try {
            connection.returnToLoop();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    // ---- Closed.

    @Test
    void closingClosesTheSocketAndTellsOnce() throws IOException {
        connection.close();
        connection.close();
        assertTrue(connection.isClosed());
        assertEquals(1, socket.closed());
        assertEquals(List.of("closed"), protocol.told());
        loop.runOnce(0);
        assertEquals(0, loop.connectionCount());
        assertEquals(-1, poller.interest(socket));
    }

    @Test
    void whatIsToldOfAClosedOneIsPassedOver() {
        connection.close();
        protocol.told();
        connection.ready(Poller.READ | Poller.WRITE);
        assertEquals(List.of(), protocol.told());
    }

    @Test
    void aWorkerMayCloseIt() throws IOException {
        connection.handOver();
        connection.close();
        loop.runOnce(0);
        assertEquals(0, loop.connectionCount());
        assertEquals(1, socket.closed());
    }

    // ---- Deadlines.

    @Test
    void aDeadlineIsToldOnce() throws IOException {
        connection.setDeadline(Duration.ofSeconds(1).toNanos());
        pass(Duration.ofMillis(990));
        assertEquals(List.of(), protocol.told());
        pass(Duration.ofMillis(30));
        assertEquals(List.of("expired"), protocol.told());
        pass(Duration.ofSeconds(100));
        assertEquals(List.of(), protocol.told());
    }

    @Test
    void aDeadlineThatIsTakenBackIsNotTold() throws IOException {
        connection.setDeadline(Duration.ofSeconds(1).toNanos());
        connection.cancelDeadline();
        pass(Duration.ofSeconds(2));
        assertEquals(List.of(), protocol.told());
        assertEquals(0, loop.timers().count());
    }

    @Test
    void aDeadlineIsNotToldWhileAWorkerHasIt() throws IOException {
        connection.setDeadline(Duration.ofSeconds(1).toNanos());
        connection.handOver();
        pass(Duration.ofSeconds(2));
        assertEquals(List.of(), protocol.told());
    }

    @Test
    void aClosedOneHasNoDeadline() throws IOException {
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
    void onlyWhatTheLoopHasIsIdle() throws IOException {
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
    void onlyWhatTheLoopHasIsToldThatTheServerStops() throws IOException {
        connection.handOver();
        loop.announceStop();
        loop.runOnce(0);
        assertEquals(List.of(), protocol.told());
        connection.returnToLoop();
        loop.announceStop();
        loop.runOnce(0);
        assertEquals(List.of("stopping"), protocol.told());
    }

    @Test
    void closingTheLoopClosesWhatItHasAndNotWhatWorkersHave() {
        var other = new ScriptedSocket();
        Connection lent = accept(other).connection();
        lent.handOver();
        loop.close();
        assertEquals(1, socket.closed());
        assertEquals(0, other.closed());
        assertTrue(poller.isClosed());
    }

    @Test
    void aWaitWhoseTimeIsOverThrows() {
        connection.handOver();
        var timeout = assertThrows(TimeoutIOException.class, () -> connection.awaitInput(0));
        assertEquals("timed out", timeout.getMessage());
    }
}
