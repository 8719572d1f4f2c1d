package dev.tandem.fleet;

import java.util.Locale;

/// What is reported of an interval, in the forms that load balancers read. Immutable.
///
/// @param utilization 0 and more
/// @param processors part of the processors that is used, 0 to 1
/// @param rate responses per second
/// @param errors responses per second with status 500 and above, rejections included
/// @param weight in percent, 1 to 100
/// @param concurrencyMax how many requests balancers should have sent at once, in total
record LoadReport(
        double utilization,
        double processors,
        double rate,
        double errors,
        int weight,
        int concurrencyMax) {

    /// Until the first interval has ended.
    static final LoadReport FIRST = new LoadReport(0, 0, 0, 0, 10, 64);

    /// Envoy ignores reports with a rate of 0.
    private static final double RATE_MIN = 0.001;

    /// Returns the value of the header `endpoint-load-metrics` in the text form of ORCA (Open
    /// Request Cost Aggregation, xds/data/orca/v3). Envoy's weight is the rate divided by the
    /// utilization, so a utilization of 0 is reported as a small one.
    String orca() {
        return String.format(
                Locale.ROOT,
                "TEXT application_utilization=%.3f, cpu_utilization=%.3f, rps_fractional=%.3f,"
                        + " eps=%.3f",
                Math.max(utilization, RATE_MIN),
                processors,
                Math.max(rate, RATE_MIN),
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
