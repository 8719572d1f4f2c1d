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

/// Measures cells in interleaved rounds: in each round every cell is taken once, all contenders of
/// one condition directly after each other, so that they see the same weather. Who is first changes
/// by a rotation from round to round, and begins by the seed. Confined to one thread.
final class Rounds {
    private final Run run;
    private final List<Cell> cells;
    private final Plan plan;
    private final LongSupplier nanos;
    private final Samples samples = new Samples();
    private final Set<Cell> abandoned = new LinkedHashSet<>();

    /// How often and how long.
    ///
    /// @param rounds at least 1
    /// @param warmSeconds about how long [Turn#warm] takes; for the time left
    /// @param takeSeconds about how long [Turn#take] takes; for the time left
    /// @param boxSeconds no round begins that would not end within this, but the first
    record Plan(int rounds, double warmSeconds, double takeSeconds, double boxSeconds) {}

    /// What is done with a cell.
    interface Turn {
        /// Once, before the first round; starts servers and warms them.
        ///
        /// @throws LabException if it cannot be measured: then it is left out, and told
        default void warm(Cell cell) throws LabException, InterruptedException {}

        /// @param round from 1
        /// @throws LabException if it cannot be measured any more: then it is left out from here on
        Reading take(Cell cell, int round) throws LabException, InterruptedException;
    }

    Rounds(Run run, List<Cell> cells, Plan plan) {
        this(run, cells, plan, System::nanoTime);
    }

    /// @param nanos a clock, for the box
    Rounds(Run run, List<Cell> cells, Plan plan, LongSupplier nanos) {
        this.run = run;
        this.cells = List.copyOf(cells);
        this.plan = plan;
        this.nanos = nanos;
    }

    /// Measures, and keeps what was found after every round.
    ///
    /// @param findings makes a report's content of what is known
    /// @throws LabException if there is no /proc, or the report cannot be written
    Samples measure(Turn turn, Function<Samples, Findings> findings)
            throws LabException, InterruptedException {
        long began = nanos.getAsLong();
        run.plan(cells.size() * (plan.warmSeconds + plan.rounds * plan.takeSeconds));
        for (Cell cell : cells) {
            warm(turn, cell);
        }
        double longest = 0;
        for (int round = 1; round <= plan.rounds; round++) {
            long begin = nanos.getAsLong();
            if (round > 1 && seconds(began, begin) + longest > plan.boxSeconds) {
                run.say("time is up after " + (round - 1) + " of " + plan.rounds + " rounds");
                run.cutShort(round - 1, plan.rounds);
                break;
            }
            for (Cell cell : order(round)) {
                take(turn, cell, round);
            }
            longest = Math.max(longest, seconds(begin, nanos.getAsLong()));
            if (!samples.isEmpty()) {
                run.keep(findings.apply(samples));
            }
        }
        if (run.isTraced() && !samples.isEmpty()) {
            record(turn);
            run.keep(findings.apply(samples));
        }
        return samples;
    }

    /// Once more, recorded; what was measured in it counts for nothing.
    private void record(Turn turn) throws InterruptedException {
        for (Cell cell : run.tracing().chosen(cells)) {
            if (abandoned.contains(cell)) {
                continue;
            }
            try {
                run.say("recording " + cell);
                run.tracing()
                        .record(
                                cell,
                                plan.takeSeconds,
                                run.folder(),
                                () -> turn.take(cell, plan.rounds + 1));
            } catch (LabException e) {
                run.gap("trace of " + cell + ": " + e.line());
            }
        }
    }

    private static double seconds(long from, long to) {
        return (to - from) / 1e9;
    }

    /// The cells of a round: conditions as they were given, contenders rotated.
    List<Cell> order(int round) {
        var conditions = new LinkedHashMap<Map<String, Double>, List<Cell>>();
        for (Cell cell : cells) {
            conditions.computeIfAbsent(cell.at(), _ -> new ArrayList<>()).add(cell);
        }
        var order = new ArrayList<Cell>();
        for (List<Cell> contenders : conditions.values()) {
            order.addAll(turns(contenders, round, run.seed()));
        }
        return order;
    }

    /// Who takes a turn after whom: drawn by the seed, and rotated from round to round.
    ///
    /// @param round from 1
    static <T> List<T> turns(List<T> contenders, int round, long seed) {
        var turns = new ArrayList<T>(contenders);
        Collections.shuffle(turns, new Random(seed));
        Collections.rotate(turns, round - 1);
        return turns;
    }

    private void warm(Turn turn, Cell cell) throws InterruptedException {
        try {
            turn.warm(cell);
            run.step(plan.warmSeconds, cell + ": ready");
        } catch (LabException e) {
            abandon(cell, e);
        }
    }

    private void take(Turn turn, Cell cell, int round) throws LabException, InterruptedException {
        if (abandoned.contains(cell)) {
            return;
        }
        String where = cell + ", round " + round;
        var before = Disturbances.Moment.now();
        try {
            Reading reading = turn.take(cell, round);
            var after = Disturbances.Moment.now();
            boolean isDisturbed = run.disturbances().between(before, after, where);
            isDisturbed |= run.disturbances().generator(reading.generatorShare(), where);
            samples.add(cell, round, isDisturbed, reading);
            String mark = isDisturbed ? "  (disturbed)" : "";
            run.step(plan.takeSeconds, where + ": " + reading + mark);
        } catch (LabException e) {
            abandon(cell, e);
        }
    }

    private void abandon(Cell cell, LabException e) {
        abandoned.add(cell);
        run.gap(cell + ": " + e.line());
    }
}
