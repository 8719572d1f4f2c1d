package dev.tandem.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Requests of a route that uses a database: one decision grants a connection, a worker slot,
/// or both. Two workers, of which a server starts with as many; in virtual time.
class DatabaseStageTest {
    private static final long MILLI = 1_000_000;
    private static final int WORKERS = 2;

    private final Admission admission = new Admission(new Limits(1, WORKERS));
    private final RouteLoad route = admission.route("GET /books");
    private int connections = 1;
    private final DatabaseLane lane = new DatabaseLane("books", () -> connections, () -> {});
    private final DatabaseRoute database = lane.route("GET /books");
    private final List<String> events = new ArrayList<>();
    private long now;

    DatabaseStageTest() {
        var permit =
                new DatabasePermit(
                        database, DatabasePermit.Kind.LIVE_SESSION, AdmissionTask.of(_ -> {}));
        permit.request(now);
        permit.use(now);
        permit.close(now);
        assertTrue(database.isLikely());
    }

    private class Request implements AdmissionTask {
        final String name;
        final Session session = new Session();
        final Permit permit = admission.newPermit(this);

        Request(String name) {
            this.name = name;
        }

        Decision decide() {
            return permit.decide(route, database, session, now);
        }

        @Override
        public void run() {
            events.add(name + " runs");
        }

        @Override
        public void reject(Decision.Reject rejection) {
            events.add(name + " rejected: " + rejection.reason());
        }

        @Override
        public void close() {
            events.add(name + " closed");
        }

        /// Borrows and returns the connection.
        void useConnection() {
            Objects.requireNonNull(permit.useConnection(lane, now)).close(now);
        }

        void complete() {
            permit.complete(now);
            admission.startQueued(now);
        }
    }

    /// One that gets no thread, as where memory is short.
    private final class FailingRequest extends Request {
        FailingRequest() {
            super("failing");
        }

        @Override
        public void run() {
            permit.close();
            throw new IllegalStateException("no thread");
        }
    }

    private enum End {
        COMPLETE,
        REPEAT,
        CLOSE,
        DETACH;

        void of(Permit permit, long now) {
            switch (this) {
                case COMPLETE -> permit.complete(now);
                case REPEAT -> permit.completeAndRepeat(now);
                case CLOSE -> permit.close();
                case DETACH -> permit.detach();
            }
        }
    }

    private Request running(String name) {
        var request = new Request(name);
        assertInstanceOf(Decision.Run.class, request.decide());
        return request;
    }

    private Request waiting(String name) {
        var request = new Request(name);
        assertInstanceOf(Decision.Wait.class, request.decide());
        return request;
    }

    @Test
    void requestWithAConnectionHoldsNoWorkersPlace() {
        connections = 5;
        for (int i = 0; i < 5; i++) {
            running("r" + i);
        }
        assertEquals(0, admission.counters().running());
        assertEquals(5, admission.counters().detached());
        assertEquals(5, admission.databaseRuns());
    }

    @Test
    void requestWaitsForAConnectionAndNotForAWorker() {
        Request a = running("a");
        waiting("b");
        assertEquals(0, admission.waitingCount());
        a.useConnection();
        assertEquals(List.of("b runs"), events);
        assertEquals(2, admission.databaseRuns(), "a renders its page");
        a.complete();
        assertEquals(1, admission.databaseRuns());
    }

    /// One connection, and two more: beyond that, processors are the limit.
    @Test
    void requestNeedsAWorkerWhereManyStillRunWithoutTheirConnections() {
        fillTheStage();
        assertEquals(0, admission.counters().running());
        fillTheWorkers();
        Request last = waiting("last");
        assertEquals(1, admission.waitingCount());
        assertEquals(1, lane.counts().granted(), "it keeps its connection");
        assertTrue(last.permit.cancel());
        assertEquals(0, lane.counts().granted());
        assertEquals(0, admission.waitingCount());
    }

    @Test
    void connectionThatWasNotUsedIsReleasedAtTheEnd() {
        Request a = running("a");
        waiting("b");
        a.complete();
        assertEquals(List.of("b runs"), events);
        assertFalse(a.permit.hasUsedConnection(lane));
    }

    @Test
    void connectionIsHandedOverOnceAndOnlyOfItsLane() {
        var other = new DatabaseLane("other", () -> 1, () -> {});
        Request a = running("a");
        assertNull(a.permit.useConnection(other, now));
        assertNotNull(a.permit.useConnection(lane, now));
        assertNull(a.permit.useConnection(lane, now));
        assertTrue(a.permit.hasUsedConnection(lane));
        assertFalse(a.permit.hasUsedConnection(other));
    }

