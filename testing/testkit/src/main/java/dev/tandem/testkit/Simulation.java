package dev.tandem.testkit;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Random;

/// A world in virtual time: events happen in the order of their times, and those of one time in
/// the order they were asked for. The same seed gives the same run. Confined to one thread.
public final class Simulation {
    private static final Comparator<Event> ORDER =
            Comparator.comparingLong(Event::nanos).thenComparingLong(Event::number);

    /// More events than any test of ours has: a loop that does not end is found.
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

    /// Again and again, first after one period, until a time.
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

    /// Events at random times, so many a second on average (a Poisson process), until a time.
    /// The rate is asked for anew after each.
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

    /// How many events a second there are at a time.
    @FunctionalInterface
    public interface Rate {
        double at(long nanos);
    }

    /// A random time with an exponential distribution, in nanoseconds.
    public long exponential(double meanNanos) {
        return (long) (-Math.log(1 - random.nextDouble()) * meanNanos);
    }

    /// From 0 to less than 1.
    public double uniform() {
        return random.nextDouble();
    }

    /// Lets things happen until a time or until nothing is left to happen.
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
