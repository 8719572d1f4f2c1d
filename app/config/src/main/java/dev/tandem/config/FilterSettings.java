package dev.tandem.config;

import dev.tandem.filters.Rule;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What goes before all places of a site. Immutable.
///
/// @param rules in their order
/// @param password who may come in; empty for everybody
/// @param errorPages by `404`, or `5xx` for all that have none of their own
public record FilterSettings(
        List<Rule> rules, Optional<PasswordSettings> password, Map<String, String> errorPages) {

    /// Nothing.
    static final FilterSettings NONE = new FilterSettings(List.of(), Optional.empty(), Map.of());

    /// Takes copies.
    public FilterSettings {
        rules = List.copyOf(rules);
        errorPages = Map.copyOf(errorPages);
    }

    /// Names and passwords.
    ///
    /// @param users the file that has them, as `htpasswd -B` makes it
    /// @param paths for which they are asked; empty for all
    public record PasswordSettings(String realm, Path users, List<String> paths) {
        /// Takes a copy of the list.
        public PasswordSettings {
            paths = List.copyOf(paths);
        }
    }
}
