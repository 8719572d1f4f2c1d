package dev.tandem.engine;

import dev.tandem.admission.AdmissionTask;
import dev.tandem.admission.DatabaseDoor;
import dev.tandem.admission.DatabaseLane;
import dev.tandem.admission.DatabasePermit;
import dev.tandem.admission.DatabaseRoute;
import dev.tandem.admission.Decision;
import dev.tandem.admission.Permit;
import dev.tandem.admission.RouteLoad;
import dev.tandem.admission.Session;
import dev.tandem.engine.site.RouteTiming;
import dev.tandem.http.RequestHead;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Decides whether a request runs, waits or is rejected, and runs it when it is admitted: the
/// admission of one [QueuedRequest], over all requests that follow each other on it. Costs nothing
/// until the first decision. Belongs to the owner of that request, except [#cancel()].
///
/// ```
///  decide -- Run ----------------------------------------> run --> completed
///    |  \--- Wait --> queued -- a permit is free -> QueuedRequest.run
///    |                  |  \-- wait expired ------> QueuedRequest.reject
///    |                  \----- client disconnects -> cancel
///    \------ Reject: the caller rejects it
/// ```
public final class RequestAdmission implements AdmittedRequest {
    /// Maximum number of requests that run without a worker permit after they have released their
    /// database connections: 4 for each processor, which is also the initial number of workers.
    private static final int WITHOUT_WORKER_MORE = 4 * Runtime.getRuntime().availableProcessors();

    private final Dispatcher dispatcher;
    private final QueuedRequest request;
    private final boolean isTlsResumed;

    /// Whether the session belongs to a connection with several requests, which ends it.
    private final boolean isSessionShared;

    private @Nullable Permit permit;
    private @Nullable ClientSession session;

    /// Of the last request that was decided on.
    private @Nullable RouteTiming timing;

    /// Permit of the lane of its route's database; of the last request that was decided on.
    private volatile @Nullable DatabasePermit databasePermit;

    /// The lane of the permit that the request used; null if none.
    private @Nullable DatabaseLane used;

    private long askedNanos;

    /// Whether one of its requests has run.
    private boolean hasRun;

    /// Whether it runs with a lane's permit and without a worker permit.
    private boolean isWithoutWorker;

    /// Whether the session of the request that will be decided on next was looked up already.
    private boolean isSessionKnown;

    /// @param isTlsResumed whether the client has resumed a TLS session, and so was served before
    public RequestAdmission(Dispatcher dispatcher, QueuedRequest request, boolean isTlsResumed) {
        this.dispatcher = dispatcher;
        this.request = request;
        this.isTlsResumed = isTlsResumed;
        this.isSessionShared = false;
    }

    /// Of one request among several of a connection.
    ///
    /// @param session the connection's, which ends it
    public RequestAdmission(Dispatcher dispatcher, QueuedRequest request, ClientSession session) {
        this.dispatcher = dispatcher;
        this.request = request;
        this.isTlsResumed = false;
        this.isSessionShared = true;
        this.session = session;
    }

    // ---- The decision.

    /// Decides on a request: by its database's lane, if its route uses one, so that it waits for a
    /// connection without a thread; else by admission. After [Decision.Wait] the caller must not
    /// touch the request: another thread may have it already.
    public Decision decide(RouteTiming timing, RequestHead head) {
        used = null;
        if (!dispatcher.isAdmitting()) {
            return Dispatcher.RUN;
        }
        askedNanos = Events.asked();
        this.timing = timing;
        Permit requested = permit;
        if (requested == null) {
            requested = dispatcher.admission().newPermit(new Queued());
            permit = requested;
        }
        ClientSession known = session();
        if (!isSessionKnown) {
            known.identify(head);
        }
        isSessionKnown = false;
        DatabaseRoute data = timing.data();
        if (data != null && data.isLikely()) {
            Decision decision = decideByDatabase(data, known.session());
            return decision instanceof Decision.Run ? begin(requested, known) : decision;
        }
        return admit(requested, known);
    }

    private Decision decideByDatabase(DatabaseRoute data, Session session) {
        long now = dispatcher.nanos();
        var databaseDoor = new DatabaseDoor(dispatcher.admission());
        var requested =
                new DatabasePermit(
                        data,
                        databaseDoor.kind(session, now),
                        AdmissionTask.of(this::databaseDecided));
        databasePermit = requested;
        Decision decision = requested.ask(now);
        if (decision instanceof Decision.Reject rejection) {
            databasePermit = null;
            Events.refused(load(), rejection);
            databaseDoor.refused(session, rejection);
        }
        return decision;
    }

    /// A request that waited for a connection has a permit, or its wait has expired. Called by the
    /// thread that released a permit; no other thread has the request.
    private void databaseDecided(Decision decision) {
        Decision then = decision;
        if (decision instanceof Decision.Run) {
            then = begin(Objects.requireNonNull(permit), session());
        } else if (decision instanceof Decision.Reject rejection) {
            new DatabaseDoor(dispatcher.admission()).refused(session().session(), rejection);
            Events.refused(load(), rejection);
        }
        switch (then) {
            case Decision.Run _ -> dispatcher.submit(request);
            case Decision.Wait _ -> {
                // Admission has it: the thread that releases a worker permit continues with it.
            }
            case Decision.Reject rejection -> request.reject(rejection.retryAfterSeconds());
        }
    }

