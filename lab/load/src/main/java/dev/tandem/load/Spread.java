package dev.tandem.load;

/// Statistics of some values; all 0 if there are none.
///
/// @param count of the values
/// @param deviation the standard deviation, of the values as a whole population
public record Spread(
        long count, double least, double average, double most, double median, double deviation) {

    static final Spread NONE = new Spread(0, 0, 0, 0, 0, 0);

    /// Returns the statistics in another unit.
    Spread times(double factor) {
        return new Spread(
                count,
                least * factor,
                average * factor,
                most * factor,
                median * factor,
                deviation * factor);
    }
}
