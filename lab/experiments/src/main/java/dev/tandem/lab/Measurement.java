package dev.tandem.lab;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One measurement of load on one contender.
///
/// @param repetition from 1
/// @param cpuMicros of the server, per request
/// @param serverShare of one processor that the server used
/// @param clientShare of one processor that the load used
/// @param foreignShare of one processor that other processes used, or the host took
/// @param attempts number of attempts until it was undisturbed enough
record Measurement(
        String trial,
        String contender,
        int repetition,
        Wrk.Load load,
        double cpuMicros,
        double serverShare,
        double clientShare,
        double foreignShare,
        int attempts)
        implements MeasurementWith {

    /// Above this share of one processor, others disturbed the measurement.
    static final double FOREIGN_MAX = 0.15;

    boolean isDisturbed() {
        return foreignShare > FOREIGN_MAX;
    }

    Map<String, @Nullable Object> asMap() {
        var map = new LinkedHashMap<String, @Nullable Object>();
        map.put("trial", trial);
        map.put("contender", contender);
        map.put("repetition", repetition);
        map.put("requests", load.requests());
        map.put("requestsPerSecond", load.rate());
        map.put("cpuMicrosPerRequest", cpuMicros);
        map.put("p50Millis", load.p50Millis());
        map.put("p99Millis", load.p99Millis());
        map.put("errors", load.errors());
        map.put("serverShare", serverShare);
        map.put("clientShare", clientShare);
        map.put("foreignShare", foreignShare);
        map.put("attempts", attempts);
        map.put("disturbed", isDisturbed());
        return map;
    }
}
