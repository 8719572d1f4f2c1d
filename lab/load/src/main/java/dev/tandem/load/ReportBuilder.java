package dev.tandem.load;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// Builds the report of a run that has ended.
final class ReportBuilder {
    /// A thread that hardly ever waits may not have kept up.
    private static final double BUSY_SHARE_MAX = 0.9;

    /// The lateness of one request in a hundred, in milliseconds, above which there is a warning.
    private static final double LAG_P99_MILLIS_MAX = 10;

    private final LoadRun run;
    private final Tally tally = new Tally();
    private final double seconds;
    private double busyShare;

    ReportBuilder(LoadRun run) {
        this.run = run;
        long end = run.warmNanos();
        for (LoadThread thread : run.loadThreads()) {
            Tally part = thread.tally();
            tally.add(part);
            end = Math.max(end, thread.endedNanos());
            double idle = part.waitedNanos / Math.max(1.0, part.wallNanos);
            busyShare = Math.max(busyShare, Math.clamp(1 - idle, 0, 1));
        }
        seconds = Math.max(1e-9, (end - run.warmNanos()) / 1e9);
    }

    LoadReport build() {
        return new LoadReport(
                run.workload().name(),
                seconds,
                connections(),
                http2(),
                new LoadReport.Requests(tally.requests, tally.retries, tally.requestBytes),
                replies(),
                sessions(),
                new Latency(tally.measured),
                new Latency(tally.corrected),
                Collections.unmodifiableMap(new EnumMap<>(tally.errors)),
                pages(),
                run.series().seconds(),
                generator());
    }

    private LoadReport.Connections connections() {
        return new LoadReport.Connections(
                tally.connectionsBegun,
                tally.connectionsOpened,
                tally.connectionsClosedIdle,
                run.slots().usedMax(),
                tally.connect.spread().times(1e-6),
                tally.lives.spread().times(1e-6),
                each(tally.connectionsReplies, tally.connectionsUsed),
                phases(),
                new LoadReport.Handshakes(
                        tally.handshakesFull,
                        tally.handshakesResumed,
                        tally.handshakesFailed,
                        tally.handshakes.spread().times(1e-6)));
    }

    private LoadReport.Phases phases() {
        long begun = tally.connectionsBegun;
        return begun == 0
                ? LoadReport.Phases.NONE
                : new LoadReport.Phases(
                        phaseMillis(Phase.CONNECTING) / begun,
                        phaseMillis(Phase.HANDSHAKING) / begun,
                        phaseMillis(Phase.WAITING) / begun,
                        phaseMillis(Phase.RECEIVING) / begun,
                        phaseMillis(Phase.IDLE) / begun);
    }

    private double phaseMillis(Phase phase) {
        return tally.phaseNanos[phase.ordinal()] * 1e-6;
    }

    private LoadReport.Http2Events http2() {
        return new LoadReport.Http2Events(
                tally.http2Refused,
                tally.http2Reset,
                tally.http2GoAways,
                tally.http2Errors,
                tally.http2Repeated);
    }

    private static double each(long what, long of) {
        return of == 0 ? 0 : (double) what / of;
    }

    private LoadReport.Replies replies() {
        return new LoadReport.Replies(
                tally.replies,
                tally.statusCounts(),
                tally.headBytes,
                tally.contentBytes,
                tally.footerBytes,
                tally.responses.spread().times(1e-6),
                tally.transfers.spread().times(1e-6));
    }

    private LoadReport.Sessions sessions() {
        return new LoadReport.Sessions(
                tally.sessionsBegun,
                tally.completed.count(),
                tally.failed.count(),
                tally.sessionsUnfinished,
                tally.completed.spread().times(1e-9),
                tally.failed.spread().times(1e-9),
                each(tally.sessionConnections, tally.completed.count()),
                lengths());
    }

    private List<Long> lengths() {
        var lengths = new ArrayList<Long>();
        for (long count : tally.lengths) {
            lengths.add(count);
        }
        while (!lengths.isEmpty() && lengths.getLast() == 0) {
            lengths.removeLast();
        }
        return lengths;
    }

    private Map<String, LoadReport.Page> pages() {
        var pages = new TreeMap<String, LoadReport.Page>();
        tally.pages.forEach(
                (name, page) ->
                        pages.put(
                                name,
                                new LoadReport.Page(
                                        page.replies, page.errors, new Latency(page.measured))));
        return pages;
    }

    private LoadReport.Generator generator() {
        OwnCpu cpu = run.cpu();
        var lags = new Latency(tally.lags);
        return new LoadReport.Generator(
                cpu.user(), cpu.system(), busyShare, lags, warnings(cpu, lags));
    }

    private List<String> warnings(OwnCpu cpu, Latency lags) {
        var warnings = new ArrayList<String>();
        double own = (cpu.user() + cpu.system()) / seconds;
        if (busyShare > BUSY_SHARE_MAX) {
            warnings.add(
                    ("the generator was saturated: its busiest thread worked %.0f %% of the time"
                         + " and its process used %.2f processors; give it more --threads")
                            .formatted(100 * busyShare, own));
        }
        if (lags.millis(99) > LAG_P99_MILLIS_MAX) {
            warnings.add(
                    "the generator was late: 1 %% of requests went out over %.1f ms too late"
                            .formatted(lags.millis(99)));
        }
        if (tally.errors.containsKey(Outcome.NO_DESCRIPTOR)) {
            warnings.add("descriptors ran out: raise the limit (ulimit -n)");
        }
        if (tally.errors.containsKey(Outcome.NO_ADDRESS)) {
            warnings.add(
                    "local ports ran out: connections in TIME_WAIT hold them; see"
                            + " net.ipv4.ip_local_port_range, or close by reset");
        }
        if (run.fault() != null) {
            warnings.add("a reply was not HTTP: " + run.fault());
        }
        return List.copyOf(warnings);
    }
}
