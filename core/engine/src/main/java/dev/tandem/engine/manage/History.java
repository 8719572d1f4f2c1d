package dev.tandem.engine.manage;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The last minutes of a server in samples, so that a chart is full when it is opened. Confined to
/// the management's loop.
final class History {
    /// 1 s: a chart of five minutes has a few pixels for each sample, and a peak of some seconds
    /// shows. A sample reads counters only.
    static final long SAMPLE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /// 300 samples, five minutes: from before a user has noticed a problem and opened the console.
    /// Some 60 KB of heap, and 20 KB to send. The oldest is dropped for a new one.
    static final int SAMPLES_MAX = 300;

    /// Half of [#SAMPLE_NANOS]: a reading that is earlier, as of a loop that was delayed and
    /// catches up, makes no sample, since rates of short times are mostly chance.
    private static final long APART_NANOS = SAMPLE_NANOS / 2;

    private final Deque<Sample> samples = new ArrayDeque<>();
    private @Nullable Reading last;

    void add(Reading now) {
        Reading before = last;
        if (before == null) {
            last = now;
        } else if (now.nanos() - before.nanos() >= APART_NANOS) {
            if (samples.size() == SAMPLES_MAX) {
                samples.removeFirst();
            }
            samples.addLast(Sample.between(before, now));
            last = now;
        }
    }

    /// Returns the samples that ended later than this, the oldest first.
    List<Sample> since(long nanos) {
        var found = new ArrayList<Sample>();
        for (Sample sample : samples) {
            if (sample.atNanos() - nanos > 0) {
                found.add(sample);
            }
        }
        return found;
    }

    /// Returns an array of those that ended in a later millisecond than this.
    String json(long afterMillis) {
        var all = new StringJoiner(",", "[", "]");
        for (Sample sample : samples) {
            if (TimeUnit.NANOSECONDS.toMillis(sample.atNanos()) > afterMillis) {
                all.add(sample.json());
            }
        }
        return all.toString();
    }
}
