package dev.tandem.admission;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;

/// Writes docs/admission-constants.md: for each numeric constant of admission, what the simulated
/// scenarios do with half of it, with twice as much, and without it.
///
/// A main class and no test, since it takes a quarter of an hour of a processor.
public final class ConstantsTable {
    private static final Map<String, String> KEPT = kept();

    private static Map<String, String> kept() {
        var kept = new TreeMap<String, String>();
        String memory = "bounds memory";
        kept.put("PermitQueue.SIZE_MAX", memory);
        kept.put("HandshakeLane.WAITING_MAX", memory);
        kept.put("ResumptionOffenders.ADDRESSES_MAX", memory);
        kept.put("Routes.MAX", memory);
        kept.put("Sessions.PART_MAX", memory);
        kept.put("PermitQueue.LOOK_MAX", "bounds the time under the lock");
        String abuse = "bounds abuse";
        kept.put("Admission.PROBES_MAX", abuse);
        kept.put("Session.IDLE_MAX", "sessions that servers have forgotten are not live");
        kept.put("Session.REQUESTS_MAX", abuse);
        kept.put("Session.SHARE_BURST", "a page with all of its parts; `FairShareTest`");
        kept.put("ResumptionOffenders.FALSE_MAX", abuse);
        kept.put("ResumptionOffenders.NANOS", abuse);
        kept.put(
                "HandshakeLane.CHECK_NANOS",
                "saves a system call for each handshake that did not wait");
        kept.put("RouteLoad.OVERDUE_MAX", "stops a route that never returns; `AdmissionTest`");
        kept.put("Admission.GAPS_UNTIL_END", "scenarios have no cookies; `SessionsTest`");
        String database =
                "scenarios have no longer uses; `ConnectionReserveTest`, `ConnectionShareTest`";
        for (String name : List.of("IDLE_MAX", "CALM_SECONDS")) {
            kept.put("ConnectionReserve." + name, database);
        }
        kept.put("ConnectionShare.DEBT_MAX", database);
        kept.put("DatabaseRoute.SCORE_MAX", "scenarios have no routes that stop using a database");
        kept.put("DatabaseQueue.AGED_PART", "`DatabaseLaneTest`: no request is overtaken for ever");
        kept.put("DatabaseLane.JOB_WAIT_NANOS", "as connection pools have jobs wait");
        kept.put("WorkerSearch.DOWN_REST", "`numberFollowsTheWorkloadWithinSeconds` fails without");
        kept.put("NewSessionQuota.LASTS_MAX", "sessions that never end must not last for the rule");
        kept.put("RequestLane.TIMES_NEW", "scenarios have no new sessions on lanes of over 0.3 s");
        kept.put("Routes.LENGTHY_LEAST", "scenarios have no routes of microseconds alone");
        kept.put("WorkerSearch.WORTH_IT", "`numberIsStable`: keeps the number from flapping");
        kept.put(
                "HandshakeLane.LOOP_NANOS",
                "what a request may wait for one handshake; scenarios have no loops");
        kept.put("SessionAdmission.FEW_PART", "scenarios have no search that falls so far");
        kept.put("SessionAdmission.CREEP", "a capacity that was measured too low does not last");
        kept.put("SessionAdmission.CAPACITY_SECONDS", "a mean needs a memory");
        return kept;
    }

    /// Seeds of a variant; effects below the spread of the defaults over other seeds do not count.
    private static final int SEEDS = 2;

    private static final int BASE_SEEDS = 6;

    /// An effect of less than this is none, however small the spread is: 3 %.
    private static final double EFFECT_LEAST = 0.03;

    private final URL[] classPath;
    private final Map<String, double[][]> base = new TreeMap<>();

    private ConstantsTable(URL[] classPath) {
        this.classPath = classPath;
    }

    /// @param args the file to write; then, if given, the constants to measure
    public static void main(String[] args) throws Exception {
        var table = new ConstantsTable(classPath());
        Files.writeString(Path.of(args[0]), table.text(List.of(args).subList(1, args.length)));
    }

    private static URL[] classPath() {
        return Stream.of(System.getProperty("java.class.path").split(java.io.File.pathSeparator))
                .map(
                        entry -> {
                            try {
                                return Path.of(entry).toUri().toURL();
                            } catch (MalformedURLException e) {
                                throw new IllegalStateException(entry, e);
                            }
                        })
                .toArray(URL[]::new);
    }

    /// The scenarios' own view of the classes, with other constants.
    private final class World implements AutoCloseable {
        private final URLClassLoader loader =
                new URLClassLoader(classPath, ClassLoader.getPlatformClassLoader());
        private final Class<?> scenarios;

        World(Map<String, Double> overrides) throws ReflectiveOperationException {
            scenarios = loader.loadClass(AblationScenarios.class.getName());
            scenarios.getMethod("override", Map.class).invoke(null, overrides);
        }

        @SuppressWarnings("unchecked")
        List<String> names() throws ReflectiveOperationException {
            return (List<String>) scenarios.getMethod("names").invoke(null);
        }

