package dev.tandem.server;

import dev.tandem.admission.DataDoor;
import dev.tandem.admission.DataLane;
import dev.tandem.admission.DataPlace;
import dev.tandem.admission.DataRoute;
import dev.tandem.admission.Decision;
import dev.tandem.admission.Permit;
import dev.tandem.admission.RouteLoad;
import dev.tandem.admission.Session;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// What a connection has to do with admission: nothing, until its first request asks for a turn.
/// The connection's owner's, but for [#leave()].
final class RequestAdmission {
    /// So many requests may go on beside the workers when they have given their connections back:
    /// 4 for each processor, as many as a server begins with.
    private static final int BESIDE_MORE = 4 * Runtime.getRuntime().availableProcessors();

    private final Http1Connection http;
    private @Nullable Permit permit;
    private @Nullable ClientSession visit;

    /// At the lane of its route's database; of the request that was asked for last.
    private volatile @Nullable DataPlace place;

    /// The lane of the place that the request used, if it did.
    private @Nullable DataLane used;

    private long askedNanos;

    /// Whether a request of the connection has run.
    private boolean isServed;

    /// Whether it is closed after a refusal.
    private boolean isParting;

    /// Whether it runs in a lane's place and in no worker's.
    private boolean isBeside;

    /// Whether the visit knows already whose the request is that will be decided on next.
    private boolean isForetold;

    RequestAdmission(Http1Connection http) {
        this.http = http;
    }

    private Dispatcher turns() {
        return http.engine().turns();
    }

    /// Whoever has the loop runs what comes, in a server without workers: there is nothing to
    /// decide.
    private boolean isAsked() {
        Options options = http.engine().options();
        return options.isAdmitting() && !options.isAllOnLoop();
    }

    /// What becomes of a request: by its database's lane, if its route uses one, so that it waits
    /// for a connection without a thread; else by admission. After [Decision.Wait] the
    /// caller must not touch the connection.
    Decision decide(Http1Exchange x) {
        used = null;
        if (!isAsked()) {
            return Dispatcher.RUN;
        }
        askedNanos = Events.asked();
        Permit asked = permit;
        if (asked == null) {
            asked = new Permit(turns().admission(), http);
            permit = asked;
        }
        ClientSession known = visit();
        if (!isForetold) {
            known.asks(x.head());
        }
        isForetold = false;
        DataRoute data = x.pace().data();
        if (data != null && data.isLikely()) {
            Decision decision = askForData(data, known.session());
            return decision instanceof Decision.Run ? begin(asked, known) : decision;
        }
        return admit(asked, known);
    }

    private Decision askForData(DataRoute data, Session session) {
        long now = turns().nanos();
        var door = new DataDoor(turns().admission());
        var asked = new DataPlace(data, door.kind(session, now), this::dataDecided);
        place = asked;
        Decision decision = asked.ask(now);
        if (decision instanceof Decision.Shed shed) {
            place = null;
            Events.refused(load(), shed);
            door.refused(session, shed);
        }
        return decision;
    }

    /// A request that waited for a connection has a place, or has waited in vain. By the thread
    /// that gave one back: nobody else has the connection.
    private void dataDecided(Decision decision) {
        Decision then = decision;
        if (decision instanceof Decision.Run) {
            then = begin(Objects.requireNonNull(permit), visit());
        } else if (decision instanceof Decision.Shed shed) {
            new DataDoor(turns().admission()).refused(visit().session(), shed);
            Events.refused(load(), shed);
        }
        switch (then) {
            case Decision.Run _ -> http.engine().workers().submit(http);
            case Decision.Wait _ -> {
                // Admission has it; whoever gives a worker's place back goes on with it.
            }
            case Decision.Shed shed -> http.refuseLater(shed.retryAfterSeconds());
        }
    }

    /// A request that has a place in a lane needs no worker's: it would keep a connection from
    /// others while it waits. But where too many have given their connections back and do
    /// something else yet, such as rendering, processors are what is full, and admission decides.
    private Decision begin(Permit asked, ClientSession known) {
        DataPlace its = Objects.requireNonNull(place);
        AtomicInteger beside = http.engine().dataRuns();
        if (beside.incrementAndGet() > its.lane().places() + BESIDE_MORE) {
            beside.decrementAndGet();
            return admit(asked, known);
        }
        isBeside = true;
        new DataDoor(turns().admission()).begin(asked, load(), known.session(), turns().nanos());
        return Dispatcher.RUN;
    }

