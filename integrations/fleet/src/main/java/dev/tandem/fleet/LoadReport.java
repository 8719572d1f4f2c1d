package dev.tandem.fleet;

import java.util.Locale;

/// What is reported of an interval, in the forms that load balancers read. Immutable.
///
/// @param processors part of the processors that is used, 0 to 1
/// @param rate responses per second
/// @param errors responses per second with status 500 and above, rejections included
/// @param wanted responses per second that this instance asks for at most; 0 while not known
/// @param weight in percent, 1 to 100
/// @param concurrencyMax how many requests balancers should have sent at once, in total
record LoadReport(
        double processors,
        double rate,
        double errors,
        double wanted,
        int weight,
        int concurrencyMax) {

    /// Envoy ignores reports with a rate of 0.
    private static final double RATE_MIN = 0.001;

    /// The least that is not printed as 0.
    private static final double UTILIZATION_MIN = 0.000001;

    /// Returns what is reported until the first interval has ended.
    ///
    /// @param wanted as above
    static LoadReport first(double wanted) {
        return new LoadReport(0, 0, 0, wanted, 10, 64);
    }

    /// Returns the value of the header `endpoint-load-metrics` in the text form of ORCA (Open
    /// Request Cost Aggregation, xds/data/orca/v3); empty while nothing is known that a balancer
    /// should act on, which it takes for a usual weight.
    ///
    /// Envoy's weight is the rate divided by the utilization. So the utilization is the rate as a
    /// part of what this instance asks for: that, and nothing else, is then its weight.
    String orca() {
        if (!(wanted > 0)) {
            return "";
        }
        double reported = Math.max(rate, RATE_MIN);
        return String.format(
                Locale.ROOT,
                "TEXT application_utilization=%.6f, cpu_utilization=%.3f, rps_fractional=%.3f,"
                        + " eps=%.3f",
                Math.max(reported / wanted, UTILIZATION_MIN),
                processors,
                reported,
                errors);
    }

    /// Returns the line that replies to an agent check (HAProxy's manual, agent-check): `ready`
    /// ends a state of maintenance or draining that this instance asked for before.
    ///
    /// @param balancers that share the instance, at least 1
    String agentLine(int balancers) {
        int connections = Math.max(1, (concurrencyMax + balancers - 1) / balancers);
        return "ready up " + weight + "% maxconn:" + connections + "\n";
    }
}
