package dev.tandem.testkit;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Random;

/// A simulation in virtual time: events run in the order of their times, and those of the same time
/// in the order they were scheduled. The same seed gives the same run. Confined to one thread.
public final class Simulation {
    private static final Comparator<Event> ORDER =
            Comparator.comparingLong(Event::nanos).thenComparingLong(Event::number);

    /// More events than any test of ours has: detects an endless loop.
    private static final long EVENTS_MAX = 200_000_000;

    private final PriorityQueue<Event> events = new PriorityQueue<>(ORDER);
    private final Random random;
    private long now;
    private long number;

    private record Event(long nanos, long number, Runnable what) {}

    public Simulation(long seed) {
        random = new Random(seed);
    }

    /// Virtual time in nanoseconds, from 0.
    public long nanos() {
        return now;
    }

    /// @param delayNanos from now; less than 0 counts as 0
    public void after(long delayNanos, Runnable what) {
        events.add(new Event(now + Math.max(delayNanos, 0), number++, what));
    }

    /// Repeats an action, first after one period, until a time.
    public void every(long periodNanos, long untilNanos, Runnable what) {
        after(
                periodNanos,
                () -> {
                    what.run();
                    if (now + periodNanos <= untilNanos) {
                        every(periodNanos, untilNanos, what);
                    }
                });
    }

    /// Runs events at random times, so many per second on average (a Poisson process), until a
    /// time. The rate is read again after each.
    public void poisson(Rate rate, long untilNanos, Runnable what) {
        double perSecond = rate.at(now);
        if (perSecond <= 0) {
            throw new IllegalArgumentException("rate must be more than 0, was " + perSecond);
        }
        after(
                exponential(1e9 / perSecond),
                () -> {
                    if (now < untilNanos) {
                        what.run();
                        poisson(rate, untilNanos, what);
                    }
                });
    }

    /// The number of events per second at a time.
    @FunctionalInterface
    public interface Rate {
        double at(long nanos);
    }

    /// Returns a random time with an exponential distribution, in nanoseconds.
    public long exponential(double meanNanos) {
        return (long) (-Math.log(1 - random.nextDouble()) * meanNanos);
    }

    /// Returns a random number from 0 to less than 1.
    public double uniform() {
        return random.nextDouble();
    }

    /// Runs events until a time or until none is left.
    public void runUntil(long untilNanos) {
        for (long count = 0; !events.isEmpty() && events.peek().nanos <= untilNanos; count++) {
            if (count > EVENTS_MAX) {
                throw new IllegalStateException("more than " + EVENTS_MAX + " events");
            }
            Event event = events.remove();
            now = event.nanos;
            event.what.run();
        }
        now = Math.max(now, untilNanos);
    }
}
