package dev.tandem.net;

import dev.tandem.testkit.interleave.Scenario;
import dev.tandem.testkit.interleave.Steps;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A loop that runs handlers on the thread that holds it, while others take it over.
final class BatonScenarios {
    private BatonScenarios() {}

    /// A loop with two handlers to run, each in an event of its own; the watchdog is one of the
    /// actors. Fields
    /// without a modifier belong to the holder of the loop: a race between them means two holders.
    abstract static class TwoHandlers implements Scenario {
        private static final int HANDLERS = 2;

        private final Loop loop = new Loop(new HandlerPoller(), Steps::nanoTime);
        private final LoopThreads threads;
        private int dispatched;
        private int ended;

        TwoHandlers() {
            threads = new LoopThreads(loop, Steps.threads(), (_, _) -> {});
            threads.start();
        }

        /// Reports an event for each handler, and then has the loop end.
        private final class HandlerPoller implements Poller {
            @Override
            public boolean hasNext() {
                return dispatched < HANDLERS;
            }

            @Override
            public boolean dispatchNext() {
                dispatched++;
                loop.runInline(TwoHandlers.this::handler);
                if (loop.isHeld()) {
                    afterwards();
                }
                return true;
            }

            @Override
            public void poll(long timeoutNanos) {
                if (dispatched == HANDLERS) {
                    loop.stop();
                }
            }

            @Override
            public void add(Pollable pollable, int interest, ReadinessListener listener) {}

            @Override
            public void setInterest(Pollable pollable, int interest) {}

            @Override
            public void remove(Pollable pollable) {}

            @Override
            public void closed(Pollable pollable) {}

            @Override
            public void wakeup() {}

            @Override
            public void close() {
                ended++;
            }
        }

        private void afterwards() {
            ended += 0;
        }

        abstract void handler();

        /// Takes the loop from the handler that it observes, if it is still in it.
        final void watch() {
            long observed = loop.baton().sequence();
            if (Baton.isInHandler(observed)) {
                threads.takeOver(observed);
            }
        }

        final Loop loop() {
            return loop;
        }

        @Override
        public void check() {
            if (dispatched != HANDLERS || ended != 1 || !isOver()) {
                throw new AssertionError(dispatched + " handlers, ended " + ended + " times");
            }
        }

        private boolean isOver() {
            try {
                return threads.awaitEnd(0, TimeUnit.NANOSECONDS) && threads.liveThreads().isEmpty();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    /// The watchdog takes the loop over from a handler that may end in the same moment.
    static final class TakeOver extends TwoHandlers {
        @Override
        void handler() {
            Steps.step("handler");
        }

        @Override
        public List<Runnable> actors() {
            return List.of(this::watch, this::watch);
        }
    }

    /// A handler hands the loop over because it is about to block, while the watchdog takes it.
    static final class HandOverBeforeBlocking extends TwoHandlers {
        @Override
        void handler() {
            loop().baton().handOverBeforeBlocking();
        }

        @Override
        public List<Runnable> actors() {
            return List.of(this::watch);
        }
    }
}
