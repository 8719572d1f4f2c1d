package dev.tandem.testkit.interleave;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Runs a scenario in every interleaving with at most some number of preemptions, on copies of the
/// real classes
/// of its package. A step is an access to a volatile field, an atomic object, a variable handle or
/// a queue of
/// `java.util.concurrent`, a monitor, parking or starting a thread. Found are failures of its
/// checks and of its
/// actors, data races between plain fields, and actors that wait for ever or do not end.
///
/// Memory is sequentially consistent here: what weaker orders allow beyond that is for jcstress,
/// except that
/// plain accesses must be ordered by others.
public final class Interleavings {
    private static final int DIVERGENCES_MAX = 20;
    private static final long ROUND_NANOS = TimeUnit.MINUTES.toNanos(30);

    private final Class<? extends Scenario> scenario;
    private final List<String> packages = new ArrayList<>();
    private final List<Mutation> mutations;

    private Interleavings(
            Class<? extends Scenario> scenario, List<String> packages, List<Mutation> mutations) {
        this.scenario = scenario;
        this.packages.addAll(packages);
        this.mutations = List.copyOf(mutations);
    }

    /// @param more packages whose classes are explored, in addition to the scenario's
    public static Interleavings of(Class<? extends Scenario> scenario, String... more) {
        var all = new ArrayList<String>();
        all.add(scenario.getPackageName());
        all.addAll(Arrays.asList(more));
        return new Interleavings(scenario, all, List.of());
    }

    /// Returns one in which a class has a defect.
    public Interleavings with(Mutation mutation) {
        return new Interleavings(scenario, packages, List.of(mutation));
    }

    /// Returns the number of preemptions of the property `tandem.preemptions`, if it is set, for
    /// longer runs.
    public static int preemptions(int usual) {
        return Integer.getInteger("tandem.preemptions", usual);
    }

    /// Runs all of them.
    ///
    /// @param preemptionsMax how often a thread is interrupted that could continue
    /// @return how many there are
    /// @throws AssertionError with the steps of the first that fails
    public synchronized long explore(int preemptionsMax) {
        Failure failure = null;
        long count = 0;
        synchronized (Interleavings.class) {
            var loader = new ExploredLoader(scenario.getClassLoader(), packages, mutations);
            var choices = new Choices();
            int divergences = DIVERGENCES_MAX;
            long begin = System.nanoTime();
            do {
                Throwable thrown = run(loader, choices, preemptionsMax, null);
                count++;
                if (thrown instanceof Choices.Divergence && --divergences > 0) {
                    choices = new Choices();
                    count = 0;
                } else if (thrown != null) {
                    failure = failure(loader, choices, preemptionsMax, thrown);
                } else if (System.nanoTime() - begin > ROUND_NANOS) {
                    throw new AssertionError("not over after 30 minutes: " + count);
                }
            } while (failure == null && (count == 0 || choices.advance()));
        }
        if (failure != null) {
            throw new AssertionError(
                    "interleaving "
                            + count
                            + " fails: "
                            + failure.thrown
                            + "\n  "
                            + String.join("\n  ", failure.steps),
                    failure.thrown);
        }
        return count;
    }

    private record Failure(Throwable thrown, List<String> steps) {}

    /// Runs the interleaving again, for its steps.
    private Failure failure(
            ExploredLoader loader, Choices choices, int preemptionsMax, Throwable thrown) {
        choices.rewind();
        var steps = new ArrayList<String>();
        run(loader, choices, preemptionsMax, steps);
        return new Failure(thrown, steps);
    }

    private @Nullable Throwable run(
            ExploredLoader loader, Choices choices, int max, @Nullable List<String> trace) {
        var execution = new Execution(choices, max, trace);
        Steps.use(execution);
        try {
            var constructor = loader.loadClass(scenario.getName()).getDeclaredConstructor();
            constructor.setAccessible(true);
            var made = (Scenario) constructor.newInstance();
            made.actors().forEach(body -> execution.addStarted(body));
            Throwable thrown = execution.run();
            if (thrown == null) {
                made.check();
            }
            return thrown;
        } catch (AssertionError e) {
            return e;
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("cannot make the scenario", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } finally {
            Steps.use(null);
        }
    }
}
