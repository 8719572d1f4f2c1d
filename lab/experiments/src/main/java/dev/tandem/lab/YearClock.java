package dev.tandem.lab;

import java.util.Arrays;
import java.util.Random;

/// Virtual time: events run in the order of their times, and those of one time in the order in
/// which they were scheduled. The same seed gives the same run. Confined to one thread.
///
/// A binary heap in arrays: a year has a thousand million events.
final class YearClock {
    static final long SECOND = 1_000_000_000L;

    private static final int FIRST = 1024;

    private final Random random;
    private long[] times = new long[FIRST];
    private long[] numbers = new long[FIRST];
    private Runnable[] events = new Runnable[FIRST];
    private int size;
    private long number;
    private long now;

    YearClock(long seed) {
        random = new Random(seed);
    }

    /// In nanoseconds, from 0.
    long nanos() {
        return now;
    }

    /// Returns the number of events so far.
    long count() {
        return number - size;
    }

    double uniform() {
        return random.nextDouble();
    }

    /// @param least included
    /// @param most excluded
    double between(double least, double most) {
        return least + (most - least) * uniform();
    }

    /// Each factor between both is as likely.
    double scaled(double least, double most) {
        return least * Math.pow(most / least, uniform());
    }

    int number(int least, int most) {
        return least + random.nextInt(most - least + 1);
    }

    /// Returns a time with an exponential distribution, in nanoseconds.
    long exponential(double meanSeconds) {
        return (long) (-Math.log(1 - uniform()) * meanSeconds * SECOND);
    }

    void after(long delayNanos, Runnable event) {
        if (size == times.length) {
            times = Arrays.copyOf(times, 2 * size);
            numbers = Arrays.copyOf(numbers, 2 * size);
            events = Arrays.copyOf(events, 2 * size);
        }
        int at = size++;
        put(at, now + Math.max(0, delayNanos), number++, event);
        while (at > 0 && isBefore(at, (at - 1) / 2)) {
            swap(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
    }

    /// Runs the events until a time.
    void runUntil(long until) {
        while (size > 0 && times[0] <= until) {
            now = times[0];
            Runnable event = events[0];
            removeFirst();
            event.run();
        }
        now = until;
    }

    private void removeFirst() {
        size--;
        put(0, times[size], numbers[size], events[size]);
        int at = 0;
        int child = 1;
        while (child < size) {
            child += child + 1 < size && isBefore(child + 1, child) ? 1 : 0;
            if (!isBefore(child, at)) {
                return;
            }
            swap(at, child);
            at = child;
            child = 2 * at + 1;
        }
    }

    private boolean isBefore(int a, int b) {
        return times[a] < times[b] || times[a] == times[b] && numbers[a] < numbers[b];
    }

    private void put(int at, long time, long order, Runnable event) {
        times[at] = time;
        numbers[at] = order;
        events[at] = event;
    }

    private void swap(int a, int b) {
        long time = times[a];
        long order = numbers[a];
        Runnable event = events[a];
        put(a, times[b], numbers[b], events[b]);
        put(b, time, order, event);
    }
}
