package dev.tandem.engine;

import dev.tandem.Options;
import dev.tandem.admission.Admission;
import dev.tandem.admission.Decision;
import dev.tandem.admission.Permit;
import dev.tandem.admission.Session;
import dev.tandem.engine.site.RouteTiming;
import dev.tandem.net.NanoClock;
import java.lang.System.Logger.Level;
import java.util.function.Consumer;

/// Takes requests out of admission's queue as permits become free, and has them run or rejected.
/// One for each server; safe for use by any thread.
///
/// A request that waits belongs to admission's queue alone, and holds no thread. The thread that
/// releases a permit takes the next one out.
public final class Dispatcher {
    static final Decision RUN = new Decision.Run();

    private static final String NOT_STARTED = "a request that waited could not be started";

    /// Messages of a route that ask again when a run has ended: 4, so that more than the one place
    /// is filled where the queue became shorter.
    private static final int ASKED_MOST = 4;

    private final Admission admission;
    private final boolean isAdmitting;
    private final Consumer<WorkerPool.Task> submit;
    private final Consumer<Runnable> atEnd;
    private final NanoClock clock;
    private final SessionCookies cookies;
    private final Heartbeat heartbeat;
    private final Events events = new Events();
    private final OverdueLog overdue;
    private final WorkerTimes times;
    private volatile boolean isStopped;

    private final PutOffMessages putOff = new PutOffMessages();

    /// @param isAdmitting whether admission is asked; if not, each request runs at once
    Dispatcher(
            Admission admission,
            boolean isAdmitting,
            Options options,
            WorkerPool workers,
            NanoClock clock) {
        this.cookies = new SessionCookies(options.sessionCookies());
        this.admission = admission;
        this.isAdmitting = isAdmitting;
        this.submit = workers::submit;
        this.atEnd = workers::atEnd;
        this.clock = clock;
        this.overdue = new OverdueLog(clock, line -> Log.LOG.log(Level.WARNING, line));
        this.times = new WorkerTimes(workers::kernelThreads, KernelThreads::times);
        this.heartbeat = new Heartbeat(this::beat);
    }

    public Admission admission() {
        return admission;
    }

    /// Whether admission decides; if not, each request runs at once.
    boolean isAdmitting() {
        return isAdmitting;
    }

    /// Returns the time by admission's clock.
    long nanos() {
        return clock.nanos();
    }

    SessionCookies cookies() {
        return cookies;
    }

    public Heartbeat heartbeat() {
        return heartbeat;
    }

    /// Decides on a request. After [Decision.Wait] the caller must not touch it: a worker may have
    /// it already.
    Decision decide(Permit permit, RouteTiming timing, Session session) {
        heartbeat.wake();
        Decision decision = permit.decide(timing.load(), timing.data(), session, clock.nanos());
        if (decision instanceof Decision.Reject rejection) {
            Events.rejected(timing.load(), rejection);
        }
        return decision;
    }

    boolean wouldReject(RouteTiming timing, Session session) {
        return admission.wouldReject(timing.load(), timing.data(), session, clock.nanos());
    }

    /// Has a worker run an admitted request.
    void submit(WorkerPool.Task request) {
        heartbeat.wake(); // it may have slept while a request waited for a database connection
        submit.accept(request);
    }

    /// Returns the messages that ask again.
    PutOffMessages putOff() {
        return putOff;
    }

    private void askAgain(int most) {
        try {
            putOff.askAgain(most);
        } catch (Throwable e) {
            Log.failure(NOT_STARTED, e);
        }
    }

    /// A request has run.
    void completed(Permit permit, boolean isFailed) {
        if (isFailed) {
            permit.close();
        } else {
            permit.complete(clock.nanos());
        }
    }

    /// Starts the next requests if permits are free.
    void startNext() {
        if (hasWaiting()) {
            startQueued();
        }
    }

    private boolean hasWaiting() {
        return admission.hasWaiting() || !putOff.isEmpty();
    }

    /// Starts the next requests, on a thread that has done its work. What fails is of those: the
    /// caller, whose connection may be another thread's by now, has nothing to undo.
    public void startNextAtEnd() {
        try {
            if (hasWaiting()) {
                atEnd.accept(this::startQueued);
            }
        } catch (Throwable e) {
            Log.failure(NOT_STARTED, e);
        }
    }

    private void startQueued() {
        admission.startQueued(clock.nanos());
        if (!putOff.isEmpty()) {
            askAgain(ASKED_MOST);
        }
    }

    /// Releases the exchange's permit, though it is not over: it waits for its client, or is an
    /// event stream.
    void detach(Permit permit) {
        permit.detach();
        try {
            startNext();
        } catch (Throwable e) {
            Log.failure(NOT_STARTED, e);
        }
    }

    /// Closes all requests that wait: the server has stopped. Those that have a thread by now, and
    /// have not begun, fail when they begin. May be called again.
    public void stop() {
        isStopped = true;
        heartbeat.stop();
        admission.stop();
        putOff.stop().forEach(Dispatcher::close);
    }

    private static void close(MessageAdmission message) {
        try {
            message.close();
        } catch (Throwable e) {
            Log.failure("a message that waited could not be dropped", e);
        }
    }

    /// Whether what has not begun begins no more.
    public boolean isStopped() {
        return isStopped;
    }

    private void beat() {
        times.sample(admission, clock.nanos());
        if (admission.tick(clock.nanos())) {
            startNext();
            events.adapted(admission);
            overdue.report(admission.overdue());
        }
        askAgain(Integer.MAX_VALUE);
        if (admission.isRunning()) {
            heartbeat.wake(); // so that a run that does not return is noticed, though none follows
        }
    }

    /// Whether new sessions are rejected.
    public boolean isRejecting() {
        return admission.isRejecting();
    }

    /// Whether new connections are to be accepted.
    ///
    /// @param isBehind as [Admission#mayAccept]
    public boolean isGateOpen(boolean isBehind) {
        return admission.mayAccept(isBehind, clock.nanos());
    }
}
