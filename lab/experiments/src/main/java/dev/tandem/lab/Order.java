package dev.tandem.lab;

import java.nio.file.Path;
import java.util.Map;

/// What a user asks of an experiment. Immutable.
///
/// @param form how thorough
/// @param chosen values of settings by name; a setting without one has that of the form
/// @param seed of everything that is drawn by lot; the same seed draws the same
/// @param folder takes the results, over older ones
/// @param hasPictures whether charts are left as PNG files, too
/// @param hasTraces whether Tandem is recorded, in takes of their own behind the others
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
