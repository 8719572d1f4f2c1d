package dev.tandem.server;

import dev.tandem.admission.Admission;
import dev.tandem.admission.Decision;
import dev.tandem.admission.Outcome;
import dev.tandem.admission.Permit;
import dev.tandem.admission.RouteLoad;
import dev.tandem.admission.Session;
import dev.tandem.net.NanoClock;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Who runs when: asks admission of each request, and has done what it decides. Safe for use by any
/// thread.
///
/// A request that waits belongs to nobody but admission's queue, and holds no thread: its
/// connection is lent, as it is to a worker. Whoever gives a place back takes the next one out.
final class Dispatcher {
    /// No request waits for longer to be admitted.
    private static final int PATIENCE_SECONDS = 60;

    static final Decision RUN = new Decision.Run();

    private final Admission admission;
    private final Consumer<WorkerPool.Task> submit;
    private final Consumer<WorkerPool.Task> submitAtEnd;
    private final NanoClock clock;
    private final SessionCookies cookies;
    private final Heartbeat heartbeat;
    private final Events events = new Events();
    private final OverdueLog overdue;
    private final WorkerTimes times;

    Dispatcher(Admission admission, WorkerPool workers, SessionCookies cookies, NanoClock clock) {
        this.cookies = cookies;
        this.admission = admission;
        this.submit = workers::submit;
        this.submitAtEnd = workers::submitAtEnd;
        this.clock = clock;
        this.overdue = new OverdueLog(clock, line -> Log.LOG.log(Level.WARNING, line));
        this.times = new WorkerTimes(workers::kernelThreads, KernelThreads::times);
        this.heartbeat = new Heartbeat(this::beat);
    }

    Admission admission() {
        return admission;
    }

    /// By the clock that admission is asked with.
    long nanos() {
        return clock.nanos();
    }

    SessionCookies cookies() {
        return cookies;
    }

    Heartbeat heartbeat() {
        return heartbeat;
    }

    /// What becomes of a request. After [Decision.Wait] the caller must not touch its connection:
    /// a worker may have it already.
    Decision decide(Permit permit, RouteLoad route, Session session) {
        heartbeat.wake();
        Decision decision = admission.decide(permit, route, session, clock.nanos());
        if (decision instanceof Decision.Shed shed) {
            Events.refused(route, shed);
        }
        return decision;
    }

    boolean wouldRefuse(RouteLoad route, Session session) {
        return admission.wouldRefuse(route, session, clock.nanos());
    }

    /// A request has run.
    void ended(Permit permit, boolean isFailed) {
        permit.ended(isFailed ? Outcome.FAILED : Outcome.ANSWERED, clock.nanos());
        permit.close();
    }

    /// A place may be free: whoever is next gets it.
    void next() {
        next(submit);
    }

    /// The same, by a thread that has done its work.
    void nextAtEnd() {
        next(submitAtEnd);
    }

    private void next(Consumer<WorkerPool.Task> starter) {
        Permit permit = admission.next(clock.nanos());
        while (permit != null) {
            var http = (Http1Connection) permit.task();
            switch (permit.decision()) {
                case Decision.Run _ -> starter.accept(http);
                case Decision.Shed shed -> {
                    Events.refused(http.admittance().load(), shed);
                    http.admittance().dropPlace();
                    http.refuseLater(shed.retryAfterSeconds());
                }
                case Decision.Wait _ -> throw new IllegalStateException("nobody waits twice");
            }
            permit = admission.next(clock.nanos());
        }
    }

    /// The exchange needs no place any more, though it is not over: it waits for its client, or is
    /// a stream of events.
    void setApart(Permit permit) {
        permit.longLived();
        next();
    }

    /// Gives up on those that wait: the server has stopped.
    void stop() {
        heartbeat.stop();
        long time = clock.nanos();
        for (int i = 0; i < PATIENCE_SECONDS && admission.isPressed(); i++) {
            time += TimeUnit.SECONDS.toNanos(1); // which is more than any may wait, in the end
            dropAll(time);
        }
    }

    private void dropAll(long now) {
        Permit permit = admission.next(now);
        while (permit != null) {
            ((Http1Connection) permit.task()).connection().close(); // nobody will run it
            if (permit.decision() instanceof Decision.Run) {
                permit.close();
            }
            permit = admission.next(now);
        }
    }

    private void beat() {
        times.look(admission, clock.nanos());
        if (admission.tick(clock.nanos())) {
            next();
            events.adapted(admission);
            overdue.look(admission.overdue());
        }
        if (admission.isRunning()) {
            heartbeat.wake(); // so that a run that does not return is noticed, though none follows
        }
    }

    /// Whether newcomers are refused.
    boolean isRefusing() {
        return admission.isRefusing();
    }

    /// Whether new connections are to be accepted.
    ///
    /// @param isBehind as [Admission#mayAccept]
    boolean isGateOpen(boolean isBehind) {
        return admission.mayAccept(isBehind, clock.nanos());
    }
}
