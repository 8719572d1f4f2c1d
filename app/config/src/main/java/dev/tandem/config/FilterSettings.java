package dev.tandem.config;

import dev.tandem.filters.Rule;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Filters of a site, which run before its handlers. Immutable.
///
/// @param rules in order
/// @param password required from clients; empty for public sites
/// @param errorPages by `404`, or `5xx` for all others of the class
public record FilterSettings(
        List<Rule> rules, Optional<PasswordSettings> password, Map<String, String> errorPages)
        implements FilterSettingsWith {

    /// No filters.
    static final FilterSettings NONE = new FilterSettings(List.of(), Optional.empty(), Map.of());

    /// Takes copies.
    public FilterSettings {
        rules = List.copyOf(rules);
        errorPages = Map.copyOf(errorPages);
    }

    /// Basic authentication.
    ///
    /// @param users the file of names and password hashes, as `htpasswd -B` writes it
    /// @param paths the protected paths; empty for all
    public record PasswordSettings(String realm, Path users, List<String> paths)
            implements PasswordSettingsWith {
        /// Takes a copy of the list.
        public PasswordSettings {
            paths = List.copyOf(paths);
        }

        /// Whether it is required for all of the site.
        boolean isForAll() {
            return paths.isEmpty() || paths.contains("/");
        }
    }
}