        @SuppressWarnings("unchecked")
        Map<String, Double> constants() throws ReflectiveOperationException {
            return (Map<String, Double>) scenarios.getMethod("constants").invoke(null);
        }

        double[] run(String scenario, long seed) throws ReflectiveOperationException {
            return (double[])
                    scenarios
                            .getMethod("run", String.class, long.class)
                            .invoke(null, scenario, seed);
        }

        @Override
        public void close() throws IOException {
            loader.close();
        }
    }

    private String text(List<String> only) throws Exception {
        Map<String, Double> constants;
        try (var world = new World(Map.of())) {
            for (String scenario : world.names()) {
                double[][] results = new double[BASE_SEEDS][];
                for (int i = 0; i < BASE_SEEDS; i++) {
                    results[i] = world.run(scenario, i + 1);
                }
                base.put(scenario, results);
            }
            constants = new TreeMap<>(world.constants());
        }
        var scenarios = new ArrayList<String>();
        for (String scenario : base.keySet()) {
            var row = new StringBuilder("| " + scenario);
            for (int of = 0; of < 4; of++) {
                row.append(" | ").append(baseText(scenario, of));
            }
            scenarios.add(row.append(" |\n").toString());
        }
        var measured = new ArrayList<ConstantsPage.Constant>();
        for (Map.Entry<String, Double> constant : constants.entrySet()) {
            String name = constant.getKey();
            if (only.isEmpty() || only.contains(name)) {
                ConstantsPage.Constant made = measure(name, constant.getValue());
                measured.add(made);
                System.out.println(made);
            }
        }
        return new ConstantsPage(scenarios, measured).text();
    }

    private ConstantsPage.Constant measure(String name, double value) throws Exception {
        return new ConstantsPage.Constant(
                name,
                number(value),
                change(name, value / 2),
                change(name, twice(name, value)),
                change(name, without(name, value)),
                KEPT.getOrDefault(name, "no reason: delete it"));
    }

    private static String number(double value) {
        if (value >= 1e12) {
            return String.format(Locale.ROOT, "%,.0f s", value / 1e9);
        }
        if (value >= 1e5) {
            return value % 1e9 == 0 || value >= 1e9
                    ? String.format(Locale.ROOT, "%.3g s", value / 1e9)
                    : String.format(Locale.ROOT, "%.3g ms", value / 1e6);
        }
        return value == Math.rint(value)
                ? Long.toString((long) value)
                : String.format(Locale.ROOT, "%.4g", value);
    }

    private String baseText(String scenario, int of) {
        if (of >= results(scenario)[0].length) {
            return "";
        }
        return String.format(
                Locale.ROOT,
                "%,.0f ± %.0f %%",
                mean(results(scenario), of, BASE_SEEDS),
                100 * spread(scenario, of));
    }

    private double[][] results(String scenario) {
        return Objects.requireNonNull(base.get(scenario));
    }

    /// A part that is kept stays below 1: half of what is lost is kept, too.
    private static double twice(String name, double value) {
        return name.endsWith("KEPT") ? (1 + value) / 2 : 2 * value;
    }

    private static double without(String name, double value) {
        return name.matches(".*(MAX|MOST|UNTIL).*") ? 1_000 * value : 0;
    }

    private ConstantsPage.Change change(String name, double value) throws Exception {
        var effects = new ArrayList<ConstantsPage.Effect>();
        try (var world = new World(Map.of(name, value))) {
            for (String scenario : base.keySet()) {
                double[][] results = new double[SEEDS][];
                for (int i = 0; i < SEEDS; i++) {
                    results[i] = world.run(scenario, i + 1);
                }
                compare(scenario, results, effects);
            }
        } catch (ReflectiveOperationException e) {
            return new ConstantsPage.Change(true, List.of());
        }
        return new ConstantsPage.Change(false, effects);
    }

    private void compare(String scenario, double[][] results, List<ConstantsPage.Effect> effects) {
        String[] of = {"completed", "p99", "rejected", "workers"};
        for (int i = 0; i < results[0].length; i++) {
            double before = mean(results(scenario), i, SEEDS);
            double after = mean(results, i, SEEDS);
            double floor = i == 2 ? 20 : 1e-9;
            double change = (after - before) / Math.max(before, floor);
            double least = Math.max(EFFECT_LEAST, 3 * spread(scenario, i) / Math.sqrt(SEEDS));
            if (Math.abs(change) > least) {
                long percent = Math.round(100 * change);
                effects.add(new ConstantsPage.Effect(scenario, of[i], percent));
            }
        }
    }

    private static double mean(double[][] results, int of, int count) {
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += results[i][of];
        }
        return sum / count;
    }

    /// The standard deviation of one result by the mean.
    private double spread(String scenario, int of) {
        double[][] results = results(scenario);
        double mean = mean(results, of, BASE_SEEDS);
        double squares = 0;
        for (double[] result : results) {
            squares += (result[of] - mean) * (result[of] - mean);
        }
        return Math.sqrt(squares / (BASE_SEEDS - 1)) / Math.max(mean, of == 2 ? 20 : 1e-9);
    }
}
