package dev.tandem.testkit.interleave;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// One interleaving. At most one of its threads is active at any time; it decides at each of its
/// steps which
/// is next. A change from a thread that could continue is a preemption, and their number is
/// bounded.
final class Execution {
    private static final int STEPS_MAX = 20_000;
    private static final int MINUTES_MAX = 2;

    /// A longer wait does not end by time.
    private static final long FOR_EVER_NANOS = TimeUnit.HOURS.toNanos(1);

    private final Choices choices;
    private final int preemptionsMax;
    private final @Nullable List<String> trace;
    private final List<Actor> actors = new ArrayList<>();
    private final Map<Object, Monitor> monitors = new IdentityHashMap<>();
    private final Accesses accesses = new Accesses();
    private final CountDownLatch end = new CountDownLatch(1);
    private volatile @Nullable Actor active;
    private volatile @Nullable Throwable failure;
    private int preemptions;
    private int steps;
    private int ready;
    private long nanos;

    /// Whether conditions are evaluated: what they read is no step.
    private boolean isChoosing;

    private static final class Monitor {
        @Nullable Actor owner;
        int count;
        final List<Actor> waiting = new ArrayList<>();
    }

    /// Ends an actor of an interleaving that has failed.
    private static final class Abandoned extends Error {
        private static final long serialVersionUID = 1;

        Abandoned() {
            super("abandoned", null, false, false);
        }
    }

    /// @param trace receives each step; null for none
    Execution(Choices choices, int preemptionsMax, @Nullable List<String> trace) {
        this.choices = choices;
        this.preemptionsMax = preemptionsMax;
        this.trace = trace;
    }

    Actor add(Runnable body) {
        var made = new Actor[1];
        Thread thread = Thread.ofVirtual().unstarted(() -> run(made[0], body));
        made[0] = new Actor(actors.size(), thread);
        actors.add(made[0]);
        return made[0];
    }

    void addStarted(Runnable body) {
        add(body).isStarted = true;
    }

    /// Runs all actors to their ends.
    ///
    /// @return what failed; null for nothing
    @Nullable Throwable run() throws InterruptedException {
        choose(null);
        if (!end.await(MINUTES_MAX, TimeUnit.MINUTES)) {
            fail(new AssertionError("an actor blocked outside of its steps"));
        }
        for (Actor actor : List.copyOf(actors)) {
            if (actor.isRunning) {
                LockSupport.unpark(actor.thread);
                actor.thread.join();
            }
        }
        return failure;
    }

    private void run(Actor actor, Runnable body) {
        try {
            pause(actor);
            body.run();
        } catch (Abandoned e) {
            // Another one has failed.
        } catch (Throwable e) {
            fail(e);
        }
        actor.hasEnded = true;
        if (failure == null) {
            try {
                choose(null);
            } catch (RuntimeException | Error e) {
                fail(e);
            }
        }
    }

    private void fail(Throwable why) {
        if (failure == null) {
            failure = why;
        }
        for (Actor actor : List.copyOf(actors)) {
            LockSupport.unpark(actor.thread);
        }
        end.countDown();
    }

    private void pause(Actor self) {
        while (active != self && failure == null) {
            LockSupport.park();
        }
        if (failure != null) {
            throw new Abandoned();
        }
    }

    /// Chooses the next actor and activates it.
    ///
    /// @param current the one that could continue; null if it cannot
    private void choose(@Nullable Actor current) {
        isChoosing = true;
        List<Actor> options = options(current);
        isChoosing = false;
        if (options.isEmpty()) {
            end();
            return;
        }
        int chosen = choices.next(options.size());
        if (chosen > 0 && current != null || chosen >= ready && ready > 0) {
            preemptions++;
        }
        activate(options.get(chosen), chosen >= ready);
    }

    /// Returns the actors that may be next; those from index `ready` on would time out.
    private List<Actor> options(@Nullable Actor current) {
        var options = new ArrayList<Actor>(actors.size());
        boolean mayPreempt = current == null || preemptions < preemptionsMax;
        if (current != null) {
            options.add(current);
        }
        if (mayPreempt) {
            actors.stream()
                    .filter(actor -> actor != current && actor.isReady() && !actor.hasYielded)
                    .forEach(options::add);
        }
        if (options.isEmpty()) {
            actors.stream().filter(Actor::isReady).forEach(options::add);
        }
        ready = options.size();
        if (ready == 0 || mayPreempt && preemptions < preemptionsMax) {
            actors.stream().filter(Actor::mayTimeOut).forEach(options::add);
        }
        return options;
    }

