package dev.tandem.lab;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongSupplier;

/// Measures scenarios in interleaved repetitions: each repetition measures every scenario once, all
/// contenders of one condition directly after each other, so that conditions on the machine are the
/// same for all. The first contender rotates from repetition to repetition, and starts by the seed.
/// Confined to one thread.
final class Repetitions {
    private final Run run;
    private final List<Scenario> scenarios;
    private final Plan plan;
    private final LongSupplier nanos;
    private final Samples samples = new Samples();
    private final Set<Scenario> abandoned = new LinkedHashSet<>();

    /// How often and how long.
    ///
    /// @param repetitions at least 1
    /// @param warmSeconds approximate duration of [Runner#warm]; for the remaining time
    /// @param measureSeconds approximate duration of [Runner#measure]; for the remaining time
    /// @param boxSeconds no repetition begins that would not end within this, except the first
    record Plan(int repetitions, double warmSeconds, double measureSeconds, double boxSeconds) {}

    /// Measures one scenario.
    interface Runner {
        /// Runs once, before the first repetition; starts servers and warms them.
        ///
        /// @throws LabException if it cannot be measured: then it is left out, and reported
        default void warm(Scenario scenario) throws LabException, InterruptedException {}

        /// @param repetition from 1
        /// @throws LabException if it cannot be measured any more: then it is left out from here on
        Reading measure(Scenario scenario, int repetition)
                throws LabException, InterruptedException;
    }

    Repetitions(Run run, List<Scenario> scenarios, Plan plan) {
        this(run, scenarios, plan, System::nanoTime);
    }

    /// @param nanos a clock, for the time box
    Repetitions(Run run, List<Scenario> scenarios, Plan plan, LongSupplier nanos) {
        this.run = run;
        this.scenarios = List.copyOf(scenarios);
        this.plan = plan;
        this.nanos = nanos;
    }

    /// Measures, and keeps the findings after every repetition.
    ///
    /// @param findings creates a report's content from the samples so far
    /// @throws LabException if there is no /proc, or the report cannot be written
    Samples measure(Runner runner, Function<Samples, Findings> findings)
            throws LabException, InterruptedException {
        long began = nanos.getAsLong();
        run.plan(scenarios.size() * (plan.warmSeconds + plan.repetitions * plan.measureSeconds));
        for (Scenario scenario : scenarios) {
            warm(runner, scenario);
        }
        double longest = 0;
        for (int repetition = 1; repetition <= plan.repetitions; repetition++) {
            long begin = nanos.getAsLong();
            if (repetition > 1 && seconds(began, begin) + longest > plan.boxSeconds) {
                run.say(
                        "time is up after "
                                + (repetition - 1)
                                + " of "
                                + plan.repetitions
                                + " repetitions");
                run.cutShort(repetition - 1, plan.repetitions);
                break;
            }
            for (Scenario scenario : order(repetition)) {
                measureOnce(runner, scenario, repetition);
            }
            longest = Math.max(longest, seconds(begin, nanos.getAsLong()));
            if (!samples.isEmpty()) {
                run.keep(of(findings));
            }
        }
        if (run.isTraced() && !samples.isEmpty()) {
            record(runner);
            run.keep(of(findings));
        }
        return samples;
    }

    private Findings of(Function<Samples, Findings> findings) {
        return findings.apply(samples).data("confidence", samples.intervals());
    }

    /// Measures once more, with a recording; its figures do not count.
    private void record(Runner runner) throws InterruptedException {
        for (Scenario scenario : run.tracing().chosen(scenarios)) {
            if (abandoned.contains(scenario)) {
                continue;
            }
            try {
                run.say("recording " + scenario);
                run.tracing()
                        .record(
                                scenario,
                                plan.measureSeconds,
                                run.folder(),
                                () -> runner.measure(scenario, plan.repetitions + 1));
            } catch (LabException e) {
                run.gap("trace of " + scenario + ": " + e.line());
            }
        }
    }

    private static double seconds(long from, long to) {
        return (to - from) / 1e9;
    }

    /// Returns the scenarios of a repetition: conditions in the given order, contenders rotated.
    List<Scenario> order(int repetition) {
        var conditions = new LinkedHashMap<Map<String, Double>, List<Scenario>>();
        for (Scenario scenario : scenarios) {
            conditions.computeIfAbsent(scenario.at(), _ -> new ArrayList<>()).add(scenario);
        }
        var order = new ArrayList<Scenario>();
        for (List<Scenario> contenders : conditions.values()) {
            order.addAll(order(contenders, repetition, run.seed()));
        }
        return order;
    }

    /// Returns the order of contenders: drawn by the seed, and rotated from repetition to
    /// repetition.
    ///
    /// @param repetition from 1
    static <T> List<T> order(List<T> contenders, int repetition, long seed) {
        var order = new ArrayList<T>(contenders);
        Collections.shuffle(order, new Random(seed));
        Collections.rotate(order, repetition - 1);
        return order;
    }

    private void warm(Runner runner, Scenario scenario) throws InterruptedException {
        try {
            runner.warm(scenario);
            run.step(plan.warmSeconds, scenario + ": ready");
        } catch (LabException e) {
            abandon(scenario, e);
        }
    }

    private void measureOnce(Runner runner, Scenario scenario, int repetition)
            throws LabException, InterruptedException {
        if (abandoned.contains(scenario)) {
            return;
        }
        String where = scenario + ", repetition " + repetition;
        var before = Disturbances.Moment.now();
        try {
            Reading reading = runner.measure(scenario, repetition);
            var after = Disturbances.Moment.now();
            boolean isDisturbed = run.disturbances().between(before, after, where);
            isDisturbed |= run.disturbances().generator(reading.generatorShare(), where);
            samples.add(scenario, repetition, isDisturbed, reading);
            String mark = isDisturbed ? "  (disturbed)" : "";
            run.step(plan.measureSeconds, where + ": " + reading + mark);
        } catch (LabException e) {
            abandon(scenario, e);
        }
    }

    private void abandon(Scenario scenario, LabException e) {
        abandoned.add(scenario);
        run.gap(scenario + ": " + e.line());
    }
}
