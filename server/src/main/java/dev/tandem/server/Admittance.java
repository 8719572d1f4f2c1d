package dev.tandem.server;

import dev.tandem.admission.Decision;
import dev.tandem.admission.Permit;
import dev.tandem.admission.RouteLoad;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// What a connection has to do with admission: nothing, until its first request asks for a turn.
/// The connection's owner's, but for [#leave()].
final class Admittance {
    private final Http1 http;
    private @Nullable Permit permit;
    private @Nullable Visit visit;
    private long askedNanos;

    /// Whether the visit knows already whose the request is that will be decided on next.
    private boolean isForetold;

    Admittance(Http1 http) {
        this.http = http;
    }

    private Turns turns() {
        return http.engine().turns();
    }

    /// Whoever has the loop runs what comes, in a server without workers: there is nothing to
    /// decide.
    private boolean isAsked() {
        Options options = http.engine().options();
        return options.isAdmitting() && !options.isAllOnLoop();
    }

    /// What becomes of a request. After [Decision.Wait] the caller must not touch the connection.
    Decision decide(Http1Exchange x) {
        if (!isAsked()) {
            return Turns.RUN;
        }
        askedNanos = Events.asked();
        Permit asked = permit;
        if (asked == null) {
            asked = new Permit(turns().admission(), http);
            permit = asked;
        }
        Visit known = visit();
        if (!isForetold) {
            known.asks(x.head());
        }
        isForetold = false;
        return turns().decide(asked, x.pace().load(), known.session());
    }

    /// When it was asked last; 0 if nobody may want to know.
    long askedNanos() {
        return askedNanos;
    }

    /// Of the request that was asked for last, by whoever has the connection.
    RouteLoad load() {
        return Objects.requireNonNull(http.exchange()).pace().load();
    }

    private Visit visit() {
        Visit known = visit;
        if (known == null) {
            known = new Visit(turns(), TlsSocket.isResumed(http.connection()));
            visit = known;
        }
        return known;
    }

    /// Whether requests wait.
    boolean isPressed() {
        return isAsked() && turns().admission().isPressed();
    }

    /// Whether a request need not send its body. The next one that is decided on is the same.
    boolean wouldBeRefused(Http1Exchange x) {
        if (!isAsked()) {
            return false;
        }
        visit().asks(x.head());
        isForetold = true;
        return turns().wouldRefuse(x.pace().load(), visit().session());
    }

    /// Whether admission wants to know how much of the run that begins is computing.
    boolean isMeasured() {
        Permit held = permit;
        return held != null && held.isMeasured() && !Thread.currentThread().isVirtual();
    }

    /// How long the run that ends has had a processor, if it is measured.
    void computed(long nanos) {
        Permit held = permit;
        if (held != null) {
            held.computed(nanos);
        }
    }

    /// A request that was to run has run.
    void ended(Http1Exchange x) {
        Permit held = permit;
        if (held != null) {
            turns().ended(held, x.isFailed());
            visit().answered(x.fields());
        }
    }

    /// The exchange that runs needs no place any more.
    void setApart() {
        Permit held = permit;
        if (held != null) {
            turns().setApart(held);
        }
    }

    /// Takes the request out of the queue. The loop's, while the connection is lent.
    ///
    /// @return false if it does not wait; then the connection is somebody's
    boolean leave() {
        Permit asked = permit;
        return asked != null && turns().admission().leave(asked);
    }

    /// The connection has closed.
    void end() {
        if (visit != null) {
            visit.end();
        }
    }
}
