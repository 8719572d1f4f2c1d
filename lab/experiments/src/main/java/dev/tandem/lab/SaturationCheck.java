package dev.tandem.lab;

import java.util.List;
import java.util.Optional;

/// Checks after a sweep whether the saturation that its rates are multiples of was one: a server
/// that is saturated does not do more at a higher rate.
final class SaturationCheck {
    /// 15 %: repetitions differ by a few per cent, and a JVM that is still warming by ten.
    private static final double TOLERANCE = 1.15;

    private SaturationCheck() {}

    /// @param contender whose saturation it is
    /// @param saturation in the unit of the parameter
    /// @param figure of throughput, proportional to the rate below saturation
    /// @return what is wrong, for the report's reader; empty if nothing is, or the sweep does not
    ///     show it
    static Optional<String> doubt(
            Samples samples, String contender, String parameter, double saturation, String figure) {
        List<Double> rates = samples.values(contender, parameter);
        if (rates.isEmpty() || rates.getFirst() > saturation) {
            return Optional.empty();
        }
        double lowest = rates.getFirst();
        double atSaturation =
                samples.median(Scenario.of(contender, parameter, lowest), figure)
                        * saturation
                        / lowest;
        double highest = 0;
        double at = 0;
        for (double rate : rates) {
            double its = samples.median(Scenario.of(contender, parameter, rate), figure);
            if (its > highest) {
                highest = its;
                at = rate;
            }
        }
        return highest > TOLERANCE * atSaturation
                ? Optional.of(
                        ("%s was not saturated by %s %s, of which the report's rates are multiples:"
                                        + " at %s it did %s times as much as it would there.")
                                .formatted(
                                        contender,
                                        Figures.show(saturation, 0),
                                        parameter,
                                        Figures.show(at, 0),
                                        Figures.show(highest / atSaturation, 2)))
                : Optional.empty();
    }
}
