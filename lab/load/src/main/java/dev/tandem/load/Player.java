package dev.tandem.load;

import dev.tandem.net.ByteStream;
import dev.tandem.net.ConnectOptions;
import dev.tandem.net.IoBuffer;
import dev.tandem.net.NanoClock;
import dev.tandem.net.Network;
import dev.tandem.net.Poller;
import dev.tandem.net.Socket;
import dev.tandem.net.TimingWheel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/// One of the generator's threads: an event loop with the visitors that it plays.
final class Player implements Runnable {
    /// The largest TLS record is 16 KiB and a little; four times that at once is plenty.
    static final int BUFFER_SIZE = 65_536;

    /// Heads and chunk lines go through the heap; content is mostly dropped before.
    private static final int BYTES_SIZE = 4_096;

    private static final long SECOND_NANOS = 1_000_000_000L;

    /// How often it says how far it is.
    private static final long TELL_NANOS = 100_000_000L;

    private final LoadRun run;
    private final Load load;
    private final Workload workload;
    private final Network network;
    private final Poller poller;
    private final NanoClock clock = NanoClock.SYSTEM;
    private final Places places;
    private final Agenda agenda = new Agenda();
    private final TimingWheel wheel;
    private final Timeouts timeouts;
    private final ConnectOptions outgoing;
    private final Call.Ending ending;
    private final IntPredicate failing;
    private final IoBuffer input = new IoBuffer(BUFFER_SIZE);
    private final IoBuffer output = new IoBuffer(BUFFER_SIZE);
    private final byte[] bytes = new byte[BYTES_SIZE];
    private final int index;
    private final @Nullable TlsClient tls;

    private final List<Visitor> visitors = new ArrayList<>();
    private final Series.Slice slice = new Series.Slice();
    private Tally tally = new Tally();

    /// The second that [#slice] is of, from the warm-up's end.
    private int second;

    private Arriving arriving = Arriving.NONE;
    private boolean isWarm;
    private long toldNanos;
    private long endedNanos;

    /// Read by whoever asks how the run goes.
    volatile Told told = new Told(0, 0, 0, 0);

    record Told(long replies, long errors, long sessionsCompleted, long active) {}

    /// @param index which of the run's threads it is, from 0
    Player(LoadRun run, Network network, int index) throws IOException {
        this.run = run;
        this.load = run.load();
        this.workload = run.workload();
        this.network = network;
        this.places = run.places();
        this.wheel = new TimingWheel(clock.nanos());
        this.timeouts = Timeouts.of(load.patience());
        this.failing = load.client().failingStatuses();
        this.ending = ending(load);
        long rate = load.client().receiveRate();
        // The kernel must not take for us what we are slow to take: half a second's worth.
        int asked = load.client().receiveBuffer();
        int buffer = rate == 0 || asked > 0 ? asked : Math.clamp(rate / 2, 4_096, 1 << 20);
        this.outgoing =
                new ConnectOptions(load.target().address(), buffer, load.client().sendBuffer());
        this.tls = load.target().isTls() ? new TlsClient(load.target(), load.client().tls()) : null;
        this.index = index;
        this.poller = network.poller();
    }

    private static Call.Ending ending(Load load) {
        Client client = load.client();
        var text = new StringBuilder(" ").append(client.version().text()).append("\r\nHost: ");
        boolean isHostGiven = false;
        for (Call.Field field : client.fields()) {
            isHostGiven |= field.name().equalsIgnoreCase("Host");
        }
        if (isHostGiven) {
            text.setLength(text.length() - "Host: ".length());
        } else {
            text.append(load.target().authority()).append("\r\n");
        }
        for (Call.Field field : client.fields()) {
            text.append(field.name()).append(": ").append(field.value()).append("\r\n");
        }
        if (!client.isKeepingConnections() && client.version() == Client.Version.HTTP_1_1) {
            text.append("Connection: close\r\n");
        }
        return new Call.Ending(text.toString());
    }

    @Override
    public void run() {
        try {
            arriving = Arriving.of(this, run, index);
            arriving.start();
            play();
        } catch (Throwable e) {
            run.failed(e);
        } finally {
            end();
        }
    }

    private void play() throws IOException {
        long now = clock.nanos();
        while (!isOver(now)) {
            long before = now;
            poller.poll(waitNanos(now));
            now = clock.nanos();
            tally.waitedNanos += now - before;
            while (poller.hasNext()) {
                poller.dispatchNext();
            }
            now = clock.nanos();
            turnSecond(now);
            agenda.tell(now);
            wheel.advance(now);
            now = clock.nanos();
        }
        endedNanos = now;
    }

