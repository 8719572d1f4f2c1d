package dev.tandem.specweb;

import dev.tandem.specweb.Screen.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/// All pages, by the table `screens.txt`. Their parameters and data are ours: of the benchmark we
/// know their names, their order, and their sizes.
final class Screens {
    static final List<Screen> ALL = all();

    private Screens() {}

    private static List<Screen> all() {
        try (InputStream table = Screens.class.getResourceAsStream("screens.txt")) {
            byte[] bytes = Objects.requireNonNull(table).readAllBytes();
            return new String(bytes, StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(Screens::screen)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Screen screen(String line) {
        String[] row = line.split(" *[|] ?", -1);
        return new Screen(
                Site.valueOf(row[0]),
                row[1],
                row[5],
                Integer.parseInt(row[2]),
                Kind.valueOf(row[3]),
                words(row[4]),
                words(row[6]));
    }

    private static List<String> words(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split(","));
    }
}
