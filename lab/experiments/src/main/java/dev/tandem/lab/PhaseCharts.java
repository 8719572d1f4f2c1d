package dev.tandem.lab;

import dev.tandem.lab.chart.Axis;
import dev.tandem.lab.chart.Bars;
import dev.tandem.lab.chart.Caption;
import dev.tandem.lab.chart.Series;
import java.util.List;

/// What connections and threads do, by load: figures 3.20 and 3.23 of Beltran's thesis (2008).
///
/// @param parameter the load, of scenarios
/// @param unit of the load, such as `1/s`
record PhaseCharts(Samples samples, String parameter, String unit) {
    private static final List<String> PHASES =
            List.of(
                    AppliedLoad.CONNECTING,
                    AppliedLoad.HANDSHAKING,
                    AppliedLoad.AWAITING,
                    AppliedLoad.RECEIVING,
                    AppliedLoad.IDLE);

    private static final List<String> STATES =
            List.of(
                    ThreadStates.RUNNING,
                    ThreadStates.READY,
                    ThreadStates.BLOCKED,
                    ThreadStates.WAITING);

    /// The mean time of a connection by phase.
    Bars connections(String contender) {
        return stacked(
                new Caption(
                        "Mean time of a connection by phase: " + contender,
                        "As its client sees it; connections that ended in a phase included."),
                Axis.linear("time of a connection", "ms"),
                contender,
                PHASES);
    }

    /// The mean number of threads by state.
    Bars threads(String contender) {
        return stacked(
                new Caption(
                        "States of the server's threads: " + contender,
                        "As the kernel sees them, without the JVM's own. Those that wait for"
                                + " others are blocked by a lock, or have no work."),
                Axis.linear("threads", ""),
                contender,
                STATES);
    }

    private Bars stacked(Caption caption, Axis value, String contender, List<String> figures) {
        List<Scenario> scenarios =
                samples.values(contender, parameter).stream()
                        .map(load -> Scenario.of(contender, parameter, load))
                        .toList();
        List<String> groups =
                scenarios.stream().map(s -> Figures.show(s.at(parameter), 1) + " " + unit).toList();
        List<Series> series =
                figures.stream()
                        .map(name -> samples.bars(name.replace(" ms", ""), name, scenarios))
                        .toList();
        return Bars.stacked(caption, groups, value, series);
    }
}
