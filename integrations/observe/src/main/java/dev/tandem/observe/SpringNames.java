package dev.tandem.observe;

import dev.tandem.Metric;
import dev.tandem.observe.TandemMeters.Time;
import io.micrometer.core.instrument.Tags;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The responses by route as Spring's timer of requests names them
/// (docs.spring.io/spring-framework/reference/integration/observability.html).
final class SpringNames {
    static final String REQUESTS = "http.server.requests";
    static final String HELP = "From a request's head to the end of its response.";

    private static final String DURATION = "http_server_request_duration_seconds";
    private static final String NONE = "none";
    private static final String UNKNOWN = "UNKNOWN";

    private SpringNames() {}

    /// Returns counts and times by Spring's tags: several series of ours, such as those of two
    /// versions of HTTP, are one of Spring's.
    static Map<Tags, Time> of(List<Metric> metrics) {
        var all = new LinkedHashMap<Tags, Time>();
        for (Metric metric : metrics) {
            if (metric.name().equals(DURATION)) {
                for (Metric.Sample sample : metric.samples()) {
                    Time part =
                            switch (sample.suffix()) {
                                case "_count" -> new Time((long) sample.value(), 0);
                                case "_sum" -> new Time(0, sample.value());
                                default -> Time.NONE;
                            };
                    all.merge(tags(sample.labels()), part, Time::plus);
                }
            }
        }
        return all;
    }

    private static Tags tags(Map<String, String> labels) {
        String status = labels.getOrDefault("http_response_status_code", UNKNOWN);
        return Tags.of(
                "method",
                method(labels.getOrDefault("http_request_method", UNKNOWN)),
                "uri",
                labels.getOrDefault("http_route", status.equals("404") ? "NOT_FOUND" : UNKNOWN),
                "status",
                status,
                "outcome",
                outcome(status),
                "exception",
                NONE,
                "error",
                NONE);
    }

    private static String method(String method) {
        return method.equals("_OTHER") ? UNKNOWN : method;
    }

    private static String outcome(String status) {
        return switch (status.charAt(0)) {
            case '1' -> "INFORMATIONAL";
            case '2' -> "SUCCESS";
            case '3' -> "REDIRECTION";
            case '4' -> "CLIENT_ERROR";
            case '5' -> "SERVER_ERROR";
            default -> UNKNOWN;
        };
    }
}