    /// A request that has a permit of a lane needs no worker permit: it would keep a connection
    /// from others while it waits. But where too many have returned their connections and still do
    /// something else, such as rendering, processors are the bottleneck, and admission decides.
    private Decision begin(Permit requested, ClientSession known) {
        DatabasePermit held = Objects.requireNonNull(databasePermit);
        AtomicInteger withoutWorker = databases().runs();
        if (withoutWorker.incrementAndGet() > held.lane().places() + WITHOUT_WORKER_MORE) {
            withoutWorker.decrementAndGet();
            return admit(requested, known);
        }
        isWithoutWorker = true;
        new DatabaseDoor(dispatcher.admission())
                .begin(requested, load(), known.session(), dispatcher.nanos());
        return Dispatcher.RUN;
    }

    private Decision admit(Permit requested, ClientSession known) {
        Decision decision = dispatcher.decide(requested, load(), known.session());
        if (decision instanceof Decision.Reject) {
            closeUnusedPermit();
        }
        return decision;
    }

    private RouteLoad load() {
        return Objects.requireNonNull(timing).load();
    }

    private ClientSession session() {
        ClientSession known = session;
        if (known == null) {
            known = new ClientSession(dispatcher, isTlsResumed);
            session = known;
        }
        return known;
    }

    /// Whether a request may have to wait, so that its client should be watched for its disconnect
    /// meanwhile. One that will be rejected is not worth the call; should it wait after all, and
    /// its client disconnect, it is started in vain.
    public boolean isToBeWatched(RouteTiming timing, RequestHead head) {
        return dispatcher.isAdmitting()
                && (timing.data() != null
                        || dispatcher.admission().isPressed() && !wouldBeRejected(timing, head));
    }

    /// Whether a request need not send its body. The next one that is decided on is the same.
    public boolean wouldBeRejected(RouteTiming timing, RequestHead head) {
        if (!dispatcher.isAdmitting()) {
            return false;
        }
        session().identify(head);
        isSessionKnown = true;
        DatabaseRoute data = timing.data();
        return data != null && data.isLikely()
                ? data.lane().isDown()
                : dispatcher.wouldReject(timing.load(), session().session());
    }

    // ---- The queue.

    /// What admission's queue holds.
    private final class Queued implements AdmissionTask {
        @Override
        public void run() {
            dispatcher.submit(request);
        }

        @Override
        public void reject(Decision.Reject rejection) {
            Events.refused(load(), rejection);
            closeUnusedPermit();
            request.reject(rejection.retryAfterSeconds());
        }

        @Override
        public void close() {
            request.close();
        }
    }

    /// Takes the request out of the queue: its client has disconnected, or the connection must be
    /// checked. Called while another thread may start it.
    ///
    /// @return false if it does not wait; then it belongs to another thread
    public boolean cancel() {
        DatabasePermit queued = databasePermit;
        if (queued != null && queued.leave()) {
            return true;
        }
        Permit requested = permit;
        boolean isCancelled = requested != null && dispatcher.admission().leave(requested);
        if (isCancelled) {
            closeUnusedPermit();
        }
        return isCancelled;
    }

    // ---- The run.

    /// Runs or continues an admitted exchange, and reports its end to admission and to a recording.
    ///
    /// @param context the calling thread's
    /// @return whether it is over
    public boolean run(RunningExchange x, IoContext context) throws IOException {
        RequestEvent event = Events.begins();
        context.runs(x);
        long computedBefore = isMeasured() ? CpuTime.ofThread() : -1;
        boolean isOver = true;
        try {
            isOver = x.run(context);
        } finally {
            if (isOver && event != null) {
                event.ended(x, context.respondedNanos(), askedNanos);
            }
            context.runs(null);
            if (isOver) {
                completed(x, computedBefore);
            }
        }
        return isOver;
    }

    /// Whether admission needs the CPU time of the run that begins.
    private boolean isMeasured() {
        Permit held = permit;
        return held != null && held.isMeasured() && !Thread.currentThread().isVirtual();
    }

    private void completed(RunningExchange x, long computedBefore) {
        hasRun = true;
        closeUnusedPermit();
        endWithoutWorker();
        Permit held = permit;
        if (held != null) {
            if (computedBefore >= 0) {
                held.computed(CpuTime.ofThread() - computedBefore);
            }
            dispatcher.completed(held, x.isFailed());
            session().responded(x.responseHeaders());
        }
    }

    /// Gives back what an admitted request was granted that does not run after all, as its client
    /// has reset it. Called by the thread that has the request, in place of [#run].
    public void skip() {
        closeUnusedPermit();
        endWithoutWorker();
        Permit held = permit;
        if (held != null) {
            held.close();
        }
    }

    /// Whether one of the requests has run, and was not rejected.
    public boolean hasRun() {
        return hasRun;
    }

    @Override
    public @Nullable DatabasePermit use(DatabaseLane lane, long now) {
        DatabasePermit held = databasePermit;
        if (held == null || held.lane() != lane || !held.used(now)) {
            return null;
        }
        used = lane;
        return held;
    }

    @Override
    public boolean hasUsed(DatabaseLane lane) {
        return used == lane;
    }

    @Override
    public void detach() {
        // An exchange that waits for a client, or streams, reserves no connection.
        closeUnusedPermit();
        endWithoutWorker();
        Permit held = permit;
        if (held != null) {
            dispatcher.detach(held);
        }
    }

    @Override
    public Databases databases() {
        return dispatcher.databases();
    }

    private void endWithoutWorker() {
        if (isWithoutWorker) {
            isWithoutWorker = false;
            databases().runs().decrementAndGet();
        }
    }

    /// The exchange will take no connection any more.
    private void closeUnusedPermit() {
        DatabasePermit held = databasePermit;
        databasePermit = null;
        if (held != null) {
            held.closeUnused(dispatcher.nanos());
        }
    }

    /// The connection has closed.
    public void close() {
        DatabasePermit held = databasePermit;
        if (held != null && !held.leave()) {
            closeUnusedPermit();
        }
        if (session != null && !isSessionShared) {
            session.end();
        }
    }
}
