package dev.tandem.engine;

import dev.tandem.admission.AdmissionTask;
import dev.tandem.admission.ClientNetwork;
import dev.tandem.admission.Decision;
import dev.tandem.admission.Permit;
import dev.tandem.admission.Session;
import dev.tandem.engine.site.RouteTiming;
import dev.tandem.http.RequestHead;
import java.io.IOException;
import java.util.Objects;
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
public final class RequestAdmission extends PermitOwner implements AdmissionTask {
    private final QueuedRequest request;
    private final boolean isTlsResumed;
    private final boolean isOfBalancer;

    /// Whether the session belongs to a connection with several requests, which ends it.
    private final boolean isSessionShared;

    private @Nullable ClientSession session;

    /// Of the request that was looked up last.
    private ClientSession.@Nullable Identity identity;

    private long askedNanos;

    /// The event of the last run, which may not be over.
    private @Nullable RequestEvent begun;

    /// Whether one of its requests has run.
    private boolean hasRun;

    /// Whether the session of the request that will be decided on next was looked up already.
    private boolean isSessionKnown;

    /// @param isTlsResumed whether the client has resumed a TLS session, and so was served before
    /// @param isOfBalancer whether the connection carries requests of many clients
    public RequestAdmission(
            Dispatcher dispatcher,
            QueuedRequest request,
            boolean isTlsResumed,
            boolean isOfBalancer) {
        super(dispatcher);
        this.request = request;
        this.isTlsResumed = isTlsResumed;
        this.isOfBalancer = isOfBalancer;
        this.isSessionShared = false;
    }

    /// Of one request among several of a connection.
    ///
    /// @param session the connection's, which ends it
    public RequestAdmission(Dispatcher dispatcher, QueuedRequest request, ClientSession session) {
        super(dispatcher);
        this.request = request;
        this.isTlsResumed = false;
        this.isOfBalancer = false;
        this.isSessionShared = true;
        this.session = session;
    }

    // ---- The decision.

    /// Decides on a request. After [Decision.Wait] the caller must not touch the request: another
    /// thread may have it already.
    ///
    /// @param isSecure whether its connection is over TLS
    public Decision decide(RouteTiming timing, RequestHead head, boolean isSecure) {
        if (!dispatcher.isAdmitting()) {
            return Dispatcher.RUN;
        }
        askedNanos = Events.asked();
        Permit asked = permit;
        if (asked == null) {
            asked = dispatcher.admission().newPermit(this);
            permit = asked;
        }
        asked.kind(RequestKind.of(head.method(), isSecure));
        if (timing.isProbe()) {
            asked.client(ClientNetwork.of(request.remote()));
        }
        Session known = isSessionKnown ? sessionOf(identity) : identify(head);
        isSessionKnown = false;
        return dispatcher.decide(asked, timing, known);
    }

    private Session identify(RequestHead head) {
        identity = session().identify(head);
        return sessionOf(identity);
    }

    private static Session sessionOf(ClientSession.@Nullable Identity known) {
        return Objects.requireNonNull(known).session();
    }

    private ClientSession session() {
        ClientSession known = session;
        if (known == null) {
            known = new ClientSession(dispatcher, isTlsResumed, isOfBalancer);
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
                        || dispatcher.admission().hasWaiting() && !wouldBeRejected(timing, head));
    }

    /// Forgets the session of a request that was looked up, and is refused without a decision.
    public void refused() {
        isSessionKnown = false;
    }

    /// Whether a request need not send its body. The next one that is decided on is the same,
    /// unless it is [#refused].
    public boolean wouldBeRejected(RouteTiming timing, RequestHead head) {
        if (!dispatcher.isAdmitting()) {
            return false;
        }
        Session known = identify(head);
        isSessionKnown = true;
        return dispatcher.wouldReject(timing, known);
    }

    // ---- The queue: called by admission.

    @Override
    public void run() {
        try {
            dispatcher.submit(request);
        } catch (Throwable e) {
            skip();
            request.close(); // it would wait for ever
            throw e;
        }
    }

