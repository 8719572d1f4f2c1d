package dev.tandem.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.ErrorPage;
import dev.tandem.Options;
import dev.tandem.admission.Admission;
import dev.tandem.admission.AdmissionTask;
import dev.tandem.admission.DatabaseLane;
import dev.tandem.admission.DatabasePermit;
import dev.tandem.admission.DatabaseRoute;
import dev.tandem.admission.Decision;
import dev.tandem.admission.Reason;
import dev.tandem.engine.site.Probe;
import dev.tandem.engine.site.RouteTiming;
import dev.tandem.engine.site.Site;
import dev.tandem.http.Handler;
import dev.tandem.http.Router;
import dev.tandem.http.websocket.CloseReason;
import dev.tandem.testkit.FakeClock;
import dev.tandem.testkit.LogCapture;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Requests with a real admission and a real dispatcher, at a time that the test sets. One worker
/// may run at a time, unless stated otherwise.
@Timeout(60)
class RequestAdmissionTest {
    private static final Options ONE_WORKER = Options.DEFAULT.withThreads(t -> t.withWorkersMax(1));
    private static final Handler HANDLER = x -> x.send("");
    private static final ToyHead HEAD = new ToyHead("GET", "/", "");

    /// More than any queue takes.
    private static final int REQUESTS_MAX = 100_000;

    private final FakeClock clock = new FakeClock(1);
    private final WorkerPool workers = Engines.oneWorker();
    private final IoContext context = IoContext.ofWorker(8);
    private final BlockingQueue<String> events = new LinkedBlockingQueue<>();
    private Dispatcher dispatcher = dispatcher(ONE_WORKER, workers, clock);
    private Admission admission = dispatcher.admission();
    private RouteTiming timing = timing(admission, HANDLER);

    /// Of the requests that follow.
    private InetAddress client = InetAddress.ofLiteral("127.0.0.1");

    private static Dispatcher dispatcher(Options options, WorkerPool workers, FakeClock clock) {
        return new Dispatcher(Engines.admission(options), true, options, workers, clock::nanos);
    }

    /// Restarts with other options.
    private void begin(Options options) {
        begin(dispatcher(options, workers, clock));
    }

    private void begin(Dispatcher other) {
        dispatcher = other;
        admission = dispatcher.admission();
        timing = timing(admission, HANDLER);
    }

    private static RouteTiming timing(Admission admission, Handler handler) {
        Router routes = Router.builder().add("GET", "/", handler).build();
        var site = new Site(routes, List.of(), ErrorPage.PLAIN, admission);
        return site.resolve("GET", HEAD.target()).timing();
    }

    @AfterEach
    void stop() {
        workers.stop();
    }

    /// A request that records its outcome.
    private final class Request implements QueuedRequest {
        private final String name;
        private final RequestAdmission its;
        private boolean failsToReject;

        Request(String name) {
            this.name = name;
            this.its = new RequestAdmission(dispatcher, this, false, false);
        }

        Decision decide() {
            return its.decide(timing, HEAD, false);
        }

        /// Runs and ends.
        void complete() throws IOException {
            assertTrue(its.run(new FakeExchange(timing), context));
        }

        @Override
        public SocketAddress remote() {
            return new InetSocketAddress(client, 1);
        }

        @Override
        public void run(IoContext context) {
            events.add(name + " runs");
        }

        @Override
        public void reject(int retryAfterSeconds) {
            assertTrue(retryAfterSeconds >= 1 && retryAfterSeconds <= 30);
            events.add(name + " is rejected");
            if (failsToReject) {
                throw new OutOfMemoryError("on purpose");
            }
        }

        @Override
        public void close() {
            events.add(name + " is closed");
        }
    }

    private Request running(String name) {
        var request = new Request(name);
        assertInstanceOf(Decision.Run.class, request.decide());
        return request;
    }

    private Request waiting(String name) {
        var request = new Request(name);
        int before = admission.waitingCount();
        assertInstanceOf(Decision.Wait.class, request.decide());
        assertEquals(before + 1, admission.waitingCount());
        return request;
    }

    private void assertNextEvent(String event) throws InterruptedException {
        assertEquals(event, events.poll(20, TimeUnit.SECONDS));
    }

