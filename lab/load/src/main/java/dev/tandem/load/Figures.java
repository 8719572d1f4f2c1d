package dev.tandem.load;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Turns a report into plain maps, lists, text and numbers, for JSON; names contain their units.
final class Figures {
    private static final double[] PERCENTS = {50, 75, 90, 95, 99, 99.9, 99.99};

    private Figures() {}

    static Map<String, Object> of(LoadReport report) {
        var map = new LinkedHashMap<String, Object>();
        map.put("workload", report.workload());
        map.put("seconds", report.seconds());
        map.put("repliesPerSecond", report.repliesPerSecond());
        map.put("sessionsPerSecond", report.sessionsPerSecond());
        map.put("measuredMillis", latency(report.measured()));
        map.put("correctedMillis", latency(report.corrected()));
        map.put("replies", replies(report.replies()));
        map.put("requests", requests(report.requests()));
        map.put("connections", connections(report.connections()));
        map.put("http2", http2(report.http2()));
        map.put("sessions", sessions(report.sessions()));
        var errors = new LinkedHashMap<String, Object>();
        report.errors().forEach((what, count) -> errors.put(what.word(), count));
        map.put("errors", errors);
        map.put("pages", pages(report.pages()));
        map.put("generator", generator(report.generator()));
        map.put("series", series(report.series()));
        return map;
    }

    private static Map<String, Object> latency(Latency latency) {
        var map = new LinkedHashMap<String, Object>();
        map.put("count", latency.count());
        map.put("average", latency.averageMillis());
        map.put("deviation", latency.deviationMillis());
        for (double percent : PERCENTS) {
            String name = percent == Math.rint(percent) ? "p" + (long) percent : "p" + percent;
            map.put(name, latency.millis(percent));
        }
        map.put("most", latency.mostMillis());
        return map;
    }

    private static Map<String, Object> spread(Spread spread) {
        var map = new LinkedHashMap<String, Object>();
        map.put("count", spread.count());
        map.put("least", spread.least());
        map.put("average", spread.average());
        map.put("median", spread.median());
        map.put("most", spread.most());
        map.put("deviation", spread.deviation());
        return map;
    }

    private static Map<String, Object> replies(LoadReport.Replies replies) {
        var statuses = new LinkedHashMap<String, Object>();
        replies.statuses().forEach((status, count) -> statuses.put(status.toString(), count));
        var map = new LinkedHashMap<String, Object>();
        map.put("count", replies.count());
        map.put("statuses", statuses);
        map.put("headBytes", replies.headBytes());
        map.put("contentBytes", replies.contentBytes());
        map.put("footerBytes", replies.footerBytes());
        map.put("responseMillis", spread(replies.responseMillis()));
        map.put("transferMillis", spread(replies.transferMillis()));
        return map;
    }

    private static Map<String, Object> requests(LoadReport.Requests requests) {
        var map = new LinkedHashMap<String, Object>();
        map.put("count", requests.count());
        map.put("retried", requests.retried());
        map.put("bytes", requests.bytes());
        return map;
    }

    private static Map<String, Object> connections(LoadReport.Connections connections) {
        LoadReport.Handshakes tls = connections.handshakes();
        var handshakes = new LinkedHashMap<String, Object>();
        handshakes.put("full", tls.full());
        handshakes.put("resumed", tls.resumed());
        handshakes.put("failed", tls.failed());
        handshakes.put("millis", spread(tls.millis()));
        var map = new LinkedHashMap<String, Object>();
        map.put("attempted", connections.attempted());
        map.put("opened", connections.opened());
        map.put("closedIdle", connections.closedIdle());
        map.put("concurrentMax", connections.concurrentMax());
        map.put("connectMillis", spread(connections.connectMillis()));
        map.put("lifeMillis", spread(connections.lifeMillis()));
        map.put("repliesEach", connections.repliesEach());
        map.put("phaseMillis", phases(connections.phases()));
        map.put("handshakes", handshakes);
        return map;
    }

    private static Map<String, Object> phases(LoadReport.Phases phases) {
        var map = new LinkedHashMap<String, Object>();
        map.put("connecting", phases.connecting());
        map.put("handshaking", phases.handshaking());
        map.put("waiting", phases.waiting());
        map.put("receiving", phases.receiving());
        map.put("idle", phases.idle());
        return map;
    }

    private static Map<String, Object> http2(LoadReport.Http2Events events) {
        var map = new LinkedHashMap<String, Object>();
        map.put("refused", events.refused());
        map.put("reset", events.reset());
        map.put("goAways", events.goAways());
        map.put("errors", events.errors());
        map.put("repeated", events.repeated());
        return map;
    }

    private static Map<String, Object> sessions(LoadReport.Sessions sessions) {
        var map = new LinkedHashMap<String, Object>();
        map.put("began", sessions.began());
        map.put("completed", sessions.completed());
        map.put("failed", sessions.failed());
        map.put("unfinished", sessions.unfinished());
        map.put("lifeSeconds", spread(sessions.lifeSeconds()));
        map.put("failSeconds", spread(sessions.failSeconds()));
        map.put("connectionsEach", sessions.connectionsEach());
        map.put("lengths", sessions.lengths());
        return map;
    }

    private static Map<String, Object> pages(Map<String, LoadReport.Page> pages) {
        var map = new LinkedHashMap<String, Object>();
        pages.forEach(
                (name, page) -> {
                    var figures = new LinkedHashMap<String, Object>();
                    figures.put("replies", page.replies());
                    figures.put("errors", page.errors());
                    figures.put("measuredMillis", latency(page.measured()));
                    map.put(name, figures);
                });
        return map;
    }

    private static Map<String, Object> generator(LoadReport.Generator generator) {
        var map = new LinkedHashMap<String, Object>();
        map.put("userSeconds", generator.userSeconds());
        map.put("systemSeconds", generator.systemSeconds());
        map.put("busyShare", generator.busyShare());
        map.put("lagMillis", latency(generator.lagMillis()));
        map.put("warnings", generator.warnings());
        return map;
    }

    private static List<Object> series(List<LoadReport.Second> seconds) {
        var list = new ArrayList<Object>();
        for (LoadReport.Second second : seconds) {
            var map = new LinkedHashMap<String, Object>();
            map.put("second", second.second());
            map.put("connections", second.connections());
            map.put("replies", second.replies());
            map.put("errors", second.errors());
            map.put("sessionsBegan", second.sessionsBegan());
            map.put("sessionsCompleted", second.sessionsCompleted());
            map.put("sessionsFailed", second.sessionsFailed());
            map.put("p50Millis", second.p50Millis());
            map.put("p99Millis", second.p99Millis());
            map.put("mostMillis", second.mostMillis());
            map.put("bytes", second.bytes());
            list.add(map);
        }
        return list;
    }
}
