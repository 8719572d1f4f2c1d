package dev.tandem.lab;

import dev.tandem.load.Call;
import dev.tandem.load.Session;
import dev.tandem.load.Step;
import dev.tandem.load.Workload;
import dev.tandem.workloads.Fetch;
import dev.tandem.workloads.PageView;
import dev.tandem.workloads.SessionSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.random.RandomGenerator;

/// Published client models as a workload for the generator. A page view is two steps: think and
/// request the page, then the embedded resources, each after its pause, over the client's
/// connections. Immutable.
final class ModelWorkload implements Workload {
    private final String name;
    private final Beginning beginning;

    /// Creates a session's steps.
    @FunctionalInterface
    private interface Beginning {
        Iterator<Step> begin(long number, RandomGenerator random);
    }

    private ModelWorkload(String name, Beginning beginning) {
        this.name = name;
        this.beginning = beginning;
    }

    /// Draws each session as it begins. Figures are kept by the names of pages.
    ///
    /// @param pace how many times faster than real ones these clients think and pause; over 0
    static ModelWorkload of(SessionSource model, double pace) {
        return new ModelWorkload(
                model.name(),
                (number, random) -> {
                    Iterator<PageView> views = model.begin(number, random);
                    return new Unfolding(views, view -> steps(view, view.page(), pace));
                });
    }

    /// Draws the first sessions beforehand and repeats them: for sessions that were drawn
    /// beforehand, too, such as Surge's. Nothing is left to compute during the load. Figures are of
    /// all pages together.
    ///
    /// @param sessions how many, from number 0
    /// @param pace as in [#of]
    static ModelWorkload repeating(SessionSource model, int sessions, double pace) {
        var made = new ArrayList<List<Step>>(sessions);
        for (int number = 0; number < sessions; number++) {
            var steps = new ArrayList<Step>();
            Iterator<PageView> views = model.begin(number, new SplittableRandom(number));
            while (views.hasNext()) {
                steps.addAll(steps(views.next(), model.name(), pace));
            }
            made.add(List.copyOf(steps));
        }
        LongFunction<List<Step>> session = number -> made.get((int) (number % made.size()));
        return new ModelWorkload(model.name(), (number, _) -> session.apply(number).iterator());
    }

    private static List<Step> steps(PageView view, String page, double pace) {
        Call main = Call.get(view.main().target()).withPage(page);
        Step first = Step.inTurn(faster(view.think(), pace), List.of(main));
        if (view.embedded().isEmpty()) {
            return List.of(first);
        }
        var calls = new ArrayList<Call>();
        for (Fetch fetch : view.embedded()) {
            Duration gap = faster(fetch.gap(), pace);
            calls.add(Call.get(fetch.target()).withPage(page).withGap(gap));
        }
        return List.of(first, Step.parallel(Duration.ZERO, calls));
    }

    /// Scales a time by the clients' pace.
    static Duration faster(Duration time, double pace) {
        return Duration.ofNanos(Math.round(time.toNanos() / pace));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Session begin(long number, RandomGenerator random) {
        Iterator<Step> steps = beginning.begin(number, random);
        return _ -> steps.hasNext() ? steps.next() : null;
    }

    /// The steps of views that are drawn one by one.
    private static final class Unfolding implements Iterator<Step> {
        private final Iterator<PageView> views;
        private final Function<PageView, List<Step>> unfold;
        private Iterator<Step> steps = List.<Step>of().iterator();

        Unfolding(Iterator<PageView> views, Function<PageView, List<Step>> by) {
            this.views = views;
            this.unfold = by;
        }

        @Override
        public boolean hasNext() {
            return steps.hasNext() || views.hasNext();
        }

        @Override
        public Step next() {
            if (!steps.hasNext()) {
                steps = unfold.apply(views.next()).iterator();
            }
            return steps.next();
        }
    }
}