    // ---- Run.

    @Test
    void firstRequestRunsAtOnce() throws Exception {
        Request request = running("a");
        assertFalse(request.its.hasRun());
        request.complete();
        assertTrue(request.its.hasRun());
        assertEquals(List.of(), List.copyOf(events), "its caller runs it");
    }

    /// Those of which a client has too many are requests as others.
    @Test
    void healthChecksCountForTheirClient() {
        dispatcher = dispatcher(ONE_WORKER, workers, clock);
        admission = dispatcher.admission();
        timing = timing(admission, new Probe(HANDLER));
        for (int i = 0; i < 15; i++) {
            running("check"); // 14 and, on the worker, the last one
        }
        waiting("check");
        client = InetAddress.ofLiteral("127.0.0.2");
        running("other");
    }

    @Test
    void requestsOfOneConnectionRunOneAfterAnother() throws Exception {
        var request = new Request("a");
        for (int i = 0; i < 3; i++) {
            assertInstanceOf(Decision.Run.class, request.decide());
            request.complete();
        }
        request.its.connectionClosed();
    }

    @Test
    void contextShowsTheRunningExchange() throws Exception {
        Request request = running("a");
        var seen = new ArrayList<@Nullable RunningExchange>();
        var exchange =
                new FakeExchange(timing) {
                    @Override
                    public boolean run(IoContext context) {
                        seen.add(context.running());
                        return true;
                    }
                };
        request.its.run(exchange, context);
        assertSame(exchange, seen.getFirst());
        assertNull(context.running());
    }

    @Test
    void failedRunReleasesItsPermit() throws Exception {
        Request request = running("a");
        waiting("b");
        var failing =
                new FakeExchange(timing) {
                    @Override
                    public boolean run(IoContext context) throws IOException {
                        throw new IOException("on purpose");
                    }
                };
        assertThrows(IOException.class, () -> request.its.run(failing, context));
        assertNull(context.running());
        dispatcher.startNext();
        assertNextEvent("b runs");
    }

    @Test
    void exchangeThatCannotBeMadeReleasesItsPermit() throws Exception {
        Request request = running("a");
        waiting("b");
        RequestAdmission.Admitted failing =
                () -> {
                    throw new OutOfMemoryError("on purpose");
                };
        assertThrows(OutOfMemoryError.class, () -> request.its.run(failing, context));
        assertEquals(0, admission.counters().running());
        dispatcher.startNext();
        assertNextEvent("b runs");
        assertInstanceOf(Decision.class, request.decide(), "the permit is free again");
    }

    @Test
    void unfinishedExchangeKeepsItsPermit() throws Exception {
        Request request = running("a");
        waiting("b");
        var lasting =
                new FakeExchange(timing) {
                    private int runs;

                    @Override
                    public boolean run(IoContext context) {
                        runs++;
                        return runs == 2;
                    }
                };
        assertFalse(request.its.run(lasting, context));
        assertFalse(request.its.hasRun());
        dispatcher.startNext();
        assertEquals(1, admission.waitingCount());
        assertTrue(request.its.run(lasting, context));
        dispatcher.startNext();
        assertNextEvent("b runs");
    }

    @Test
    void serverWithoutAdmissionRunsAll() throws Exception {
        Admission unused = Engines.admission(ONE_WORKER);
        begin(new Dispatcher(unused, false, ONE_WORKER, workers, clock::nanos));
        Request a = running("a");
        Request b = running("b");
        assertFalse(b.its.isToBeWatched(timing, HEAD));
        assertFalse(b.its.wouldBeRejected(timing, HEAD));
        assertFalse(b.its.cancel());
        a.complete();
        b.complete();
        assertTrue(b.its.hasRun());
        b.its.connectionClosed();
    }

    // ---- Wait.

    @Test
    void queuedRequestRunsOnAWorkerWhenAPermitIsFree() throws Exception {
        Request a = running("a");
        waiting("b");
        dispatcher.startNext();
        assertEquals(1, admission.waitingCount(), "no place is free");
        a.complete();
        dispatcher.startNext();
        assertNextEvent("b runs");
        assertEquals(0, admission.waitingCount());
    }

