package dev.tandem.lab;

import java.nio.file.Path;
import java.util.Map;

/// Options of one run of an experiment. Immutable.
///
/// @param form how thorough
/// @param chosen values of settings by name; a setting without one has that of the form
/// @param seed of all random choices; the same seed gives the same choices
/// @param folder for the results; older ones are replaced
/// @param hasPictures whether charts are also written as PNG files
/// @param hasTraces whether Tandem is recorded, in measurements of their own after the others
public record Order(
        Form form,
        Map<String, String> chosen,
        long seed,
        Path folder,
        boolean hasPictures,
        boolean hasTraces) {
    /// The seed where none is chosen.
    public static final long SEED = 1;

    public Order {
        chosen = Map.copyOf(chosen);
    }

    /// Without recordings.
    public Order(
            Form form, Map<String, String> chosen, long seed, Path folder, boolean hasPictures) {
        this(form, chosen, seed, folder, hasPictures, false);
    }
}
