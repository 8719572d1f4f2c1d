package dev.tandem.http.h1;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/// The seeds of the fuzzers' smoke runs: one per line, `#` begins a comment line.
final class FuzzSeeds {
    /// The number of inputs per seed in a smoke run; `-Dtandem.fuzz.rounds` sets another.
    static final int ROUNDS = Integer.getInteger("tandem.fuzz.rounds", 3_000);

    private FuzzSeeds() {}

    static List<Long> numbers(String file) {
        return lines(file).stream().map(Long::valueOf).toList();
    }

    /// Inputs written with `\r`, `
    /// `, `\t`, `\0` and `\xHH` for invisible characters.
    static List<String> inputs(String file) {
        return lines(file).stream().map(FuzzSeeds::unescaped).toList();
    }

    private static List<String> lines(String file) {
        try (InputStream in = FuzzSeeds.class.getResourceAsStream(file)) {
            Objects.requireNonNull(in, file);
            String text = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
            return text.lines().filter(l -> !l.isBlank() && !l.startsWith("#")).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String unescaped(String line) {
        var input = new StringBuilder();
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (c == '\\' && line.startsWith("\\x", i)) {
                input.append((char) Integer.parseInt(line.substring(i + 2, i + 4), 16));
                i += 3;
            } else if (c == '\\') {
                i++;
                input.append(line.substring(i - 1, i + 1).translateEscapes());
            } else {
                input.append(c);
            }
        }
        return input.toString();
    }
}