    @Test
    void queuedRequestsRunInTheOrderOfTheirArrival() throws Exception {
        Request a = running("a");
        Request b = waiting("b");
        Request c = waiting("c");
        a.complete();
        dispatcher.startNext();
        assertNextEvent("b runs");
        assertEquals(1, admission.waitingCount(), "b has the only place");
        b.complete();
        dispatcher.startNext();
        assertNextEvent("c runs");
        c.complete();
    }

    @Test
    void cancelledRequestNeverRuns() throws Exception {
        Request a = running("a");
        Request b = waiting("b");
        waiting("c");
        assertTrue(b.its.cancel());
        assertFalse(b.its.cancel(), "it waits no more");
        assertEquals(1, admission.waitingCount());
        a.complete();
        dispatcher.startNext();
        assertNextEvent("c runs");
        b.its.connectionClosed();
        assertTrue(events.isEmpty());
    }

    @Test
    void cancelledRequestMayQueueAgainAtTheEnd() throws Exception {
        Request a = running("a");
        Request b = waiting("b");
        Request c = waiting("c");
        assertTrue(b.its.cancel());
        assertInstanceOf(Decision.Wait.class, b.decide());
        a.complete();
        dispatcher.startNext();
        assertNextEvent("c runs");
        c.complete();
        dispatcher.startNext();
        assertNextEvent("b runs");
    }

    @Test
    void onlyAQueuedRequestIsCancelled() throws Exception {
        var request = new Request("a");
        assertFalse(request.its.cancel(), "it has not asked");
        request.decide();
        assertFalse(request.its.cancel(), "it runs");
        request.complete();
        assertFalse(request.its.cancel(), "it is over");
    }

    @Test
    void detachedExchangeReleasesItsPermit() throws Exception {
        Request a = running("a");
        waiting("b");
        a.its.run(
                new FakeExchange(timing) {
                    @Override
                    public boolean run(IoContext context) {
                        a.its.detach();
                        a.its.detach();
                        return true;
                    }
                },
                context);
        assertNextEvent("b runs");
    }

    @Test
    void requestThatWaitedTooLongIsRejected() throws Exception {
        running("a");
        waiting("b");
        for (int i = 0; i < 60 && events.isEmpty(); i++) {
            clock.advance(Duration.ofSeconds(1));
            dispatcher.startNext();
        }
        assertNextEvent("b is rejected");
        assertEquals(0, admission.waitingCount());
    }

    @Test
    void requestThatCannotBeRejectedIsClosed() throws Exception {
        running("a");
        waiting("b").failsToReject = true;
        assertThrows(
                OutOfMemoryError.class,
                () -> {
                    for (int i = 0; i < 60; i++) {
                        clock.advance(Duration.ofSeconds(1));
                        dispatcher.startNext();
                    }
                });
        assertNextEvent("b is rejected");
        assertNextEvent("b is closed");
    }

    /// The thread may have given its own connection back by then, and would close it.
    @Test
    void failureOfARequestThatWaitsIsNotThatOfTheThreadThatStartsIt() throws Exception {
        running("a");
        waiting("b").failsToReject = true;
        try (LogCapture log = LogCapture.of("dev.tandem.engine")) {
            for (int i = 0; i < 60; i++) {
                clock.advance(Duration.ofSeconds(1));
                dispatcher.startNextAtEnd();
            }
            assertEquals(1, log.messages(_ -> true).size());
        }
        assertNextEvent("b is rejected");
        assertNextEvent("b is closed");
    }

    @Test
    void queuedRequestsAreClosedWhenTheServerStops() throws Exception {
        running("a");
        waiting("b");
        waiting("c");
        dispatcher.stop();
        assertNextEvent("b is closed");
        assertNextEvent("c is closed");
        assertTrue(events.isEmpty());
        assertEquals(0, admission.waitingCount());
    }

    /// Its connection is closed by the thread that has it, as by any other failure.
    @Test
    void requestThatHasNotBegunWhenTheServerStopsIsNotRun() throws Exception {
        Request request = running("a");
        var exchange = new FakeExchange(timing);
        exchange.runNanos = 0;
        dispatcher.stop();
        assertThrows(IOException.class, () -> request.its.run(exchange, context));
        assertEquals(0, admission.counters().running());
    }

