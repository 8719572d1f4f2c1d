package dev.tandem.load;

import java.util.concurrent.atomic.AtomicLong;

/// Starts one load thread's share of a run's sessions. Confined to that thread.
sealed interface SessionStarter {

    /// @param index of the thread within the run, from 0
    static SessionStarter of(LoadThread thread, LoadRun run, int index) {
        return switch (run.load().arrivals()) {
            case Arrivals.Open open -> new OpenLoop(thread, run, open, index);
            case Arrivals.Closed closed -> new ClosedLoop(thread, run, closed, index);
        };
    }

    /// Used before the run begins.
    SessionStarter NONE = new Inactive();

    void start();

    /// A session of this thread has ended.
    void sessionEnded(boolean isComplete);

    /// Whether no more sessions will start.
    boolean isOver(long nowNanos);

    /// Starts no sessions.
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

    /// Open loop. Every load thread goes through the same schedule; of n threads, each takes every
    /// n-th session.
    final class OpenLoop implements SessionStarter, TimerQueue.Timer {
        /// Maximum number of sessions that start before connections are served again.
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
                thread.context().timers().add(nextNanos, this);
            }
        }

        @Override
        public void fire(long dueNanos) {
            long now = thread.context().clock().nanos();
            for (int i = 0; i < BATCH_MAX && nextNanos - now <= 0 && !isOver(nextNanos); i++) {
                thread.context().recordLag(nextNanos);
                thread.startSession(number, nextNanos);
                advance(threads);
            }
            start();
        }

        @Override
        public void sessionEnded(boolean isComplete) {
            // The others are scheduled for their times.
        }

        @Override
        public boolean isOver(long nowNanos) {
            return number >= most || nextNanos - run.lastNanos() >= 0;
        }
    }

    /// Closed loop.
    final class ClosedLoop implements SessionStarter {
        /// Starts 20,000 users a second: if all started at once, the server's backlog would
        /// overflow, and the kernel would try again after a second.
        private static final long START_INTERVAL_NANOS = 50_000;

        /// The delay between a failed session and the next, so that a server that rejects requests
        /// is not asked as fast as the processor can.
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
                thread.context().timers().add(at, this::startNext);
            }
        }

        private void startNext(long dueNanos) {
            long number = numbers.getAndIncrement();
            if (number < most) {
                thread.startSession(number, thread.context().clock().nanos());
            }
        }

        @Override
        public void sessionEnded(boolean isComplete) {
            long now = thread.context().clock().nanos();
            thread.context()
                    .timers()
                    .add(isComplete ? now : now + FAILURE_DELAY_NANOS, this::startNext);
        }

        @Override
        public boolean isOver(long nowNanos) {
            return numbers.get() >= most;
        }
    }
}
