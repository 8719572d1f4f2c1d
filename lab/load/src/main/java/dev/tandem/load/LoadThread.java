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

/// One of the generator's threads: an event loop with the users that it simulates.
final class LoadThread implements Runnable {
    /// The largest TLS record is slightly over 16 KiB; four times that at once is enough.
    static final int BUFFER_SIZE = 65_536;

    /// Heads and chunk lines go through the heap; content is mostly dropped before.
    private static final int BYTES_SIZE = 4_096;

    private static final long SECOND_NANOS = 1_000_000_000L;

    /// How often the thread publishes its progress.
    private static final long PROGRESS_NANOS = 100_000_000L;

    private final LoadRun run;
    private final Load load;
    private final Workload workload;
    private final Network network;
    private final Poller poller;
    private final NanoClock clock = NanoClock.SYSTEM;
    private final ConnectionSlots slots;
    private final TimerQueue timers = new TimerQueue();
    private final TimingWheel wheel;
    private final Timeouts timeouts;
    private final ConnectOptions connectOptions;
    private final Call.Ending ending;
    private final IntPredicate failing;
    private final IoBuffer input = new IoBuffer(BUFFER_SIZE);
    private final IoBuffer output = new IoBuffer(BUFFER_SIZE);
    private final byte[] bytes = new byte[BYTES_SIZE];
    private final int index;
    private final @Nullable TlsClient tls;

    private final List<VirtualUser> users = new ArrayList<>();
    private final Series.Slice slice = new Series.Slice();
    private Tally tally = new Tally();

    /// The second that [#slice] is of, from the warm-up's end.
    private int second;

    private SessionStarter sessionStarter = SessionStarter.NONE;
    private boolean isWarm;
    private long progressNanos;
    private long endedNanos;

    /// Read by threads that ask for the run's progress.
    volatile ThreadProgress progress = new ThreadProgress(0, 0, 0, 0);

    record ThreadProgress(long replies, long errors, long sessionsCompleted, long active) {}

    /// @param index of this thread within the run, from 0
    LoadThread(LoadRun run, Network network, int index) throws IOException {
        this.run = run;
        this.load = run.load();
        this.workload = run.workload();
        this.network = network;
        this.slots = run.slots();
        this.wheel = new TimingWheel(clock.nanos());
        this.timeouts = Timeouts.of(load.timeLimits());
        this.failing = load.client().failingStatuses();
        this.ending = ending(load);
        long rate = load.client().receiveRate();
        // Limits how much the kernel receives before this side reads it: half a second's worth.
        int asked = load.client().receiveBuffer();
        int buffer = rate == 0 || asked > 0 ? asked : Math.clamp(rate / 2, 4_096, 1 << 20);
        this.connectOptions =
                new ConnectOptions(load.target().address(), buffer, load.client().sendBuffer());
        this.tls = load.target().isTls() ? new TlsClient(load.target(), load.client().tls()) : null;
        this.index = index;
        this.poller = network.poller();
    }

    private static Call.Ending ending(Load load) {
        Client client = load.client();
        var text = new StringBuilder(" ").append(client.version().text()).append("\r\nHost: ");
        boolean isHostGiven = false;
        for (Call.Header field : client.fields()) {
            isHostGiven |= field.name().equalsIgnoreCase("Host");
        }
        if (isHostGiven) {
            text.setLength(text.length() - "Host: ".length());
        } else {
            text.append(load.target().authority()).append("\r\n");
        }
        for (Call.Header field : client.fields()) {
            text.append(field.name()).append(": ").append(field.value()).append("\r\n");
        }
        if (!client.areConnectionsKept() && client.version() == Client.Version.HTTP_1_1) {
            text.append("Connection: close\r\n");
        }
        return new Call.Ending(text.toString());
    }

    @Override
    public void run() {
        try {
            sessionStarter = SessionStarter.of(this, run, index);
            sessionStarter.start();
            runLoop();
        } catch (Throwable e) {
            run.failed(e);
        } finally {
            end();
        }
    }

    private void runLoop() throws IOException {
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
            advanceSecond(now);
            timers.fireDue(now);
            wheel.advance(now);
            now = clock.nanos();
        }
        endedNanos = now;
    }

    private boolean isOver(long nowNanos) {
        if (run.isStopped() || nowNanos - run.endNanos() >= 0) {
            return true;
        }
        return sessionStarter.isOver(nowNanos) && users.isEmpty();
    }

    private long waitNanos(long nowNanos) {
        long wait = Math.min(SECOND_NANOS, Math.max(0, run.endNanos() - nowNanos));
        wait = Math.min(wait, Math.max(0, secondEnds() - nowNanos));
        long next = timers.waitNanos(nowNanos);
        wait = next < 0 ? wait : Math.min(wait, next);
        long deadline = wheel.sleepNanos(nowNanos);
        return deadline < 0 ? wait : Math.min(wait, deadline);
    }

    private long secondEnds() {
        return isWarm ? run.warmNanos() + (second + 1) * SECOND_NANOS : run.warmNanos();
    }

    private void advanceSecond(long nowNanos) {
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
        if (nowNanos - progressNanos >= PROGRESS_NANOS) {
            progressNanos = nowNanos;
            long completed = tally.completed.count();
            progress = new ThreadProgress(tally.replies, tally.errorCount, completed, users.size());
        }
    }

    private void end() {
        long now = endedNanos == 0 ? clock.nanos() : endedNanos;
        endedNanos = now;
        tally.wallNanos = now - Math.max(run.warmNanos(), run.beginNanos());
        tally.sessionsUnfinished = users.size();
        while (!users.isEmpty()) {
            users.removeLast().abort();
        }
        if (isWarm) {
            run.series().add(second, slice);
        }
        if (tls != null) {
            tls.close();
        }
        poller.close();
    }

    // ---- Users.

    /// Starts a session.
    ///
    /// @param dueNanos when it was scheduled to start
    void startSession(long number, long dueNanos) {
        var random = SessionRandom.of(load.seed(), number);
        String peer = tls == null ? "" : tls.peer(number);
        var identity = new UserState(load.client(), random, peer);
        var user = new VirtualUser(this, workload.begin(number, random), identity, dueNanos);
        user.index = users.size();
        users.add(user);
        tally.sessionsBegun++;
        slice.sessionsBegan++;
        user.begin();
    }

    void sessionEnded(VirtualUser user, boolean isComplete) {
        VirtualUser last = users.removeLast();
        if (last != user) {
            users.set(user.index, last);
            last.index = user.index;
        }
        if (isComplete) {
            slice.sessionsCompleted++;
        } else {
            slice.sessionsFailed++;
        }
        sessionStarter.sessionEnded(isComplete);
    }

    // ---- For users and their connections.

    Socket connect() throws IOException {
        return network.connect(connectOptions);
    }

    /// Returns the TLS stream around a socket if the target needs it, else the socket.
    ByteStream streamAround(Socket socket, VirtualUser user) {
        return tls == null ? socket : tls.environment(socket, user.tlsPeer());
    }

    void handshakeCompleted(boolean isResumed, long nanos) {
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

    /// Records what was wrong with a response; the first is reported.
    void recordFault(@Nullable String fault) {
        run.recordFault(String.valueOf(fault));
    }

    /// Records how late a scheduled action happens.
    void recordLag(long dueNanos) {
        Times.record(tally.lags, clock.nanos() - dueNanos);
    }

    boolean isFailing(int status) {
        return failing.test(status);
    }

    Load load() {
        return load;
    }

    TimerQueue timers() {
        return timers;
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

    ConnectionSlots slots() {
        return slots;
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