    @Test
    void clientsAreWatchedWhileOthersWait() {
        var request = new Request("c");
        assertFalse(request.its.isToBeWatched(timing, HEAD));
        running("a");
        assertFalse(request.its.isToBeWatched(timing, HEAD), "nothing waits");
        waiting("b");
        assertTrue(request.its.isToBeWatched(timing, HEAD));
    }

    // ---- Reject.

    /// Has requests wait until one is rejected, which is returned.
    private Request rejected() {
        for (int i = 0; i < REQUESTS_MAX; i++) {
            var request = new Request("" + i);
            if (request.decide() instanceof Decision.Reject rejection) {
                assertTrue(rejection.retryAfterSeconds() >= 1);
                return request;
            }
        }
        throw new AssertionError("the queue has no end");
    }

    @Test
    void requestIsRejectedIfTheQueueIsFull() {
        Request request = rejected();
        int waiting = admission.waitingCount();
        assertTrue(waiting > 0);
        assertFalse(request.its.hasRun());
        assertFalse(request.its.cancel());
        assertInstanceOf(Decision.Reject.class, request.decide(), "it may ask again");
        assertEquals(waiting, admission.waitingCount());
        assertTrue(events.isEmpty(), "its caller rejects it");
    }

    @Test
    void predictedRejectionChangesNothing() {
        var early = new Request("early");
        assertFalse(early.its.wouldBeRejected(timing, HEAD));
        rejected();
        int waiting = admission.waitingCount();
        var late = new Request("late");
        assertTrue(late.its.wouldBeRejected(timing, HEAD));
        assertFalse(late.its.isToBeWatched(timing, HEAD), "it will not wait");
        assertEquals(waiting, admission.waitingCount());
        assertInstanceOf(Decision.Reject.class, late.decide());
    }

    // ---- Sessions.

    @Test
    void sessionThatAResponseBeginsIsKnownByItsCookie() throws Exception {
        begin(ONE_WORKER.withSessionCookies(List.of("SID")));
        var head = new ToyHead("GET", "/", "Cookie=SID=abc");
        long key = dispatcher.cookies().keyOf(head);
        var request = new Request("a");
        assertInstanceOf(Decision.Run.class, request.its.decide(timing, HEAD, false));
        assertNull(admission.session(key));
        var exchange = new FakeExchange(timing);
        exchange.responseHeaders().add("Set-Cookie", "SID=abc; Path=/");
        request.its.run(exchange, context);
        assertNotNull(admission.session(key));
        request.its.connectionClosed();
        assertNotNull(admission.session(key), "it outlives its connection");
    }

    @Test
    void cookieThatTheServerDidNotSetIsKnownOnceItsRequestHasRun() throws Exception {
        begin(ONE_WORKER.withSessionCookies(List.of("SID")));
        var head = new ToyHead("GET", "/", "Cookie=SID=abc");
        long key = dispatcher.cookies().keyOf(head);
        var request = new Request("a");
        request.its.decide(timing, head, false);
        assertNull(admission.session(key));
        request.complete();
        assertNotNull(admission.session(key));
    }

    /// A balancer's connection has requests of many sessions.
    @Test
    void refusedRequestLeavesItsSessionToNoOther() throws Exception {
        begin(ONE_WORKER.withSessionCookies(List.of("SID")));
        var refused = new ToyHead("GET", "/", "Cookie=SID=abc");
        var next = new ToyHead("GET", "/", "Cookie=SID=def");
        var request = new Request("a");
        assertFalse(request.its.wouldBeRejected(timing, refused));
        request.its.refused();
        assertInstanceOf(Decision.Run.class, request.its.decide(timing, next, false));
        request.complete();
        assertNotNull(admission.session(dispatcher.cookies().keyOf(next)));
        assertNull(admission.session(dispatcher.cookies().keyOf(refused)));
    }

    // ---- Databases.

    private DatabaseLane lane(int places) {
        return new DatabaseLane("test", () -> places, () -> {});
    }