    private void activate(Actor next, boolean isTimeOut) {
        if (isTimeOut) {
            nanos += next.timeoutNanos + 1;
            next.hasTimedOut = true;
            next.isParked = false;
        }
        next.condition = null;
        for (Actor actor : actors) {
            actor.hasYielded = false;
        }
        active = next;
        if (next.isRunning) {
            LockSupport.unpark(next.thread);
        } else {
            next.isRunning = true;
            next.thread.start();
        }
    }

    private void end() {
        for (Actor actor : actors) {
            if (actor.isStarted && !actor.hasEnded) {
                fail(new AssertionError("actor " + actor.index + " waits for ever"));
                return;
            }
        }
        end.countDown();
    }

    private Actor self() {
        Actor actor = active;
        if (actor == null || actor.thread != Thread.currentThread()) {
            throw new IllegalStateException("a thread that is no actor");
        }
        return actor;
    }

    /// Returns whether the current thread is an actor whose steps are observed.
    boolean isActor() {
        Actor actor = active;
        if (failure != null && Thread.currentThread().isVirtual()) {
            throw new Abandoned();
        }
        return actor != null && !isChoosing && actor.thread == Thread.currentThread();
    }

    private void note(String what) {
        if (trace != null) {
            trace.add("actor " + self().index + ": " + what);
        }
        if (++steps > STEPS_MAX) {
            throw new AssertionError("does not end");
        }
    }

    // ---- Steps.

    /// An access to shared state follows.
    void step(String what) {
        Actor self = self();
        choose(self);
        pause(self);
        note(what);
    }

    /// Likewise, one that orders other accesses.
    void step(Object by, String what) {
        step(what);
        accesses.synchronize(self().index, by);
    }

    void plain(Object of, String name, boolean isWrite) {
        accesses.plain(self().index, of, name, isWrite);
    }

    void yieldStep() {
        Actor self = self();
        self.hasYielded = true;
        choose(null);
        pause(self);
        note("yield");
    }

    /// Waits until a condition holds that others' steps make true.
    ///
    /// @return false if the time has passed
    boolean await(BooleanSupplier condition, long timeoutNanos, String what) {
        Actor self = self();
        self.condition = condition;
        return block(self, timeoutNanos, what);
    }

    private boolean block(Actor self, long timeoutNanos, String what) {
        self.timeoutNanos = timeoutNanos > FOR_EVER_NANOS ? -1 : timeoutNanos;
        self.hasTimedOut = false;
        choose(null);
        pause(self);
        self.timeoutNanos = -1;
        note(what + (self.hasTimedOut ? " timed out" : " ended"));
        return !self.hasTimedOut;
    }

    void park(long timeoutNanos) {
        step("park");
        Actor self = self();
        if (!self.hasPermit) {
            self.isParked = true;
            block(self, timeoutNanos, "park");
        }
        self.hasPermit = false;
    }

    void unpark(@Nullable Thread thread) {
        step("unpark");
        for (Actor actor : actors) {
            if (actor.thread == thread) {
                actor.hasPermit = true;
                actor.isParked = false;
            }
        }
    }

    private Monitor monitor(Object of) {
        return monitors.computeIfAbsent(of, _ -> new Monitor());
    }

    void enter(Object of) {
        Actor self = self();
        Monitor monitor = monitor(of);
        if (monitor.owner == self) {
            monitor.count++;
            return;
        }
        step("lock");
        if (monitor.owner != null) {
            await(() -> monitor.owner == null, -1, "lock");
        }
        monitor.owner = self;
        monitor.count = 1;
        accesses.acquire(self.index, monitor);
    }

    /// Throws nothing, because the code that calls it when it leaves a monitor would call it again.
    void exit(Object of) {
        Actor actor = active;
        if (failure != null || actor == null || actor.thread != Thread.currentThread()) {
            return;
        }
        Monitor monitor = monitor(of);
        if (--monitor.count == 0) {
            accesses.release(self().index, monitor);
            monitor.owner = null;
        }
    }

    void waitFor(Object of, long timeoutNanos) {
        Actor self = self();
        Monitor monitor = monitor(of);
        int count = monitor.count;
        accesses.release(self.index, monitor);
        monitor.owner = null;
        monitor.waiting.add(self);
        await(() -> !monitor.waiting.contains(self), timeoutNanos, "wait");
        monitor.waiting.remove(self);
        if (monitor.owner != null) {
            await(() -> monitor.owner == null, -1, "lock");
        }
        monitor.owner = self;
        monitor.count = count;
        accesses.acquire(self.index, monitor);
    }

    void notifyAllOf(Object of) {
        monitor(of).waiting.clear();
    }

    void start(Thread thread, boolean isByActor) {
        if (isByActor) {
            step("start");
        }
        for (Actor actor : actors) {
            if (actor.thread == thread) {
                actor.isStarted = true;
                if (isByActor) {
                    accesses.start(self().index, actor.index);
                }
            }
        }
    }

    long nanos() {
        return nanos;
    }
}
