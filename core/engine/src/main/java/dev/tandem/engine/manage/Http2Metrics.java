package dev.tandem.engine.manage;

import dev.tandem.admission.Explanation;
import dev.tandem.engine.Http2Counters;
import dev.tandem.engine.manage.MetricsText.Label;
import dev.tandem.http.h2.DefenceLedger;
import dev.tandem.http.h2.ErrorCode;
import java.util.List;
import java.util.Locale;

/// The metrics of HTTP/2: connections, streams, and why connections ended. Shown once there was a
/// connection.
///
/// @param text where they are written
record Http2Metrics(MetricsText text, Http2Counters counters) {

    void write() {
        text.single(
                "tandem_http2_connections",
                "gauge",
                "Open HTTP/2 connections.",
                counters.openConnections());
        text.single(
                "tandem_http2_connections_total",
                "counter",
                "HTTP/2 connections.",
                counters.connections());
        text.single(
                "tandem_http2_streams",
                "gauge",
                "Open HTTP/2 streams, each one request.",
                counters.openStreams());
        String streams = "tandem_http2_streams_total";
        text.metric(streams, "counter", "HTTP/2 streams that have ended, by how.");
        for (Http2Counters.Result result : Http2Counters.Result.values()) {
            text.sample(streams, counters.streams(result), label("result", result));
        }
        String goAways = "tandem_http2_goaways_total";
        text.metric(goAways, "counter", "Ends of HTTP/2 connections by GOAWAY, by error code.");
        for (ErrorCode code : ErrorCode.values()) {
            if (counters.goAways(code) > 0) {
                text.sample(goAways, counters.goAways(code), label("code", code));
            }
        }
        String costs = "tandem_http2_client_costs_total";
        text.metric(
                costs,
                "counter",
                "What closed HTTP/2 connections have cost apart from responses, in units of about"
                        + " a microsecond.");
        for (DefenceLedger.Cost cost : DefenceLedger.Cost.values()) {
            if (counters.charged(cost) > 0) {
                text.sample(costs, counters.charged(cost), label("cost", cost));
            }
        }
    }

    private static Label label(String name, Enum<?> value) {
        return new Label(name, value.name().toLowerCase(Locale.ROOT));
    }

    /// Explains the same.
    static List<Explanation> explain(Http2Counters counters) {
        return List.of(
                new Explanation(
                        "HTTP/2",
                        "http/2",
                        Long.toString(counters.openConnections()),
                        "open connections, of " + counters.connections() + " since the start"),
                new Explanation(
                        "HTTP/2",
                        "http/2 streams",
                        Long.toString(counters.openStreams()),
                        "open, each one request; "
                                + counters.streams(Http2Counters.Result.REFUSED)
                                + " were refused before they started, "
                                + counters.streams(Http2Counters.Result.CANCELLED)
                                + " cancelled by their clients"),
                new Explanation(
                        "HTTP/2",
                        "http/2 floods",
                        Long.toString(counters.goAways(ErrorCode.ENHANCE_YOUR_CALM)),
                        "connections closed because they cost more than they used"));
    }
}