    /// Has the route be one that uses the database.
    private void learn(DatabaseLane lane) {
        DatabaseRoute route = lane.route("GET /");
        for (int i = 0; i < 3; i++) {
            var permit =
                    new DatabasePermit(
                            route, DatabasePermit.Kind.LIVE_SESSION, AdmissionTask.of(_ -> {}));
            permit.request(clock.nanos());
            assertTrue(permit.use(clock.nanos()));
            permit.close(clock.nanos());
        }
        assertTrue(route.isLikely());
        timing.data(route);
    }

    /// Runs a request that uses the database.
    private void useDatabase(Request request, DatabaseLane lane) throws IOException {
        request.its.run(
                new FakeExchange(timing) {
                    @Override
                    public boolean run(IoContext context) {
                        long now = clock.nanos();
                        DatabasePermit place = request.its.useConnection(lane, now);
                        assertTrue(request.its.hasUsedConnection(lane));
                        Objects.requireNonNull(place).close(now);
                        return true;
                    }
                },
                context);
    }

    @Test
    void requestsOfADatabaseWaitForItsConnectionsAndNotForWorkers() throws Exception {
        DatabaseLane lane = lane(2);
        learn(lane);
        Request a = running("a");
        Request b = running("b");
        var c = new Request("c");
        assertInstanceOf(Decision.Wait.class, c.decide());
        assertEquals(0, admission.waitingCount());
        assertEquals(2, admission.databaseRuns());
        useDatabase(a, lane);
        assertNextEvent("c runs");
        assertEquals(2, admission.databaseRuns(), "b and c");
        useDatabase(b, lane);
        useDatabase(c, lane);
        assertEquals(0, admission.databaseRuns());
    }

    @Test
    void unusedDatabasePermitGoesToTheNextRequest() throws Exception {
        DatabaseLane lane = lane(1);
        learn(lane);
        Request a = running("a");
        var b = new Request("b");
        assertInstanceOf(Decision.Wait.class, b.decide());
        a.complete();
        assertFalse(a.its.hasUsedConnection(lane));
        assertNextEvent("b runs");
        useDatabase(b, lane);
        assertFalse(lane.isBusy());
    }

    @Test
    void requestThatIsCancelledInADatabaseQueueNeverRuns() throws Exception {
        DatabaseLane lane = lane(1);
        learn(lane);
        Request a = running("a");
        var b = new Request("b");
        var c = new Request("c");
        b.decide();
        c.decide();
        assertTrue(b.its.cancel());
        assertFalse(b.its.cancel());
        useDatabase(a, lane);
        assertNextEvent("c runs");
        b.its.connectionClosed();
        useDatabase(c, lane);
        assertTrue(events.isEmpty());
        assertFalse(lane.isBusy());
    }

    @Test
    void closedConnectionLeavesTheDatabaseQueue() throws Exception {
        DatabaseLane lane = lane(1);
        learn(lane);
        Request a = running("a");
        var b = new Request("b");
        b.decide();
        b.its.connectionClosed();
        useDatabase(a, lane);
        assertTrue(events.isEmpty());
        assertFalse(lane.isBusy());
    }

    @Test
    void databasePermitIsUsedOnceAndInNoOtherLane() throws Exception {
        DatabaseLane lane = lane(1);
        learn(lane);
        Request a = running("a");
        DatabaseLane other = lane(1);
        assertNull(a.its.useConnection(other, clock.nanos()));
        assertFalse(a.its.hasUsedConnection(other));
        useDatabase(a, lane);
        assertNull(a.its.useConnection(lane, clock.nanos()));
    }

    @Test
    void requestsOfADatabaseThatIsDownAreRejected() {
        DatabaseLane lane = lane(1);
        learn(lane);
        lane.setDown(true);
        var request = new Request("a");
        assertTrue(request.its.wouldBeRejected(timing, HEAD));
        assertInstanceOf(Decision.Reject.class, request.decide());
        assertEquals(0, admission.databaseRuns());
        lane.setDown(false);
        assertFalse(request.its.wouldBeRejected(timing, HEAD));
        assertInstanceOf(Decision.Run.class, request.decide());
    }

