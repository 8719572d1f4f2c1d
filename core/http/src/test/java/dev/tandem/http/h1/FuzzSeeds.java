package dev.tandem.http.h1;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/// What the fuzzers' smoke runs begin with: one a line, `#` begins a comment line.
final class FuzzSeeds {
    /// How many inputs a smoke run makes of each seed; `-Dtandem.fuzz.rounds` makes it a long one.
    static final int ROUNDS = Integer.getInteger("tandem.fuzz.rounds", 3_000);

    private FuzzSeeds() {}

    static List<Long> numbers(String file) {
        return lines(file).stream().map(Long::valueOf).toList();
    }

    /// Inputs written with `\r`, `\n`, `\t`, `\0` and `\xHH` for what cannot be seen.
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
