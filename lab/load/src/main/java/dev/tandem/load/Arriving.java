package dev.tandem.load;

import java.util.concurrent.atomic.AtomicLong;

/// Brings one player its share of a run's sessions. Confined to that player's thread.
sealed interface Arriving {

    /// @param index which of the run's threads the player is, from 0
    static Arriving of(Player player, LoadRun run, int index) {
        return switch (run.load().arrivals()) {
            case Arrivals.Open open -> new InTime(player, run, open, index);
            case Arrivals.Closed closed -> new InTurn(player, run, closed, index);
        };
    }

    /// Before the run begins.
    Arriving NONE = new Nobody();

    void start();

    /// A session of this player has ended.
    void left(boolean isComplete);

    /// Whether no more sessions come.
    boolean isOver(long nowNanos);

    /// Nobody comes.
    final class Nobody implements Arriving {
        @Override
        public void start() {}

        @Override
        public void left(boolean isComplete) {}

        @Override
        public boolean isOver(long nowNanos) {
            return true;
        }
    }

    /// Open loop. Each player goes through the same times and takes every so many-th.
    final class InTime implements Arriving, Agenda.Due {
        /// So many are begun at most before connections get a turn.
        private static final int AT_ONCE = 64;

        private final Player player;
        private final LoadRun run;
        private final Timetable times;
        private final long most;
        private final int threads;
        private long number;
        private long nextNanos;

        InTime(Player player, LoadRun run, Arrivals.Open open, int index) {
            this.player = player;
            this.run = run;
            this.most = open.sessionsMax();
            this.threads = run.load().threads();
            var random = SessionRandom.of(run.load().seed(), -1);
            this.times = new Timetable(open.period(), random, run.beginNanos());
            this.nextNanos = times.nextNanos();
            forward(index);
        }

        private void forward(int count) {
            for (int i = 0; i < count; i++) {
                nextNanos = times.nextNanos();
            }
            number += count;
        }

        @Override
        public void start() {
            if (!isOver(nextNanos)) {
                player.agenda().add(nextNanos, this);
            }
        }

        @Override
        public void due(long dueNanos) {
            long now = player.clock().nanos();
            for (int i = 0; i < AT_ONCE && nextNanos - now <= 0 && !isOver(nextNanos); i++) {
                player.lag(nextNanos);
                player.begin(number, nextNanos);
                forward(threads);
            }
            start();
        }

        @Override
        public void left(boolean isComplete) {
            // Others come when their time has come.
        }

        @Override
        public boolean isOver(long nowNanos) {
            return number >= most || nextNanos - run.lastNanos() >= 0;
        }
    }

    /// Closed loop.
    final class InTurn implements Arriving {
        /// 20,000 visitors a second begin: all at once would overflow the server's backlog, and
        /// the kernel would try again after a second.
        private static final long APART_NANOS = 50_000;

        /// How long after a failed session the next begins, so that a server that refuses is not
        /// asked as fast as the processor can.
        private static final long REST_NANOS = 10_000_000;

        private final Player player;
        private final LoadRun run;
        private final AtomicLong numbers;
        private final long most;
        private final int visitors;
        private final int index;

        InTurn(Player player, LoadRun run, Arrivals.Closed closed, int index) {
            this.player = player;
            this.run = run;
            this.numbers = run.numbers();
            this.most = closed.sessionsMax();
            this.index = index;
            int threads = run.load().threads();
            this.visitors =
                    closed.visitors() / threads + (index < closed.visitors() % threads ? 1 : 0);
        }

        @Override
        public void start() {
            int threads = run.load().threads();
            for (int i = 0; i < visitors; i++) {
                long at = run.beginNanos() + ((long) i * threads + index) * APART_NANOS;
                player.agenda().add(at, this::begin);
            }
        }

        private void begin(long dueNanos) {
            long number = numbers.getAndIncrement();
            if (number < most) {
                player.begin(number, player.clock().nanos());
            }
        }

        @Override
        public void left(boolean isComplete) {
            long now = player.clock().nanos();
            player.agenda().add(isComplete ? now : now + REST_NANOS, this::begin);
        }

        @Override
        public boolean isOver(long nowNanos) {
            return numbers.get() >= most;
        }
    }
}
