package dev.tandem.admission;

/// A mean that follows its samples: of all of them while they are few, then mostly of the last
/// ones. Guarded by the admission's lock.
final class LearnedMean {
    /// Number of samples, of what changes slowly or varies much.
    static final int LONG = Tuning.count("LearnedMean.LONG", 256);

    /// Number of samples, of what may change within seconds: it follows four times as fast.
    static final int SHORT = LONG / 4;

    private final int memory;
    private double mean;
    private double part;
    private int count;

    /// @param mean assumed before there is a sample
    /// @param weight number of samples that the assumption counts as
    /// @param memory about how many samples the mean is of
    LearnedMean(double mean, int weight, int memory) {
        this.mean = mean;
        this.count = weight;
        this.part = 1.0 / Math.max(weight, 1);
        this.memory = memory;
    }

    /// Creates a mean of 0 that the first sample replaces.
    LearnedMean(int memory) {
        this(0, 0, memory);
    }

    void add(double sample) {
        if (count < memory) {
            count++;
            part = 1.0 / count; // a division is the most expensive step here, and soon over
        }
        mean += (sample - mean) * part;
    }

    /// Adds several samples at once.
    ///
    /// @param sum of all of them
    /// @param samples number of samples, 0 or more
    void addAll(double sum, int samples) {
        if (samples > 0) {
            count = Math.min(memory, count + samples);
            part = 1.0 / Math.max(count, 1);
            mean += (sum / samples - mean) * Math.min(1, samples * part);
        }
    }

    double mean() {
        return mean;
    }

    int count() {
        return count;
    }
}
