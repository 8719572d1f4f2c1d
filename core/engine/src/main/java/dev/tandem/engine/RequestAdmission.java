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

/// Decides whether a request runs, waits or is rejected, and runs it when it is admitted: what one
/// [QueuedRequest] has to do with admission, over all requests that follow each other on it. Costs
/// nothing until the first request asks. Belongs to the owner of that request, but for [#cancel()].
///
/// ```
///  decide -- Run ----------------------------------------> run --> completed
///    |  \--- Wait --> queued -- a place is free --> QueuedRequest.run
///    |                  |  \-- waited in vain ----> QueuedRequest.reject
///    |                  \----- client disconnects -> cancel
///    \------ Reject: the caller rejects it
/// ```
public final class RequestAdmission implements AdmittedRequest {
    /// Maximum number of requests that run without a worker's place after they have released their
    /// database connections: 4 for each processor, as many as a server begins with.
    private static final int BESIDE_MORE = 4 * Runtime.getRuntime().availableProcessors();

    private final Dispatcher dispatcher;
    private final QueuedRequest request;
    private final boolean isTlsResumed;

    private @Nullable Permit permit;
    private @Nullable ClientSession session;

    /// Of the request that asked last.
    private @Nullable RouteTiming timing;

    /// In the lane of its route's database; of the request that asked last.
    private volatile @Nullable DatabasePermit place;

    /// The lane of the place that the request used, if it did.
    private @Nullable DatabaseLane used;

    private long askedNanos;

    /// Whether one of its requests has run.
    private boolean hasRun;

    /// Whether it runs in a lane's place and in no worker's.
    private boolean isBeside;

    /// Whether the session of the request that will be decided on next was looked up already.
    private boolean isSessionKnown;

    /// @param isTlsResumed whether the client has resumed a TLS session, and so was served before
    public RequestAdmission(Dispatcher dispatcher, QueuedRequest request, boolean isTlsResumed) {
        this.dispatcher = dispatcher;
        this.request = request;
        this.isTlsResumed = isTlsResumed;
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
        Permit asked = permit;
        if (asked == null) {
            asked = dispatcher.admission().newPermit(new Queued());
            permit = asked;
        }
        ClientSession known = session();
        if (!isSessionKnown) {
            known.identify(head);
        }
        isSessionKnown = false;
        DatabaseRoute data = timing.data();
        if (data != null && data.isLikely()) {
            Decision decision = askForData(data, known.session());
            return decision instanceof Decision.Run ? begin(asked, known) : decision;
        }
        return admit(asked, known);
    }

    private Decision askForData(DatabaseRoute data, Session session) {
        long now = dispatcher.nanos();
        var door = new DatabaseDoor(dispatcher.admission());
        var asked =
                new DatabasePermit(
                        data, door.kind(session, now), AdmissionTask.of(this::dataDecided));
        place = asked;
        Decision decision = asked.ask(now);
        if (decision instanceof Decision.Reject shed) {
            place = null;
            Events.refused(load(), shed);
            door.refused(session, shed);
        }
        return decision;
    }

    /// A request that waited for a connection has a place, or has waited in vain. Called by the
    /// thread that gave a place back; no other has the request.
    private void dataDecided(Decision decision) {
        Decision then = decision;
        if (decision instanceof Decision.Run) {
            then = begin(Objects.requireNonNull(permit), session());
        } else if (decision instanceof Decision.Reject shed) {
            new DatabaseDoor(dispatcher.admission()).refused(session().session(), shed);
            Events.refused(load(), shed);
        }
        switch (then) {
            case Decision.Run _ -> dispatcher.submit(request);
            case Decision.Wait _ -> {
                // Admission has it: the thread that gives a worker's place back goes on with it.
            }
            case Decision.Reject shed -> request.reject(shed.retryAfterSeconds());
        }
    }

    /// A request that has a place in a lane needs no worker's: it would keep a connection from
    /// others while it waits. But where too many have given their connections back and still do
    /// something else, such as rendering, processors are what is full, and admission decides.
    private Decision begin(Permit asked, ClientSession known) {
        DatabasePermit its = Objects.requireNonNull(place);
        AtomicInteger beside = databases().runs();
        if (beside.incrementAndGet() > its.lane().places() + BESIDE_MORE) {
            beside.decrementAndGet();
            return admit(asked, known);
        }
        isBeside = true;
        new DatabaseDoor(dispatcher.admission())
                .begin(asked, load(), known.session(), dispatcher.nanos());
        return Dispatcher.RUN;
    }

    private Decision admit(Permit asked, ClientSession known) {
        Decision decision = dispatcher.decide(asked, load(), known.session());
        if (decision instanceof Decision.Reject) {
            dropPlace();
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
                : dispatcher.wouldRefuse(timing.load(), session().session());
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
            dropPlace();
            request.reject(rejection.retryAfterSeconds());
        }

        @Override
        public void close() {
            request.close();
        }
    }

    /// Takes the request out of the queue: its client has disconnected, or more is to be known of
    /// it. Called while another thread may start it.
    ///
    /// @return false if it does not wait; then it belongs to another thread
    public boolean cancel() {
        DatabasePermit wanted = place;
        if (wanted != null && wanted.leave()) {
            return true;
        }
        Permit asked = permit;
        boolean isCancelled = asked != null && dispatcher.admission().leave(asked);
        if (isCancelled) {
            dropPlace();
        }
        return isCancelled;
    }

    // ---- The run.

    /// Runs an admitted exchange, or goes on with it, and reports its end to admission and to a
    /// recording.
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

    /// Whether admission wants to know how much of the run that begins is computing.
    private boolean isMeasured() {
        Permit held = permit;
        return held != null && held.isMeasured() && !Thread.currentThread().isVirtual();
    }

    private void completed(RunningExchange x, long computedBefore) {
        hasRun = true;
        dropPlace();
        leaveBeside();
        Permit held = permit;
        if (held != null) {
            if (computedBefore >= 0) {
                held.computed(CpuTime.ofThread() - computedBefore);
            }
            dispatcher.completed(held, x.isFailed());
            session().responded(x.responseHeaders());
        }
    }

    /// Whether one of the requests has run, and was not rejected.
    public boolean hasRun() {
        return hasRun;
    }

    @Override
    public @Nullable DatabasePermit use(DatabaseLane lane, long now) {
        DatabasePermit held = place;
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
        dropPlace(); // an exchange that waits for a client, or streams, keeps no connection for
        // later
        leaveBeside();
        Permit held = permit;
        if (held != null) {
            dispatcher.detach(held);
        }
    }

    @Override
    public Databases databases() {
        return dispatcher.databases();
    }

    private void leaveBeside() {
        if (isBeside) {
            isBeside = false;
            databases().runs().decrementAndGet();
        }
    }

    /// The exchange will take no connection any more.
    private void dropPlace() {
        DatabasePermit held = place;
        place = null;
        if (held != null) {
            held.closeUnused(dispatcher.nanos());
        }
    }

    /// The connection has closed.
    public void close() {
        DatabasePermit held = place;
        if (held != null && !held.leave()) {
            dropPlace();
        }
        if (session != null) {
            session.end();
        }
    }
}
