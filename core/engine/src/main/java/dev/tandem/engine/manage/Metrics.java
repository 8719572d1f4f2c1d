package dev.tandem.engine.manage;

import dev.tandem.AccessLog;
import dev.tandem.Gauge;
import dev.tandem.Metric;
import dev.tandem.admission.Counters;
import dev.tandem.admission.Utilization;
import dev.tandem.engine.Engine;
import dev.tandem.engine.RequestKind;
import dev.tandem.engine.manage.MetricsText.Label;
import dev.tandem.engine.site.RouteCounts;
import dev.tandem.engine.site.RouteSeries;
import dev.tandem.engine.site.Traffic;
import dev.tandem.http.HttpVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// A server's metrics. Those with a name in OpenTelemetry's HTTP conventions have it, as
/// Prometheus spells it; ours begin with `tandem_`. Routes are patterns, and those that have
/// series of their own are bounded ([Traffic#ROUTES_MAX]), so whatever paths are asked for, there
/// is a bounded number of lines.
public final class Metrics {
    private static final String DURATION = "http_server_request_duration_seconds";

    /// Of waiting times: 1 ms, 2 ms, 4 ms, ... 1,024 ms.
    private static final double[] WAIT_BOUNDS = new double[11];

    private static final double[] DURATION_BOUNDS = RouteSeries.bounds();

    static {
        for (int i = 0; i < WAIT_BOUNDS.length; i++) {
            WAIT_BOUNDS[i] = (1 << i) / 1e3;
        }
    }

    private final MetricsText text = new MetricsText();

    private Metrics() {}

    /// All of them.
    public static MetricsText of(Engine engine) {
        var metrics = new Metrics();
        metrics.requests(engine.traffic());
        metrics.addOthers(engine);
        return metrics.text;
    }

    /// All but what there is of each route.
    static List<Metric> withoutRoutes(Engine engine) {
        var metrics = new Metrics();
        metrics.addOthers(engine);
        return metrics.text.all();
    }

    private void addOthers(Engine engine) {
        engine(engine);
        if (!engine.tls().isEmpty()) {
            new TlsMetrics(text, engine.tls(), engine.handshakes().counters()).write();
        }
        if (engine.http2().connections() > 0) {
            new Http2Metrics(text, engine.http2()).write();
        }
        if (!engine.tuning().isAllOnLoop()) {
            Counters counters = engine.dispatcher().admission().counters();
            utilization(engine.utilization().read(), counters);
            active(engine);
            work(counters);
            lanes(counters.lanes());
            rejections(counters);
            sessions(counters);
            overdue(engine);
        }
        gauges(engine.gauges());
    }

    private void gauges(List<Gauge> gauges) {
        for (Gauge gauge : gauges) {
            try {
                double value = gauge.value().getAsDouble();
                text.single(gauge.metric(), gauge.type(), gauge.help(), value);
            } catch (RuntimeException e) {
                // A gauge that has no value now is not shown.
            }
        }
    }

    private void requests(Traffic traffic) {
        text.metric(
                DURATION,
                "histogram",
                "From a request's head to the end of its response, by the route's method and"
                        + " pattern.");
        for (RouteCounts route : traffic.all()) {
            route.series()
                    .forEach(
                            series ->
                                    text.histogram(
                                            DURATION,
                                            labels(route.pattern(), series),
                                            DURATION_BOUNDS,
                                            series.buckets(),
                                            series.seconds()));
        }
    }

    /// Returns the attributes of `http.server.request.duration`
    /// (opentelemetry.io/docs/specs/semconv/http/http-metrics). What is not known has no label, as
    /// there.
    private static List<Label> labels(String pattern, RouteSeries series) {
        var labels = new ArrayList<Label>();
        labels.add(new Label("http_request_method", series.method()));
        if (!pattern.isEmpty()) {
            labels.add(new Label("http_route", pattern));
        }
        int status = series.status();
        if (series.isOverflow()) {
            labels.add(new Label("otel_metric_overflow", "true"));
        } else {
            labels.add(new Label("url_scheme", series.isSecure() ? "https" : "http"));
            HttpVersion version = series.version();
            if (version != null) {
                labels.add(new Label("network_protocol_version", version.conventionalNumber()));
            }
            if (status != RouteCounts.INCOMPLETE) {
                labels.add(new Label("http_response_status_code", Integer.toString(status)));
            }
        }
        if (status == RouteCounts.INCOMPLETE) {
            labels.add(new Label("error_type", "incomplete"));
        } else if (status >= 500) {
            String type = series.isOverflow() ? RouteCounts.OTHER : Integer.toString(status);
            labels.add(new Label("error_type", type));
        }
        return labels;
    }

    private void engine(Engine engine) {
        gauge("tandem_connections", "Open connections.", engine.open().get());
        counter(
                "tandem_connections_accepted_total",
                "Connections that were accepted.",
                engine.accepted().sum());
        gauge(
                "tandem_connections_limit",
                "The most open connections.",
                engine.options().limits().connectionsMax());
        gauge(
                "tandem_event_streams",
                "Open streams of events that have no thread.",
                engine.feeds().open());
        counter(
                "tandem_event_streams_slow_total",
                "Streams of events that were ended because their clients were too slow.",
                engine.feeds().slowTotal());
        gauge("tandem_worker_threads", "Threads for handlers.", engine.workers().size());
        AccessLog log = engine.accessLog();
        if (log != null) {
            counter(
                    "tandem_access_log_lost_total",
                    "Lines that the access log could not write.",
                    log.lost());
        }
    }

