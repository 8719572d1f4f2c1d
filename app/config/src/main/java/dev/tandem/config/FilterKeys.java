package dev.tandem.config;

import dev.tandem.filters.Rule;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Filters of a site: `password`, `rule`, `error_pages`.
final class FilterKeys {
    private static final Section<FilterSettings.PasswordSettings> PASSWORD =
            Section.of(
                            new FilterSettings.PasswordSettings(
                                    "this site", Path.of(""), List.of()),
                            List.of(
                                    new Key<FilterSettings.PasswordSettings, Path>(
                                            "users",
                                            ValueTypes.FILE,
                                            "A file with a name and a hash of bcrypt or Argon2 a"
                                                    + " line, as htpasswd -B makes it.",
                                            FilterSettings.PasswordSettings::users,
                                            (a, users) ->
                                                    new FilterSettings.PasswordSettings(
                                                            a.realm(), users, a.paths())),
                                    new Key<FilterSettings.PasswordSettings, String>(
                                            "realm",
                                            ValueTypes.TEXT,
                                            "The name that browsers show to their users.",
                                            FilterSettings.PasswordSettings::realm,
                                            (a, realm) ->
                                                    new FilterSettings.PasswordSettings(
                                                            realm, a.users(), a.paths())),
                                    new Key<FilterSettings.PasswordSettings, List<String>>(
                                            "paths",
                                            ValueTypes.TEXTS,
                                            "Protected paths; without it, all.",
                                            FilterSettings.PasswordSettings::paths,
                                            (a, paths) ->
                                                    new FilterSettings.PasswordSettings(
                                                            a.realm(), a.users(), paths))))
                    .requiring("users");

    private record Draft(String from, String to, int status) {
        /// Status 0 stands for a rewrite.
        static final Draft NONE = new Draft("", "", 0);

        Rule rule() {
            return status == 0 ? new Rule.Rewrite(from, to) : new Rule.Redirect(from, to, status);
        }

        static Draft of(Rule rule) {
            int status = rule instanceof Rule.Redirect redirect ? redirect.status() : 0;
            return new Draft(rule.from(), rule.to(), status);
        }
    }

    private static final Section<Draft> RULE =
            Section.of(
                            Draft.NONE,
                            List.of(
                                    new Key<Draft, String>(
                                            "from",
                                            ValueTypes.TEXT,
                                            "A path; /a/* stands for all below /a.",
                                            Draft::from,
                                            (r, from) -> new Draft(from, r.to(), r.status())),
                                    new Key<Draft, String>(
                                            "to",
                                            ValueTypes.TEXT,
                                            "A path or URL; {rest} stands for what the star"
                                                    + " matched.",
                                            Draft::to,
                                            (r, to) -> new Draft(r.from(), to, r.status())),
                                    new Key<Draft, Integer>(
                                            "redirect",
                                            ValueTypes.NUMBER,
                                            "The status of a redirection: 301, 302, 303, 307 or"
                                                    + " 308; 0 rewrites the path without"
                                                    + " notice to the client.",
                                            Draft::status,
                                            (r, status) -> new Draft(r.from(), r.to(), status))))
                    .requiring("from", "to")
                    .checkedBy(Draft::rule);

    static final List<Key<SiteSettings, ?>> ALL =
            List.of(
                    new Key<SiteSettings, FilterSettings.PasswordSettings>(
                            "password",
                            new Tables.One<>(PASSWORD),
                            "Requires a name and a password.",
                            site -> site.filters().password().orElse(null),
                            (site, access) ->
                                    site.withFilters(
                                            new FilterSettings(
                                                    site.filters().rules(),
                                                    Optional.of(access),
                                                    site.filters().errorPages()))),
                    new Key<SiteSettings, List<Draft>>(
                            "rule",
                            new Tables.Many<>(RULE, r -> List.of("from " + r.from())),
                            "Redirections and rewrites, before all handlers.",
                            site -> site.filters().rules().stream().map(Draft::of).toList(),
                            (site, drafts) ->
                                    site.withFilters(
                                            new FilterSettings(
                                                    drafts.stream().map(Draft::rule).toList(),
                                                    site.filters().password(),
                                                    site.filters().errorPages()))),
                    new Key<>(
                            "error_pages",
                            ValueTypes.PAIRS,
                            "HTML pages by status: \"404\", or \"5xx\" for all others of the"
                                    + " class.",
                            site -> site.filters().errorPages(),
                            (site, pages) ->
                                    site.withFilters(
                                            new FilterSettings(
                                                    site.filters().rules(),
                                                    site.filters().password(),
                                                    pages))));

    private FilterKeys() {}
}