    private Decision admit(Permit asked, ClientSession known) {
        Decision decision = turns().decide(asked, load(), known.session());
        if (decision instanceof Decision.Shed) {
            dropPlace();
        }
        return decision;
    }

    /// The place that the exchange was admitted with, if it is of this lane and was not used yet.
    ///
    /// @return in use from now on
    @Nullable DataPlace use(DataLane lane, long now) {
        DataPlace held = place;
        if (held == null || held.lane() != lane || !held.used(now)) {
            return null;
        }
        used = lane;
        return held;
    }

    /// Whether the exchange has used a place of this lane that it was admitted with.
    boolean hasUsed(DataLane lane) {
        return used == lane;
    }

    /// The exchange will take no connection any more.
    void dropPlace() {
        DataPlace held = place;
        place = null;
        if (held != null) {
            held.closeUnused(turns().nanos());
        }
    }

    /// When it was asked last; 0 if nobody may want to know.
    long askedNanos() {
        return askedNanos;
    }

    /// Of the request that was asked for last, by whoever has the connection.
    RouteLoad load() {
        return Objects.requireNonNull(http.exchange()).pace().load();
    }

    private ClientSession visit() {
        ClientSession known = visit;
        if (known == null) {
            known = new ClientSession(turns(), TlsSocket.isResumed(http.connection()));
            visit = known;
        }
        return known;
    }

    /// Whether a request may have to wait, and its client to be seen if it leaves meanwhile. One
    /// that will be refused is not worth the call; should it wait after all, and its client leave,
    /// it is started in vain.
    boolean isToBeWatched(Http1Exchange x) {
        boolean isForData = x.pace().data() != null;
        return isAsked() && (isForData || turns().admission().isPressed() && !wouldBeRefused(x));
    }

    /// A request is refused. If none was served before, its connection costs less to close than to
    /// watch until its client closes it; but not where keys were agreed on, or more is to be
    /// read.
    void refuses(Http1Exchange x) {
        boolean hasMore = x.hasUnreadBody() || !http.carry().isEmpty();
        isParting = !isServed && !hasMore && !TlsSocket.isOf(http.connection());
    }

    /// Whether another request may follow on the connection.
    boolean mayGoOn() {
        return !isParting && !http.engine().isLeaving();
    }

    /// Whether more has come meanwhile over a connection that is closed after a refusal: a next
    /// request, whose being unread would reset it, and perhaps cost its client the answer.
    boolean hasHeardMore(IoContext kit) throws IOException {
        if (!isParting) {
            return false;
        }
        long left = LingeringClose.hear(http.connection(), kit, LingeringClose.BYTES);
        return left > 0 && left < LingeringClose.BYTES;
    }

    /// Whether a request need not send its body. The next one that is decided on is the same.
    boolean wouldBeRefused(Http1Exchange x) {
        if (!isAsked()) {
            return false;
        }
        visit().asks(x.head());
        isForetold = true;
        DataRoute data = x.pace().data();
        return data != null && data.isLikely()
                ? data.lane().isDown()
                : turns().wouldRefuse(x.pace().load(), visit().session());
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
        isServed = true;
        dropPlace();
        leaveBeside();
        Permit held = permit;
        if (held != null) {
            turns().ended(held, x.isFailed());
            visit().answered(x.fields());
        }
    }

    private void leaveBeside() {
        if (isBeside) {
            isBeside = false;
            http.engine().dataRuns().decrementAndGet();
        }
    }

    /// The exchange that runs needs no place any more.
    void setApart() {
        dropPlace(); // who waits for a client, or streams, keeps no connection for later
        leaveBeside();
        Permit held = permit;
        if (held != null) {
            turns().setApart(held);
        }
    }

    /// Takes the request out of the queue. The loop's, while the connection is lent.
    ///
    /// @return false if it does not wait; then the connection is somebody's
    boolean leave() {
        DataPlace wanted = place;
        if (wanted != null && wanted.leave()) {
            return true;
        }
        Permit asked = permit;
        boolean hasLeft = asked != null && turns().admission().leave(asked);
        if (hasLeft) {
            dropPlace();
        }
        return hasLeft;
    }

    /// The connection has closed.
    void end() {
        DataPlace held = place;
        if (held != null && !held.leave()) {
            dropPlace();
        }
        if (visit != null) {
            visit.end();
        }
    }
}
