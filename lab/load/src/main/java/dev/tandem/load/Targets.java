package dev.tandem.load;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.LongFunction;

/// The sequence of targets, as httperf's `--uri`, `--wset` and `--wlog` define it: one sequence for
/// all connections together.
///
/// @param at the target of the call with a number, from 0
record Targets(LongFunction<String> at) {

    static Targets one(String target) {
        return new Targets(_ -> target);
    }

    /// `--wset=N,X`: `prefix/0/1/0/3.html` is the 103rd of 1,024 files.
    ///
    /// @param count of the files
    /// @param rate of new ones: with 0.25 each is requested four times
    static Targets set(String prefix, int count, double rate) {
        int digits = Integer.toString(count - 1).length();
        return new Targets(
                number -> {
                    long file = (long) (number * rate) % count;
                    String padded = ("%0" + digits + "d").formatted(file);
                    return prefix + "/" + String.join("/", padded.split("")) + ".html";
                });
    }

    /// `--wlog`: the targets of a file, separated by NUL bytes.
    ///
    /// @throws IllegalArgumentException if it has none
    static Targets log(String name, byte[] bytes) {
        List<String> all =
                List.of(new String(bytes, StandardCharsets.ISO_8859_1).split("\0")).stream()
                        .map(String::strip)
                        .filter(target -> !target.isEmpty())
                        .toList();
        if (all.isEmpty()) {
            throw new IllegalArgumentException(name + " has no target");
        }
        return new Targets(number -> all.get((int) (number % all.size())));
    }
}