    private void utilization(Utilization used, Counters counters) {
        gauge(
                "tandem_admission_utilization",
                "How much of what the server can do is used: the largest of its parts; more than 1"
                        + " if requests wait.",
                used.value());
        String parts = "tandem_admission_utilization_part";
        text.metric(parts, "gauge", "The parts of tandem_admission_utilization, by resource.");
        text.sample(parts, used.workers(), new Label("resource", "workers"));
        text.sample(parts, used.processors(), new Label("resource", "processors"));
        text.sample(parts, used.databases(), new Label("resource", "databases"));
        text.sample(parts, used.handshakes(), new Label("resource", "handshakes"));
        gauge(
                "tandem_admission_waiting",
                "Requests that wait for a worker, in all lanes.",
                counters.waiting());
        counter(
                "tandem_admission_rejected_total",
                "Requests that admission rejected, for any reason, and WebSocket messages that it"
                        + " put off.",
                counters.rejectedTotal());
    }

    private void active(Engine engine) {
        Map<Integer, Integer> kinds = engine.dispatcher().admission().activeByKind();
        engine.feeds()
                .openByKind()
                .forEach((kind, count) -> kinds.merge(kind, count, Integer::sum));
        String name = "http_server_active_requests";
        text.metric(
                name, "gauge", "Requests that run, wait, or are detached, and streams of events.");
        kinds.forEach(
                (kind, count) ->
                        text.sample(
                                name,
                                count,
                                new Label("http_request_method", RequestKind.method(kind)),
                                new Label("url_scheme", RequestKind.scheme(kind))));
    }

    private void work(Counters counters) {
        gauge("tandem_workers_limit", "How many requests may run at once.", counters.workers());
        gauge("tandem_workers_running", "Requests that have a worker.", counters.running());
        gauge(
                "tandem_exchanges_detached",
                "Exchanges that run without a worker slot.",
                counters.detached());
        counter(
                "tandem_accept_pauses_total",
                "How often accepting connections was paused.",
                counters.acceptPauses());
        counter(
                "tandem_accept_paused_seconds_total",
                "How long accepting connections was paused.",
                counters.acceptPausedNanos() / 1e9);
    }

    private void lanes(List<Counters.OfLane> lanes) {
        text.metric("tandem_lane_limit", "gauge", "How many of a lane may run at once.");
        lanes.forEach(lane -> text.sample("tandem_lane_limit", lane.limit(), label(lane)));
        text.metric("tandem_lane_running", "gauge", "Requests of a lane that run.");
        lanes.forEach(lane -> text.sample("tandem_lane_running", lane.running(), label(lane)));
        text.metric("tandem_lane_waiting", "gauge", "Requests of a lane that wait.");
        lanes.forEach(lane -> text.sample("tandem_lane_waiting", lane.waiting(), label(lane)));
        String wait = "tandem_lane_wait_seconds";
        text.metric(wait, "histogram", "How long requests waited for a worker before they ran.");
        for (Counters.OfLane lane : lanes) {
            long[] buckets = lane.waits().stream().mapToLong(Long::longValue).toArray();
            text.histogram(
                    wait, List.of(label(lane)), WAIT_BOUNDS, buckets, lane.waitNanos() / 1e9);
        }
    }

    private static Label label(Counters.OfLane lane) {
        return new Label("lane", lane.lane().name().toLowerCase(Locale.ROOT));
    }

    private void rejections(Counters counters) {
        String rejected = "tandem_requests_rejected_total";
        text.metric(
                rejected,
                "counter",
                "Requests rejected with 503, and WebSocket messages put off, by reason.");
        counters.rejected()
                .forEach(
                        (reason, count) ->
                                text.sample(
                                        rejected,
                                        count,
                                        new Label(
                                                "reason", reason.name().toLowerCase(Locale.ROOT))));
        counter(
                "tandem_requests_cancelled_total",
                "Requests whose client disconnected while they waited.",
                counters.cancelled());
    }

    private void sessions(Counters counters) {
        counter(
                "tandem_sessions_started_total",
                "Sessions that started.",
                counters.sessionsStarted());
        counter(
                "tandem_sessions_finished_total",
                "Sessions that ended without a rejection.",
                counters.sessionsFinished());
        counter(
                "tandem_sessions_abandoned_total",
                "Sessions that ended after a rejection, or while they waited.",
                counters.sessionsAbandoned());
        gauge("tandem_sessions_known", "Sessions known by a cookie.", counters.sessionsKnown());
    }

    private void overdue(Engine engine) {
        String overdue = "tandem_overdue_runs";
        text.metric(overdue, "gauge", "Runs that do not return, by route.");
        engine.dispatcher().admission().overdue().stream()
                .limit(Traffic.ROUTES_MAX)
                .forEach(o -> text.sample(overdue, o.runs(), new Label("http_route", o.route())));
    }

    private void gauge(String name, String help, double value) {
        text.single(name, "gauge", help, value);
    }

    private void counter(String name, String help, double value) {
        text.single(name, "counter", help, value);
    }
}