    // ---- Messages of sessions.

    private final class Message implements MessageAdmission.SessionTask {
        private final String name;

        Message() {
            this("message");
        }

        Message(String name) {
            this.name = name;
        }

        @Override
        public void run(IoContext context) {
            events.add(name + " runs");
        }

        @Override
        public void abandon() {
            events.add("message is abandoned");
        }

        @Override
        public void refuse(CloseReason why) {
            events.add("message is refused: " + why.code());
        }
    }

    private void expireWaiting() {
        for (int i = 0; i < 30; i++) {
            clock.advance(Duration.ofMillis(100));
            admission.tick(clock.nanos());
        }
        dispatcher.startNext();
    }

    @Test
    void messageThatWaitedInVainAsksAgainAndRuns() throws Exception {
        Request first = running("first");
        MessageAdmission message = first.its.ofMessages(new Message(), timing, false);
        message.submit();
        expireWaiting();
        assertEquals("message runs", runsAfter(first));
        message.ended(false);
        assertEquals(0, admission.counters().running());
    }

    private String runsAfter(Request running) throws Exception {
        running.complete();
        dispatcher.startNext();
        return String.valueOf(events.poll(20, TimeUnit.SECONDS));
    }

    /// Else the sessions that send again at once would have all places.
    @Test
    void newMessageWaitsBehindThoseOfItsRouteThatWerePutOff() throws Exception {
        Request first = running("first");
        MessageAdmission early = first.its.ofMessages(new Message(), timing, false);
        early.submit();
        expireWaiting();
        MessageAdmission late = first.its.ofMessages(new Message("late"), timing, false);
        late.submit();
        assertEquals("message runs", runsAfter(first));
        early.ended(false);
        dispatcher.startNext();
        assertEquals("late runs", events.poll(20, TimeUnit.SECONDS));
        late.ended(false);
        assertTrue(dispatcher.putOff().isEmpty());
    }

    /// What is no matter of load may last.
    @ParameterizedTest
    @EnumSource(Reason.class)
    void messageIsGivenUpWhereItsRouteIsStuckOrHasNoDatabase(Reason reason) {
        Request first = running("first");
        MessageAdmission message = first.its.ofMessages(new Message(), timing, false);
        message.submit();
        var rejection = new Decision.Reject(reason, 1);
        clock.advance(Duration.ofSeconds(29));
        message.reject(rejection);
        assertNull(events.peek());
        clock.advance(Duration.ofSeconds(1));
        message.reject(rejection);
        boolean isGivenUp = reason == Reason.ROUTE_STUCK || reason == Reason.NO_DATABASE;
        assertEquals(isGivenUp ? "message is refused: 1013" : null, events.poll());
    }

    @Test
    void allMessagesThatWaitForTooLongAreGivenUpAtOnce() {
        DatabaseLane lane = lane(1);
        Request first = running("first");
        learn(lane);
        lane.setDown(true);
        for (int i = 0; i < 3; i++) {
            first.its.ofMessages(new Message(), timing, false).submit();
        }
        clock.advance(Duration.ofSeconds(20));
        first.its.ofMessages(new Message(), timing, false).submit();
        dispatcher.startNext();
        assertNull(events.peek());
        clock.advance(Duration.ofSeconds(10));
        dispatcher.startNext();
        for (int i = 0; i < 3; i++) {
            assertEquals("message is refused: 1013", events.poll());
        }
        assertNull(events.peek());
        assertFalse(dispatcher.putOff().isEmpty(), "the last may wait for longer");
    }

    @Test
    void stopAbandonsMessagesThatWaitOrArePutOff() {
        Request first = running("first");
        MessageAdmission waiting = first.its.ofMessages(new Message(), timing, false);
        MessageAdmission putOff = first.its.ofMessages(new Message(), timing, false);
        putOff.submit();
        expireWaiting();
        waiting.submit();
        dispatcher.stop();
        assertEquals("message is abandoned", events.poll());
        assertEquals("message is abandoned", events.poll());
        MessageAdmission late = first.its.ofMessages(new Message(), timing, false);
        assertFalse(dispatcher.putOff().add(late));
    }
}