    @Test
    void cancelledRequestIsNeverStartedAndItsPermitIsFree() {
        Request a = running("a");
        Request b = waiting("b");
        assertTrue(b.permit.cancel());
        assertFalse(b.permit.cancel());
        a.complete();
        assertEquals(List.of(), events);
        assertEquals(1, admission.counters().cancelled());
        assertInstanceOf(Decision.Run.class, b.decide());
    }

    @Test
    void requestThatWaitedForTooLongIsRejectedAndCounted() {
        running("a");
        waiting("b");
        for (int i = 0; i < 20; i++) {
            now += 100 * MILLI;
            lane.tick(now);
        }
        assertEquals(List.of("b rejected: EXPIRED"), events);
        assertEquals(1, admission.counters().rejected().get(Reason.EXPIRED));
    }

    @Test
    void requestIsRejectedAtOnceIfTheDatabaseIsDown() {
        var request = new Request("a");
        assertFalse(admission.wouldReject(route, database, request.session, now));
        lane.setDown(true);
        assertTrue(admission.wouldReject(route, database, request.session, now));
        var rejection = assertInstanceOf(Decision.Reject.class, request.decide());
        assertEquals(Reason.NO_DATABASE, rejection.reason());
        assertEquals(1, admission.counters().rejected().get(Reason.NO_DATABASE));
        assertEquals(0, admission.databaseRuns());
    }

    @Test
    void permitCannotBeUsedOrClosedWhileItWaitsForAConnection() {
        running("a");
        Request b = waiting("b");
        assertThrows(IllegalStateException.class, b::decide);
        assertThrows(IllegalStateException.class, () -> b.permit.close());
    }

    @Test
    void detachedRequestHoldsNeitherConnectionNorCount() {
        Request a = running("a");
        waiting("b");
        a.permit.detach();
        assertEquals(List.of("b runs"), events);
        assertEquals(1, admission.databaseRuns(), "b");
        a.complete();
        assertEquals(1, admission.counters().detached());
    }

    @Test
    void detachingWhatWaitsForAConnectionDoesNothing() {
        Request a = running("a");
        Request b = waiting("b");
        b.permit.detach();
        a.complete();
        assertEquals(List.of("b runs"), events);
        assertEquals(1, lane.counts().granted(), "it has its connection");
        b.complete();
        assertEquals(0, admission.counters().detached());
    }

    @Test
    void detachingWhatWaitsForAWorkerDoesNothing() {
        fillTheStage();
        List<Request> running = fillTheWorkers();
        Request last = waiting("last");
        last.permit.detach();
        assertEquals(1, lane.counts().granted(), "it keeps its connection");
        running.getFirst().complete();
        assertEquals(List.of("last runs"), events);
    }

    @ParameterizedTest
    @EnumSource
    void workersPlaceIsReleasedThoughTheNextOneFailsToStart(End end) {
        fillTheStage();
        Request a = running("a");
        assertEquals(1, admission.counters().running());
        queueOneThatFails();
        assertThrows(IllegalStateException.class, () -> end.of(a.permit, now));
        assertEquals(0, admission.counters().running());
        assertEquals(0, lane.counts().granted());
    }

    @ParameterizedTest
    @EnumSource
    void runOfTheStageEndsThoughTheNextOneFailsToStart(End end) {
        Request a = running("a");
        queueOneThatFails();
        assertThrows(IllegalStateException.class, () -> end.of(a.permit, now));
        assertEquals(0, admission.databaseRuns());
        assertEquals(end == End.DETACH ? 1 : 0, admission.counters().detached());
        assertEquals(0, lane.counts().granted());
    }

    @Test
    void rejectionIsReportedThoughTheNextOneFailsToStart() {
        List<Request> stage = fillTheStage();
        fillTheWorkers();
        waiting("last");
        stage.getFirst().complete();
        queueOneThatFails();
        for (int i = 0; i < 50; i++) {
            now += 100 * MILLI;
            admission.tick(now);
        }
        assertThrows(IllegalStateException.class, () -> admission.startQueued(now));
        assertEquals(List.of("last rejected: EXPIRED"), events);
    }

    @Test
    void requestIsClosedAtAStopThoughTheNextOneFailsToStart() {
        List<Request> stage = fillTheStage();
        fillTheWorkers();
        waiting("last");
        stage.getFirst().complete();
        queueOneThatFails();
        assertThrows(IllegalStateException.class, admission::stop);
        assertEquals(List.of("last closed"), events);
    }

    /// As many as may run without a worker's place, all without their connections.
    private List<Request> fillTheStage() {
        var all = new ArrayList<Request>();
        for (int i = 0; i <= WORKERS; i++) {
            Request request = running("r" + i);
            request.useConnection();
            all.add(request);
        }
        return all;
    }

