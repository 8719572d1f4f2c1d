package dev.tandem.lab;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A server's throughput, second by second, from its first response on. Immutable.
///
/// @param startMillis from starting the process to its first response
/// @param seconds three at least
record ColdCourse(double startMillis, List<Second> seconds) {
    static final String START = "start ms";
    static final String FIRST = "responses in 1 s";
    static final String THREE = "in 3 s";
    static final String TEN = "in 10 s";
    static final String STEADY = "later responses/s";
    static final String FIRST_SHARE = "share in the 1st second";
    static final String THIRD_SHARE = "share in the 3rd second";
    static final String WARM_CPU = "CPU s until within a tenth";
    static final String ERRORS = "failed";

    static final List<String> FIGURES =
            List.of(FIRST, START, THREE, TEN, STEADY, FIRST_SHARE, THIRD_SHARE, WARM_CPU, ERRORS);

    private static final double NEARLY = 0.9;

    ColdCourse {
        seconds = List.copyOf(seconds);
    }

    /// A second under load.
    ///
    /// @param responses per second
    /// @param cpu used by the server, in seconds
    /// @param errors failed requests, rejected ones included
    record Second(double responses, double cpu, long errors) {}

    /// The median of the last third of the seconds.
    double steady() {
        int from = seconds.size() - Math.max(1, seconds.size() / 3);
        return new Figures(
                        seconds.subList(from, seconds.size()).stream()
                                .mapToDouble(Second::responses)
                                .toArray())
                .median();
    }

    /// CPU used before the first second whose throughput is at least nine tenths of the later one.
    double cpuUntilWarm() {
        double needed = NEARLY * steady();
        double cpu = 0;
        for (Second second : seconds) {
            if (second.responses >= needed) {
                return cpu;
            }
            cpu += second.cpu;
        }
        return cpu;
    }

    private double responses(int count) {
        return seconds.size() < count
                ? Double.NaN
                : seconds.subList(0, count).stream().mapToDouble(Second::responses).sum();
    }

    Map<String, Double> figures() {
        var figures = new LinkedHashMap<String, Double>();
        figures.put(FIRST, responses(1));
        figures.put(START, startMillis);
        figures.put(THREE, responses(3));
        figures.put(TEN, responses(10));
        figures.put(STEADY, steady());
        figures.put(FIRST_SHARE, seconds.getFirst().responses / steady());
        figures.put(THIRD_SHARE, seconds.get(2).responses / steady());
        figures.put(WARM_CPU, cpuUntilWarm());
        figures.put(ERRORS, (double) seconds.stream().mapToLong(Second::errors).sum());
        return figures;
    }
}
