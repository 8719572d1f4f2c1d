package dev.tandem.auction;

import java.util.HashMap;
import java.util.Map;

/// What a page answers.
sealed interface Reply {

    /// @param values by the names of the template's parameters
    record Shown(int status, String template, Map<String, Object> values) implements Reply {}

    /// See other.
    ///
    /// @param path within the site, with its query
    record Elsewhere(String path) implements Reply {}

    /// @param values names and values in turn
    static Reply shown(String template, Object... values) {
        var map = new HashMap<String, Object>();
        for (int i = 0; i < values.length; i += 2) {
            map.put((String) values[i], values[i + 1]);
        }
        return new Shown(200, template, map);
    }

    /// A sentence and a link home.
    static Reply sorry(int status, String says) {
        return new Shown(status, "sorry", Map.of("says", says));
    }
}
