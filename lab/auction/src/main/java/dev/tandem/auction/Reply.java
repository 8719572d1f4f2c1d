package dev.tandem.auction;

import java.util.HashMap;
import java.util.Map;

/// The response of a page.
sealed interface Reply {

    /// @param values by the names of the template's parameters
    record Rendered(int status, String template, Map<String, Object> values) implements Reply {}

    /// 303 See Other.
    ///
    /// @param path within the site, with its query
    record Redirect(String path) implements Reply {}

    /// @param values names and values alternately
    static Reply shown(String template, Object... values) {
        var map = new HashMap<String, Object>();
        for (int i = 0; i < values.length; i += 2) {
            map.put((String) values[i], values[i + 1]);
        }
        return new Rendered(200, template, map);
    }

    /// Shows a sentence and a link to the home page.
    static Reply sorry(int status, String says) {
        return new Rendered(status, "sorry", Map.of("says", says));
    }
}
