package dev.tandem.lab;

import java.math.BigDecimal;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/// The values chosen for one run of an experiment. Every method throws [IllegalArgumentException]
/// with the setting's name and value if the value is invalid.
final class Settings {
    private static final Pattern DECIMAL = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,6})?");

    private final UnaryOperator<String> values;

    /// The settings read so far, by name, for the report. Two of one name, with defaults of their
    /// own, have one value.
    private final Map<String, Setting> asked = new LinkedHashMap<>();

    /// @param values returns the value, or the default, of a setting by name
    Settings(UnaryOperator<String> values) {
        this.values = values;
    }

    String text(Setting setting) {
        asked.putIfAbsent(setting.name(), setting);
        return values.apply(setting.name());
    }

    /// Returns whether a flag was given.
    boolean isGiven(Setting flag) {
        return !text(flag).isEmpty();
    }

    /// Digits only: `Integer.parseInt` would take `+5`.
    int number(Setting setting, int min, int max) {
        String text = text(setting);
        boolean isNumber =
                !text.isEmpty()
                        && text.length() <= 9
                        && text.chars().allMatch(c -> c >= '0' && c <= '9');
        int number = isNumber ? Integer.parseInt(text) : -1;
        if (number < min || number > max) {
            throw wrong(setting, "must be " + min + ".." + max, text);
        }
        return number;
    }

    /// A number with or without a fraction, such as `0.5`.
    double decimal(Setting setting, double min, double max) {
        return decimal(setting, text(setting).strip(), min, max);
    }

    /// One or more such numbers, separated by commas; ascending, without duplicates.
    List<Double> decimals(Setting setting, double min, double max) {
        var numbers = new TreeSet<Double>();
        for (String word : text(setting).split(",", -1)) {
            numbers.add(decimal(setting, word.strip(), min, max));
        }
        return List.copyOf(numbers);
    }

    private static double decimal(Setting setting, String text, double min, double max) {
        double number = DECIMAL.matcher(text).matches() ? Double.parseDouble(text) : Double.NaN;
        if (!(number >= min && number <= max)) {
            throw wrong(setting, "must be " + plain(min) + ".." + plain(max), text);
        }
        return number;
    }

    private static String plain(double number) {
        return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
    }

    /// One or more of `known`, separated by commas.
    List<String> words(Setting setting, Collection<String> known) {
        String text = text(setting);
        var words = new ArrayList<String>();
        for (String word : text.split(",")) {
            String name = word.strip();
            if (!known.contains(name)) {
                throw wrong(setting, "must be some of " + String.join(",", known), name);
            }
            if (!words.contains(name)) {
                words.add(name);
            }
        }
        return words;
    }

    Path path(Setting setting) {
        String text = text(setting);
        try {
            return Path.of(text);
        } catch (InvalidPathException e) {
            throw wrong(setting, "must be a path", text);
        }
    }

    /// The command as it would be typed.
    ///
    /// @param experiment its name
    String asTyped(String experiment, Order order) {
        var line = new StringBuilder("tandem lab run " + experiment + " --" + order.form());
        asked.forEach(
                (name, setting) -> {
                    String value = values.apply(name);
                    // Paths on this machine do not belong in a report.
                    boolean isChosen = order.chosen().containsKey(name);
                    if (isChosen && !value.isEmpty() && value.indexOf('/') < 0) {
                        line.append(" --").append(name);
                        line.append(setting.isFlag() ? "" : " " + value);
                    }
                });
        if (order.seed() != Order.SEED) {
            line.append(" --seed ").append(order.seed());
        }
        return line.toString();
    }

    /// The values that were used, by name, but for paths on this machine.
    Map<String, String> used() {
        var used = new TreeMap<String, String>();
        for (String name : asked.keySet()) {
            String value = values.apply(name);
            if (value.indexOf('/') < 0) {
                used.put(name, value);
            }
        }
        return used;
    }

    private static IllegalArgumentException wrong(Setting setting, String rule, String value) {
        return new IllegalArgumentException(
                "--" + setting.name() + " " + rule + ", was '" + value + "'");
    }
}
