package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.tandem.load.Call;
import dev.tandem.load.Session;
import dev.tandem.load.Shape;
import dev.tandem.load.Step;
import dev.tandem.load.Workload;
import dev.tandem.workloads.Fetch;
import dev.tandem.workloads.PageView;
import dev.tandem.workloads.SessionSource;
import dev.tandem.workloads.surge.Surge;
import dev.tandem.workloads.surge.SurgeSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class ModelWorkloadTest {
    /// Two views: `/N` alone, then after 3 s `/page` with two embedded.
    private static final SessionSource SESSIONS =
            new SessionSource() {
                @Override
                public String name() {
                    return "model";
                }

                @Override
                public Iterator<PageView> begin(long number, RandomGenerator random) {
                    return List.of(
                                    view(0, fetch("/" + number, 0)),
                                    view(3, fetch("/page", 0), fetch("/a", 200), fetch("/b", 50)))
                            .iterator();
                }
            };

    private static PageView view(int thinkSeconds, Fetch main, Fetch... embedded) {
        return new PageView(Duration.ofSeconds(thinkSeconds), "a page", main, List.of(embedded));
    }

    private static Fetch fetch(String target, int gapMillis) {
        return new Fetch(target, -1, Duration.ofMillis(gapMillis), 0);
    }

    private static List<Step> steps(Workload workload, long number) {
        Session session = workload.begin(number, new SplittableRandom(1));
        var steps = new ArrayList<Step>();
        for (Step step = session.next(List.of()); step != null; step = session.next(List.of())) {
            steps.add(step);
        }
        assertNull(session.next(List.of()));
        return steps;
    }

    @Test
    void viewIsItsPageThenItsEmbeddedResourcesOverAllConnections() {
        List<Step> steps = steps(ModelWorkload.of(SESSIONS, 1), 7);
        assertEquals(3, steps.size());
        assertEquals(List.of("/7"), targets(steps.get(0)));
        assertEquals(List.of("/page"), targets(steps.get(1)));
        assertEquals(Duration.ofSeconds(3), steps.get(1).think());
        assertEquals(List.of("/a", "/b"), targets(steps.get(2)));
        assertEquals(Shape.PARALLEL, steps.get(2).shape());
        assertEquals(Duration.ZERO, steps.get(2).think());
        assertEquals(Duration.ofMillis(200), steps.get(2).calls().getFirst().gap());
    }

    @Test
    void timesAreDividedByThePace() {
        List<Step> steps = steps(ModelWorkload.of(SESSIONS, 10), 0);
        assertEquals(Duration.ofMillis(300), steps.get(1).think());
        assertEquals(Duration.ofMillis(5), steps.get(2).calls().getLast().gap());
    }

    @Test
    void figuresAreKeptByPageOrForAllPages() {
        var drawn = steps(ModelWorkload.of(SESSIONS, 1), 0).get(2).calls().getFirst();
        assertEquals("a page", drawn.page());
        var repeated = steps(ModelWorkload.repeating(SESSIONS, 2, 1), 0).get(2).calls().getFirst();
        assertEquals("model", repeated.page());
    }

    @Test
    void repeatedSessionsBeginAnewAndNeedNoComputation() {
        var workload = ModelWorkload.repeating(SESSIONS, 2, 1);
        assertEquals(List.of("/1"), targets(steps(workload, 5).getFirst()));
        Step first = workload.begin(1, new SplittableRandom(1)).next(List.of());
        Step again = workload.begin(3, new SplittableRandom(2)).next(List.of());
        assertNotNull(first);
        assertSame(first, again);
    }

    @Test
    void surgeFollowsItsStream() {
        var surge = Surge.of(SurgeSettings.DEFAULT.withFiles(500).withRequests(5_000));
        var workload = ModelWorkload.repeating(surge, surge.sessions(), 1);
        int calls = 0;
        for (int number = 0; number < surge.sessions(); number++) {
            for (Step step : steps(workload, number)) {
                calls += step.calls().size();
            }
        }
        assertEquals(5_000, calls, 50);
        var views = surge.session(3);
        assertEquals(
                views.getFirst().main().target(),
                targets(steps(workload, 3).getFirst()).getFirst());
    }

    private static List<String> targets(Step step) {
        return step.calls().stream().map(Call::target).toList();
    }
}
