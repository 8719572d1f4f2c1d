package dev.tandem.engine;

import dev.tandem.admission.AdmissionTask;
import dev.tandem.admission.Decision;
import dev.tandem.admission.Permit;
import dev.tandem.admission.Reason;
import dev.tandem.admission.Session;
import dev.tandem.engine.site.RouteTiming;
import dev.tandem.http.websocket.CloseReason;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Asks admission for the messages of one WebSocket session that need a worker. A message is a
/// request of its client's session, and waits for its turn among them, with one difference: it is
/// not rejected. Where a request would be, the message is put off: it asks again when a run has
/// ended, and ten times a second, and its client is not read from in the meantime. So a client that
/// sends more than the server can do is slowed, and its session stays. But for what is no matter of
/// load: where the route's runs do not return, or its database does not respond, the session is
/// closed with 1013 after 30 s.
///
/// Belongs to the thread that has the session's input. Its permit is that of the message that waits
/// or is handled; null if that needs none, since it runs on the loop.
public final class MessageAdmission extends PermitOwner implements AdmittedRun, AdmissionTask {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final CloseReason NOT_POSSIBLE =
            new CloseReason(CloseReason.TRY_AGAIN_LATER, "not possible now");

    private final SessionTask task;
    private final RouteTiming timing;
    private final int kind;

    /// Null if admission was not asked for the session's request.
    private final @Nullable Session session;

    /// When it asked first.
    private long askedNanos;

    /// What handles the messages of a session.
    public interface SessionTask extends WorkerPool.Task {
        /// Ends the session without a close frame: no worker will handle its message. Called by any
        /// thread, in place of [#run].
        void abandon();

        /// Ends the session with a close frame, in place of [#run]. Called by any thread.
        void refuse(CloseReason why);
    }

    /// @param kind of the requests as which messages are counted
    MessageAdmission(
            Dispatcher dispatcher,
            SessionTask task,
            RouteTiming timing,
            int kind,
            @Nullable Session session) {
        super(dispatcher);
        this.task = task;
        this.timing = timing;
        this.kind = kind;
        this.session = session;
    }

    // ---- The decision.

    /// Has a worker handle what was received, as soon as there is one for it. The caller must not
    /// touch the session's input afterwards, unless this fails, as without memory: then no worker
    /// does.
    public void submit() {
        Session known = session;
        if (known == null) {
            dispatcher.submit(task);
            return;
        }
        Permit asked = dispatcher.admission().newPermit(this);
        asked.kind(kind);
        asked.continuesSession();
        permit = asked;
        askedNanos = dispatcher.nanos();
        if (!dispatcher.putOff().join(this)) {
            boolean _ = ask(asked, known);
        }
    }

    /// @return false if it was put off
    private boolean ask(Permit asked, Session known) {
        Decision decision = dispatcher.decide(asked, timing, known);
        if (decision instanceof Decision.Reject rejection) {
            return !putOff(rejection);
        }
        if (decision instanceof Decision.Run) {
            start();
        }
        return true;
    }

    /// @return false if it is given up
    private boolean putOff(Decision.Reject rejection) {
        boolean isNoMatterOfLoad =
                rejection.reason() == Reason.ROUTE_STUCK
                        || rejection.reason() == Reason.NO_DATABASE;
        if (isNoMatterOfLoad && dispatcher.nanos() - askedNanos >= PATIENCE_NANOS) {
            permit = null;
            task.refuse(NOT_POSSIBLE);
            return false;
        }
        boolean isAdded = dispatcher.putOff().add(this);
        if (!isAdded) {
            task.abandon();
        }
        return isAdded;
    }

    private void start() {
        try {
            dispatcher.submit(task);
        } catch (Throwable e) {
            ended(true);
            throw e;
        }
    }

    /// Asks once more for a message that was put off.
    ///
    /// @return false if it was put off again
    boolean askAgain() {
        try {
            return ask(Objects.requireNonNull(permit), Objects.requireNonNull(session));
        } catch (Throwable e) {
            task.abandon(); // it would wait for ever
            throw e;
        }
    }

    // ---- The queue: called by admission.

    @Override
    public void run() {
        try {
            start();
        } catch (Throwable e) {
            task.abandon();
            throw e;
        }
    }

    @Override
    public void reject(Decision.Reject rejection) {
        try {
            boolean _ = putOff(rejection);
        } catch (Throwable e) {
            task.abandon();
            throw e;
        }
    }

    @Override
    public void close() {
        task.abandon();
    }

    // ---- The run: called by the thread that handles the messages.

    /// Ends the run of a message, and begins that of the next one, which was received already.
    ///
    /// @return false if others are to go first: then the run is over
    public boolean next() {
        Permit held = permit;
        if (held == null || held.completeAndRepeat(dispatcher.nanos())) {
            return true;
        }
        permit = null;
        return false;
    }

    /// The run is over. Does nothing if it is over already.
    ///
    /// @param isFailed whether a handler failed, so that its time says nothing
    public void ended(boolean isFailed) {
        Permit held = permit;
        permit = null;
        if (held != null) {
            dispatcher.completed(held, isFailed);
        }
    }

    @Override
    public RouteTiming timing() {
        return timing;
    }

    @Override
    public AdmittedRequest admission() {
        return this;
    }
}