    @Override
    public void reject(Decision.Reject rejection) {
        try {
            Events.rejected(Objects.requireNonNull(permit).route(), rejection);
            request.reject(rejection.retryAfterSeconds());
        } catch (Throwable e) {
            request.close();
            throw e;
        }
    }

    @Override
    public void close() {
        request.close();
    }

    /// Takes the request out of the queue: its client has disconnected, or more is to be known of
    /// it. Called while another thread may start it.
    ///
    /// @return false if it does not wait; then it belongs to another thread
    public boolean cancel() {
        Permit asked = permit;
        return asked != null && asked.cancel();
    }

    // ---- The run.

    /// An admitted request, whose exchange is made by the thread that runs it.
    @FunctionalInterface
    public interface Admitted {
        /// Returns what runs; the same each time.
        RunningExchange running();
    }

    /// Runs an admitted exchange, or continues it, and reports its end to admission and to a
    /// recording. Releases its place if it cannot begin, as without memory: a place that is lost
    /// halves how many of the route may run, as if a run did not end.
    ///
    /// @param context the calling thread's
    /// @return whether it is over
    /// @throws IOException if the client has disconnected, or the server has stopped before the
    ///     exchange began
    public boolean run(Admitted admitted, IoContext context) throws IOException {
        RunningExchange x;
        RequestEvent event;
        long computedBefore;
        try {
            x = admitted.running();
            if (dispatcher.isStopped() && x.runNanos() == 0) {
                throw new IOException("the server has stopped");
            }
            event = Events.begins();
            begun = event; // before another thread may have the exchange
            computedBefore = isMeasured() ? CpuTime.ofThread() : -1;
        } catch (Throwable e) {
            skip();
            throw e;
        }
        context.runs(x);
        boolean isOver = true;
        try {
            isOver = x.run(context);
        } finally {
            long respondedNanos = context.respondedNanos();
            context.runs(null);
            if (isOver) {
                over(x, event, respondedNanos, computedBefore);
            }
        }
        return isOver;
    }

    private void over(
            RunningExchange x,
            @Nullable RequestEvent event,
            long respondedNanos,
            long computedBefore) {
        try {
            if (event != null) {
                event.ended(x, respondedNanos, askedNanos);
            }
        } finally {
            completed(x, computedBefore);
        }
    }

    /// Reports the end of an exchange that continued on its loop, after [#run].
    public void ended(RunningExchange x) {
        RequestEvent event = begun;
        begun = null;
        over(x, event, 0, -1);
    }

    /// Whether admission wants to know how much of the run that begins is computing.
    private boolean isMeasured() {
        Permit held = permit;
        return held != null && held.isProcessorTimeWanted() && !Thread.currentThread().isVirtual();
    }

    private void completed(RunningExchange x, long computedBefore) {
        hasRun = true;
        Permit held = permit;
        if (held != null) {
            if (computedBefore >= 0) {
                held.processorTime(CpuTime.ofThread() - computedBefore);
            }
            dispatcher.completed(held, x.isFailed());
            session().responded(Objects.requireNonNull(identity), x.responseHeaders());
        }
    }

    /// Releases what an admitted request was granted that does not run after all, as its client
    /// has reset it, or no worker can run it. Called by the thread that has the request, in place
    /// of [#run].
    public void skip() {
        Permit held = permit;
        if (held != null) {
            held.close();
        }
    }

    /// Whether one of the requests has run, and was not rejected.
    public boolean hasRun() {
        return hasRun;
    }

    /// Returns what asks for the messages of the WebSocket session that a request has begun.
    ///
    /// @param task handles them
    /// @param timing of the request's route
    public MessageAdmission ofMessages(
            MessageAdmission.SessionTask task, RouteTiming timing, boolean isSecure) {
        ClientSession.Identity known = permit == null ? null : identity;
        return new MessageAdmission(
                dispatcher,
                task,
                timing,
                RequestKind.of("GET", isSecure),
                known == null ? null : known.session());
    }

    /// Ends what it knows of the client: the connection has closed.
    public void connectionClosed() {
        Permit held = permit;
        if (held != null && !held.cancel()) {
            held.releaseUnusedConnection();
        }
        if (session != null && !isSessionShared) {
            session.end();
        }
    }
}