    private List<Request> fillTheWorkers() {
        var all = new ArrayList<Request>();
        for (int i = 0; i < WORKERS; i++) {
            Request request = running("w" + i);
            request.useConnection();
            all.add(request);
        }
        assertEquals(WORKERS, admission.counters().running());
        return all;
    }

    private void queueOneThatFails() {
        assertInstanceOf(Decision.Wait.class, new FailingRequest().decide());
    }

    /// A run in a worker slot that waits for a connection with its thread.
    @Test
    void othersRunWhileAThreadWaitsForAConnection() {
        var running = new ArrayList<Request>();
        for (int i = 0; i < WORKERS; i++) {
            var request = new Request("w" + i);
            assertInstanceOf(
                    Decision.Run.class, request.permit.decide(route, null, request.session, now));
            running.add(request);
        }
        var next = new Request("next");
        assertInstanceOf(Decision.Wait.class, next.permit.decide(route, null, next.session, now));
        running.getFirst()
                .permit
                .awaitConnection(() -> assertEquals(List.of("next runs"), events), now);
        assertEquals(List.of("next runs"), events);
    }

    /// Whatever clients, handlers and the pool do, nothing is lost or granted twice.
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void everyRequestHasExactlyOneOutcome(long seed) {
        var random = new Random(seed);
        connections = 1 + random.nextInt(3);
        var book = new Book(random);
        for (int i = 0; i < 3_000; i++) {
            now += random.nextInt((int) (30 * MILLI));
            book.step();
        }
        book.end();
        assertEquals(0, lane.counts().granted());
        assertEquals(0, admission.databaseRuns());
        assertEquals(0, admission.counters().running());
        assertEquals(0, admission.counters().detached());
        assertEquals(0, admission.waitingCount());
    }

    /// The test's own account of all requests.
    private final class Book {
        private final Random random;
        private final List<Client> waiting = new ArrayList<>();
        private final List<Client> running = new ArrayList<>();

        Book(Random random) {
            this.random = random;
        }

        private final class Client implements AdmissionTask {
            final Permit permit = admission.newPermit(this);
            final boolean isOfDatabase = random.nextInt(4) > 0;

            @Override
            public void run() {
                assertTrue(waiting.remove(this), "it waited");
                running.add(this);
            }

            @Override
            public void reject(Decision.Reject rejection) {
                assertTrue(waiting.remove(this), "it waited");
            }

            @Override
            public void close() {
                throw new AssertionError("the server has not stopped");
            }
        }

        void step() {
            switch (random.nextInt(8)) {
                case 0, 1, 2 -> arrive();
                case 3 -> {
                    if (!waiting.isEmpty()) {
                        Client client = waiting.remove(random.nextInt(waiting.size()));
                        assertTrue(client.permit.cancel());
                    }
                }
                case 4 -> {
                    lane.tick(now);
                    admission.tick(now);
                    admission.startQueued(now);
                }
                default -> {
                    if (!running.isEmpty()) {
                        act(running.get(random.nextInt(running.size())));
                    }
                }
            }
            check();
        }

        private void arrive() {
            var client = new Client();
            // As if the decision called the task in any case.
            waiting.add(client);
            switch (client.permit.decide(
                    route, client.isOfDatabase ? database : null, new Session(), now)) {
                case Decision.Run _ -> client.run();
                case Decision.Wait _ -> {}
                case Decision.Reject rejection -> client.reject(rejection);
            }
        }

        private void act(Client client) {
            DatabasePermit connection =
                    random.nextBoolean() ? client.permit.useConnection(lane, now) : null;
            if (connection != null) {
                now += random.nextInt((int) (5 * MILLI));
                connection.close(now);
            }
            if (random.nextInt(4) == 0) {
                client.permit.detach();
                admission.startQueued(now);
            }
            if (random.nextInt(3) > 0) {
                complete(client);
            }
        }

        private void complete(Client client) {
            assertTrue(running.remove(client));
            client.permit.complete(now);
            admission.startQueued(now);
        }

        private void check() {
            Counters counters = admission.counters();
            assertEquals(running.size(), counters.running() + counters.detached());
            DatabaseLane.Counts counts = lane.counts();
            int inLane = counts.quickWaiting() + counts.lengthyWaiting();
            assertEquals(waiting.size(), admission.waitingCount() + inLane);
            assertTrue(counts.granted() <= connections);
            assertTrue(admission.databaseRuns() <= connections + WORKERS);
            assertTrue(counters.running() <= WORKERS);
        }

        void end() {
            waiting.forEach(client -> assertTrue(client.permit.cancel()));
            waiting.clear();
            while (!running.isEmpty()) {
                complete(running.getFirst());
            }
        }
    }
}
