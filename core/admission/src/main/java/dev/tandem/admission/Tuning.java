package dev.tandem.admission;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// Declares the numeric constants of this module, so that the simulator can list them and run with
/// other values (docs/admission-constants.md).
///
/// A constant is a `static final` field that is initialized by one of these methods: a compiler
/// sees a constant, and production code pays nothing. An override has to be set before the class
/// that declares the constant is initialized; the simulator loads the classes anew for each.
final class Tuning {
    private static final Map<String, Double> DECLARED =
            Collections.synchronizedMap(new LinkedHashMap<>());
    private static volatile @Nullable ToDoubleFunction<String> overrides;

    private Tuning() {}

    /// Sets other values for classes that are initialized later.
    ///
    /// @param overrides returns a constant's value by its name, or NaN for the default
    static void override(ToDoubleFunction<String> overrides) {
        Tuning.overrides = overrides;
    }

    /// Returns the constants of all classes initialized so far, by name, with their values.
    static Map<String, Double> declared() {
        synchronized (DECLARED) {
            return Map.copyOf(DECLARED);
        }
    }

    /// Returns a constant's value.
    ///
    /// @param name the class and the constant, such as `RequestLane.WAIT_CALM`
    static double number(String name, double value) {
        ToDoubleFunction<String> others = overrides;
        double other = others == null ? Double.NaN : others.applyAsDouble(name);
        double chosen = Double.isNaN(other) ? value : other;
        DECLARED.put(name, chosen);
        return chosen;
    }

    static int count(String name, int value) {
        return (int) number(name, value);
    }

    static long nanos(String name, long value) {
        return (long) number(name, value);
    }
}
