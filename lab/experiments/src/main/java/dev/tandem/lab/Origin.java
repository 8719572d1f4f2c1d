package dev.tandem.lab;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Origin of the figures: what is needed to reproduce them. Immutable.
///
/// @param experiment its name
/// @param command as it was typed
/// @param settings the values that were used, chosen or not, by name
/// @param machine facts by name
/// @param commands how each program was started, by its name
/// @param disturbances during the run, a sentence each
record Origin(
        String experiment,
        Form form,
        String command,
        Map<String, String> settings,
        long seed,
        Map<String, String> machine,
        Map<String, String> commands,
        List<String> disturbances) {

    Map<String, @Nullable Object> asMap() {
        var map = new LinkedHashMap<String, @Nullable Object>();
        map.put("experiment", experiment);
        map.put("form", form.toString());
        map.put("command", command);
        map.put("settings", settings);
        map.put("seed", seed);
        map.put("machine", machine);
        map.put("commands", commands);
        map.put("disturbances", disturbances);
        return map;
    }
}
