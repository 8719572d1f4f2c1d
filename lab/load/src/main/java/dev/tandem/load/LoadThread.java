package dev.tandem.load;

import dev.tandem.net.NanoClock;
import dev.tandem.net.Network;
import dev.tandem.net.Poller;
import dev.tandem.net.TimingWheel;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// One of the generator's threads: an event loop with the users that it simulates.
final class LoadThread implements Runnable {
    private static final long SECOND_NANOS = 1_000_000_000L;

    /// How often the thread publishes its progress.
    private static final long PROGRESS_NANOS = 100_000_000L;

    private final LoadRun run;
    private final Load load;
    private final Workload workload;
    private final LoadContext context;
    private final Poller poller;
    private final NanoClock clock;
    private final TimerQueue timers;
    private final TimingWheel wheel;
    private final int index;

    /// Makes the lanes of HTTP/1 users.
    private final UserLanes http1;

    /// Null for HTTP/1.
    private final @Nullable Http2Channels channels;

    private final List<VirtualUser> users = new ArrayList<>();
    /// The second that the context's slice is of, from the warm-up's end.
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
        this.index = index;
        var settings =
                new LoadContext.Settings(
                        load.target(),
                        load.client(),
                        load.timeLimits(),
                        load.transcript(),
                        run::recordFault);
        this.context = new LoadContext(settings, run.slots(), network);
        this.poller = context.poller();
        this.clock = context.clock();
        this.timers = context.timers();
        this.wheel = context.wheel();
        this.http1 = new UserLanes.Http1(context);
        this.channels = context.isHttp2() ? new Http2Channels(context) : null;
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
            context.tally().waitedNanos += now - before;
            while (poller.hasNext()) {
                poller.dispatchNext();
            }
            now = clock.nanos();
            advanceSecond(now);
            timers.fireDue(now);
            wheel.advance(now);
            context.flush();
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
            context.countAfresh();
            run.warmed();
        }
        while (isWarm && nowNanos - secondEnds() >= 0) {
            run.series().add(second, context.slice());
            context.slice().clear();
            second++;
        }
        if (nowNanos - progressNanos >= PROGRESS_NANOS) {
            progressNanos = nowNanos;
            Tally tally = context.tally();
            long completed = tally.completed.count();
            progress = new ThreadProgress(tally.replies, tally.errorCount, completed, users.size());
        }
    }

    private void end() {
        long now = endedNanos == 0 ? clock.nanos() : endedNanos;
        endedNanos = now;
        Tally tally = context.tally();
        tally.wallNanos = now - Math.max(run.warmNanos(), run.beginNanos());
        tally.sessionsUnfinished = users.size();
        while (!users.isEmpty()) {
            users.removeLast().abort();
        }
        if (channels != null) {
            channels.close();
        }
        if (isWarm) {
            run.series().add(second, context.slice());
        }
        context.close();
    }

    // ---- Users.

    /// Starts a session.
    ///
    /// @param dueNanos when it was scheduled to start
    void startSession(long number, long dueNanos) {
        var random = SessionRandom.of(load.seed(), number);
        String peer = context.tlsPeer(number);
        var identity = new UserState(load.client(), random, peer);
        Session session = workload.begin(number, random);
        var user = new VirtualUser(this, session, identity, lanes(identity), dueNanos);
        user.index = users.size();
        users.add(user);
        context.tally().sessionsBegun++;
        context.slice().sessionsBegan++;
        user.begin();
    }

    private UserLanes lanes(UserState identity) {
        Http2Channels all = channels;
        return all == null ? http1 : new UserLanes.ByChannel(all, all.acquire(identity.tlsPeer()));
    }

    void sessionEnded(VirtualUser user, boolean isComplete) {
        VirtualUser last = users.removeLast();
        if (last != user) {
            users.set(user.index, last);
            last.index = user.index;
        }
        if (isComplete) {
            context.slice().sessionsCompleted++;
        } else {
            context.slice().sessionsFailed++;
        }
        sessionStarter.sessionEnded(isComplete);
    }

    LoadContext context() {
        return context;
    }

    Tally tally() {
        return context.tally();
    }

    long endedNanos() {
        return endedNanos;
    }

    void wakeup() {
        poller.wakeup();
    }
}