    private boolean isOver(long nowNanos) {
        if (run.isStopped() || nowNanos - run.endNanos() >= 0) {
            return true;
        }
        return arriving.isOver(nowNanos) && visitors.isEmpty();
    }

    private long waitNanos(long nowNanos) {
        long wait = Math.min(SECOND_NANOS, Math.max(0, run.endNanos() - nowNanos));
        wait = Math.min(wait, Math.max(0, secondEnds() - nowNanos));
        long next = agenda.waitNanos(nowNanos);
        wait = next < 0 ? wait : Math.min(wait, next);
        long deadline = wheel.sleepNanos(nowNanos);
        return deadline < 0 ? wait : Math.min(wait, deadline);
    }

    private long secondEnds() {
        return isWarm ? run.warmNanos() + (second + 1) * SECOND_NANOS : run.warmNanos();
    }

    private void turnSecond(long nowNanos) {
        if (!isWarm && nowNanos - run.warmNanos() >= 0) {
            isWarm = true;
            tally = new Tally();
            slice.clear();
            run.warmed();
        }
        while (isWarm && nowNanos - secondEnds() >= 0) {
            run.series().add(second, slice);
            slice.clear();
            second++;
        }
        if (nowNanos - toldNanos >= TELL_NANOS) {
            toldNanos = nowNanos;
            long completed = tally.completed.count();
            told = new Told(tally.replies, tally.errorCount, completed, visitors.size());
        }
    }

    private void end() {
        long now = endedNanos == 0 ? clock.nanos() : endedNanos;
        endedNanos = now;
        tally.wallNanos = now - Math.max(run.warmNanos(), run.beginNanos());
        tally.sessionsUnfinished = visitors.size();
        while (!visitors.isEmpty()) {
            visitors.removeLast().leave();
        }
        if (isWarm) {
            run.series().add(second, slice);
        }
        if (tls != null) {
            tls.close();
        }
        poller.close();
    }

    // ---- Visitors.

    /// Begins a session.
    ///
    /// @param dueNanos when it was to begin
    void begin(long number, long dueNanos) {
        var random = SessionRandom.of(load.seed(), number);
        String peer = tls == null ? "" : tls.peer(number);
        var identity = new Identity(load.client(), random, peer);
        var visitor = new Visitor(this, workload.begin(number, random), identity, dueNanos);
        visitor.place = visitors.size();
        visitors.add(visitor);
        tally.sessionsBegun++;
        slice.sessionsBegan++;
        visitor.begin();
    }

    void left(Visitor visitor, boolean isComplete) {
        Visitor last = visitors.removeLast();
        if (last != visitor) {
            visitors.set(visitor.place, last);
            last.place = visitor.place;
        }
        if (isComplete) {
            slice.sessionsCompleted++;
        } else {
            slice.sessionsFailed++;
        }
        arriving.left(isComplete);
    }

    // ---- What visitors and their connections use.

    Socket connect() throws IOException {
        return network.connect(outgoing);
    }

    /// TLS around a socket, where the target wants it.
    ByteStream around(Socket socket, Visitor visitor) {
        return tls == null ? socket : tls.around(socket, visitor.tlsPeer());
    }

    void shaken(boolean isResumed, long nanos) {
        if (isResumed) {
            tally.handshakesResumed++;
        } else {
            tally.handshakesFull++;
        }
        tally.handshakes.add(nanos);
    }

    void error(Outcome outcome) {
        tally.error(outcome);
        slice.errors++;
    }

    /// Notes what was wrong with an answer; the first is told.
    void note(@Nullable String fault) {
        run.note(String.valueOf(fault));
    }

    /// Something that was due is done now.
    void lag(long dueNanos) {
        Times.record(tally.lags, clock.nanos() - dueNanos);
    }

    boolean isFailing(int status) {
        return failing.test(status);
    }

    Load load() {
        return load;
    }

    Agenda agenda() {
        return agenda;
    }

    TimingWheel wheel() {
        return wheel;
    }

    NanoClock clock() {
        return clock;
    }

    Poller poller() {
        return poller;
    }

    Places places() {
        return places;
    }

    Timeouts timeouts() {
        return timeouts;
    }

    Call.Ending ending() {
        return ending;
    }

    IoBuffer input() {
        return input;
    }

    IoBuffer output() {
        return output;
    }

    byte[] bytes() {
        return bytes;
    }

    Tally tally() {
        return tally;
    }

    Series.Slice slice() {
        return slice;
    }

    long endedNanos() {
        return endedNanos;
    }

    void wakeup() {
        poller.wakeup();
    }
}
