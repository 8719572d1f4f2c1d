package dev.tandem.workloads.surge;

import dev.tandem.workloads.Distribution;
import dev.tandem.workloads.Fetch;
import dev.tandem.workloads.PageView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/// All views in their order, divided into sessions.
///
/// @param starts the index of each session's first view, and the number of views
record Stream(List<PageView> views, int[] starts) {
    /// Files do not change during a run.
    private static final double UNCHANGED = 1;

    private static final long NANOS_A_MICRO = 1_000;
    private static final double MICROS_A_SECOND = 1e6;

    static Stream draw(SurgeSettings settings, List<SurgePage> pages, SplittableRandom seeds) {
        var model = settings.model();
        long[] requests = pages.stream().mapToLong(page -> page.main().requests()).toArray();
        int[] order = StackOrder.order(requests, model.distances(), seeds.split());
        int[] starts = starts(settings, order.length, seeds.split());
        var pauses = seeds.split();
        long[] seen = new long[pages.size()];
        var views = new ArrayList<PageView>(order.length);
        int session = 0;
        for (int i = 0; i < order.length; i++) {
            boolean isFirst = i == starts[session];
            session += isFirst ? 1 : 0;
            var think = isFirst ? Duration.ZERO : pause(model.inactiveOff(), pauses);
            var page = pages.get(order[i]);
            var embedded = new ArrayList<Fetch>();
            long view = seen[order[i]]++;
            for (SurgeFile file : page.fetched(view)) {
                embedded.add(fetch(file, pause(model.activeOff(), pauses)));
            }
            var main = fetch(page.main(), Duration.ZERO);
            views.add(new PageView(think, main.target(), main, embedded));
        }
        return new Stream(List.copyOf(views), starts);
    }

    private static Fetch fetch(SurgeFile file, Duration gap) {
        return new Fetch(file.target(), file.bytes(), gap, UNCHANGED);
    }

    /// Rounded to whole microseconds, so that text holds it without loss.
    private static Duration pause(Distribution seconds, RandomGenerator random) {
        long micros = Math.round(seconds.sample(random) * MICROS_A_SECOND);
        return Duration.ofNanos(micros * NANOS_A_MICRO);
    }

    /// A session ends after each page with the same probability, chosen to give the mean.
    private static int[] starts(SurgeSettings settings, int views, RandomGenerator random) {
        double perPage = (double) settings.requests() / views;
        double end = perPage / settings.sessionRequests();
        if (end > 1) {
            throw new IllegalArgumentException(
                    "sessionRequests must be at least "
                            + perPage
                            + ", the mean number of a page; was "
                            + settings.sessionRequests());
        }
        int[] starts = new int[views + 1];
        int count = 1;
        for (int i = 1; i < views; i++) {
            if (random.nextDouble() < end) {
                starts[count++] = i;
            }
        }
        starts[count++] = views;
        return Arrays.copyOf(starts, count);
    }
}
