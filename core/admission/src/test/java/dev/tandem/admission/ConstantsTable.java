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
/// A main class and no test, since it takes ten minutes of a processor.
public final class ConstantsTable {
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
        var text = new StringBuilder();
        for (String scenario : base.keySet()) {
            text.append("base ").append(scenario);
            for (int of = 0; of < results(scenario)[0].length; of++) {
                double mean = mean(results(scenario), of, BASE_SEEDS);
                text.append(
                        String.format(
                                Locale.ROOT, " %.1f±%.1f%%", mean, 100 * spread(scenario, of)));
            }
            text.append('\n');
        }
        for (Map.Entry<String, Double> constant : constants.entrySet()) {
            String name = constant.getKey();
            if (!only.isEmpty() && !only.contains(name)) {
                continue;
            }
            double value = constant.getValue();
            text.append("| `").append(name).append("` | ").append(value);
            for (double other : List.of(value / 2, 2 * value, ConstantsTable.without(name))) {
                text.append(" | ").append(effect(name, other));
            }
            text.append(" |\n");
            System.out.println(text.substring(text.lastIndexOf("\n| ") + 1).strip());
        }
        return text.toString();
    }

    private double[][] results(String scenario) {
        return Objects.requireNonNull(base.get(scenario));
    }

    private static double without(String name) {
        return name.matches(".*(MAX|MOST|UNTIL).*") ? 1e9 : 0;
    }

    private String effect(String name, double value) throws Exception {
        var effects = new ArrayList<String>();
        try (var world = new World(Map.of(name, value))) {
            for (String scenario : base.keySet()) {
                double[][] results = new double[SEEDS][];
                for (int i = 0; i < SEEDS; i++) {
                    results[i] = world.run(scenario, i + 1);
                }
                compare(scenario, results, effects);
            }
        } catch (ReflectiveOperationException e) {
            return "fails";
        }
        return effects.isEmpty() ? "-" : String.join("; ", effects);
    }

    private void compare(String scenario, double[][] results, List<String> effects) {
        String[] of = {"completed", "p99", "rejected", "workers"};
        for (int i = 0; i < results[0].length; i++) {
            double before = mean(results(scenario), i, SEEDS);
            double after = mean(results, i, SEEDS);
            double floor = i == 2 ? 20 : 1e-9;
            double change = (after - before) / Math.max(before, floor);
            double least = Math.max(EFFECT_LEAST, 3 * spread(scenario, i) / Math.sqrt(SEEDS));
            if (Math.abs(change) > least) {
                effects.add(
                        String.format(
                                Locale.ROOT, "%s: %s %+.0f %%", scenario, of[i], 100 * change));
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
