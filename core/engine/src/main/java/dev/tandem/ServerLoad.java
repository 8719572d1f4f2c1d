package dev.tandem;

import dev.tandem.admission.Counters;
import dev.tandem.admission.DatabaseLane;
import dev.tandem.admission.Utilization;
import dev.tandem.engine.Engine;
import dev.tandem.engine.site.RouteCounts;
import dev.tandem.engine.site.RouteSeries;

/// What a server does and how much of what it can do, at one moment: what load balancers and
/// autoscalers divide work by (docs/fleet.md).
///
/// @param utilization how much of the server is used, by resource
/// @param processors that the process may use, with a control group's quota as it is now; a part of
///     one is possible
/// @param workers how many requests may run at once
/// @param running requests that have a worker
/// @param waiting requests that wait for one
/// @param detached long-lived exchanges and others without a worker
/// @param responses sent since the start, of any status
/// @param errors of these, responses with status 500 and above, rejections included
/// @param rejected requests rejected by admission since the start
/// @param learned part of the last seconds' requests, 0 to 1, that were for routes whose times are
///     learned
/// @param isDegraded whether a database that requests use does not respond
public record ServerLoad(
        Utilization utilization,
        double processors,
        int workers,
        int running,
        int waiting,
        int detached,
        long responses,
        long errors,
        long rejected,
        double learned,
        boolean isDegraded) {

    static ServerLoad of(Engine engine) {
        Counters counters = engine.dispatcher().admission().counters();
        long responses = 0;
        long errors = 0;
        for (RouteCounts route : engine.traffic().all()) {
            for (RouteSeries each : route.series().toList()) {
                long count = each.count();
                responses += count;
                errors += each.status() >= 500 ? count : 0;
            }
        }
        return new ServerLoad(
                engine.utilization().read(),
                engine.utilization().processors(),
                counters.workers(),
                counters.running(),
                counters.waiting(),
                counters.detached(),
                responses,
                errors,
                counters.rejectedTotal(),
                engine.dispatcher().admission().learnedShare(),
                engine.dispatcher().admission().databases().stream()
                        .anyMatch(DatabaseLane::isDown));
    }
}
