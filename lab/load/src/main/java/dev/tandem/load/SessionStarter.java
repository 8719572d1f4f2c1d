package dev.tandem.load;

import java.util.concurrent.atomic.AtomicLong;

/// Brings one player its share of a run's sessions. Confined to that player's thread.
sealed interface SessionStarter {

    /// @param index which of the run's threads the player is, from 0
    static SessionStarter of(LoadThread thread, LoadRun run, int index) {
        return switch (run.load().arrivals()) {
            case Arrivals.Open open -> new OpenLoop(thread, run, open, index);
            case Arrivals.Closed closed -> new ClosedLoop(thread, run, closed, index);
        };
    }

    /// Before the run begins.
    SessionStarter NONE = new Inactive();

    void start();

    /// A session of this player has ended.
    void sessionEnded(boolean isComplete);

    /// Whether no more sessions come.
    boolean isOver(long nowNanos);

    /// Nobody comes.
    final class Inactive implements SessionStarter {
        @Override
        public void start() {}

        @Override
        public void sessionEnded(boolean isComplete) {}

        @Override
        public boolean isOver(long nowNanos) {
            return true;
        }
    }

    /// Open loop. Each player goes through the same times and takes every so many-th.
    final class OpenLoop implements SessionStarter, TimerQueue.Timer {
        /// So many are begun at most before connections get a turn.
        private static final int BATCH_MAX = 64;

        private final LoadThread thread;
        private final LoadRun run;
        private final Timetable times;
        private final long most;
        private final int threads;
        private long number;
        private long nextNanos;

        OpenLoop(LoadThread thread, LoadRun run, Arrivals.Open open, int index) {
            this.thread = thread;
            this.run = run;
            this.most = open.sessionsMax();
            this.threads = run.load().threads();
            var random = SessionRandom.of(run.load().seed(), -1);
            this.times = new Timetable(open.period(), random, run.beginNanos());
            this.nextNanos = times.nextNanos();
            advance(index);
        }

        private void advance(int count) {
            for (int i = 0; i < count; i++) {
                nextNanos = times.nextNanos();
            }
            number += count;
        }

        @Override
        public void start() {
            if (!isOver(nextNanos)) {
                thread.timers().add(nextNanos, this);
            }
        }

        @Override
        public void fire(long dueNanos) {
            long now = thread.clock().nanos();
            for (int i = 0; i < BATCH_MAX && nextNanos - now <= 0 && !isOver(nextNanos); i++) {
                thread.recordLag(nextNanos);
                thread.startSession(number, nextNanos);
                advance(threads);
            }
            start();
        }

        @Override
        public void sessionEnded(boolean isComplete) {
            // Others come when their time has come.
        }

        @Override
        public boolean isOver(long nowNanos) {
            return number >= most || nextNanos - run.lastNanos() >= 0;
        }
    }

    /// Closed loop.
    final class ClosedLoop implements SessionStarter {
        /// 20,000 visitors a second begin: all at once would overflow the server's backlog, and
        /// the kernel would try again after a second.
        private static final long START_INTERVAL_NANOS = 50_000;

        /// How long after a failed session the next begins, so that a server that refuses is not
        /// asked as fast as the processor can.
        private static final long FAILURE_DELAY_NANOS = 10_000_000;

        private final LoadThread thread;
        private final LoadRun run;
        private final AtomicLong numbers;
        private final long most;
        private final int users;
        private final int index;

        ClosedLoop(LoadThread thread, LoadRun run, Arrivals.Closed closed, int index) {
            this.thread = thread;
            this.run = run;
            this.numbers = run.sessionNumbers();
            this.most = closed.sessionsMax();
            this.index = index;
            int threads = run.load().threads();
            this.users = closed.users() / threads + (index < closed.users() % threads ? 1 : 0);
        }

        @Override
        public void start() {
            int threads = run.load().threads();
            for (int i = 0; i < users; i++) {
                long at = run.beginNanos() + ((long) i * threads + index) * START_INTERVAL_NANOS;
                thread.timers().add(at, this::startNext);
            }
        }

        private void startNext(long dueNanos) {
            long number = numbers.getAndIncrement();
            if (number < most) {
                thread.startSession(number, thread.clock().nanos());
            }
        }

        @Override
        public void sessionEnded(boolean isComplete) {
            long now = thread.clock().nanos();
            thread.timers().add(isComplete ? now : now + FAILURE_DELAY_NANOS, this::startNext);
        }

        @Override
        public boolean isOver(long nowNanos) {
            return numbers.get() >= most;
        }
    }
}
