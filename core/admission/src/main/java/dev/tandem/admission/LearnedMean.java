package dev.tandem.admission;

/// A mean that follows its samples: of all of them while they are few, then mostly of the last.
/// Guarded by the admission's lock.
final class LearnedMean {
    private final int memory;
    private double mean;
    private double part;
    private int count;

    /// @param mean what is believed before there is a sample
    /// @param weight how many samples that belief counts for
    /// @param memory about how many samples are remembered
    LearnedMean(double mean, int weight, int memory) {
        this.mean = mean;
        this.count = weight;
        this.part = 1.0 / Math.max(weight, 1);
        this.memory = memory;
    }

    void add(double sample) {
        if (count < memory) {
            count++;
            part = 1.0 / count; // a division is the dearest thing here, and soon over
        }
        mean += (sample - mean) * part;
    }

    double mean() {
        return mean;
    }

    int count() {
        return count;
    }
}
