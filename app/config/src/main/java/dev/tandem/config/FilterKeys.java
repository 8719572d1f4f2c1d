package dev.tandem.config;

import dev.tandem.filters.BasicAuth;
import dev.tandem.filters.Rule;
import dev.tandem.filters.Users;
import java.nio.file.Path;
import java.util.List;

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
                                            FilterSettings.PasswordSettings::withUsers),
                                    new Key<FilterSettings.PasswordSettings, String>(
                                            "realm",
                                            ValueTypes.TEXT,
                                            "The name that browsers show to their users.",
                                            FilterSettings.PasswordSettings::realm,
                                            FilterSettings.PasswordSettings::withRealm),
                                    new Key<FilterSettings.PasswordSettings, List<String>>(
                                            "paths",
                                            ValueTypes.TEXTS,
                                            "Protected paths; without it, all.",
                                            FilterSettings.PasswordSettings::paths,
                                            FilterSettings.PasswordSettings::withPaths)))
                    .requiring("users")
                    .checkedBy(
                            access ->
                                    BasicAuth.of(access.realm(), Users.NONE).under(access.paths()));

    record Draft(String from, String to, int status) implements DraftWith {
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
                                            Draft::withFrom),
                                    new Key<Draft, String>(
                                            "to",
                                            ValueTypes.TEXT,
                                            "A path or URL; {rest} stands for what the star"
                                                    + " matched.",
                                            Draft::to,
                                            Draft::withTo),
                                    new Key<Draft, Integer>(
                                            "redirect",
                                            ValueTypes.NUMBER,
                                            "The status of a redirection: 301, 302, 303, 307 or"
                                                    + " 308; 0 rewrites the path without"
                                                    + " notice to the client.",
                                            Draft::status,
                                            Draft::withStatus)))
                    .requiring("from", "to")
                    .checkedBy(Draft::rule);

    static final List<Key<SiteSettings, ?>> ALL =
            List.of(
                    new Key<SiteSettings, FilterSettings.PasswordSettings>(
                            "password",
                            new Tables.One<>(PASSWORD),
                            "Requires a name and a password.",
                            site -> site.filters().password().orElse(null),
                            (site, access) -> site.withFilters(f -> f.withPassword(access))),
                    new Key<SiteSettings, List<Draft>>(
                            "rule",
                            new Tables.Many<>(RULE, r -> List.of("from " + r.from())),
                            "Redirections and rewrites, before all handlers.",
                            site -> site.filters().rules().stream().map(Draft::of).toList(),
                            (site, drafts) ->
                                    site.withFilters(
                                            f ->
                                                    f.withRules(
                                                            drafts.stream()
                                                                    .map(Draft::rule)
                                                                    .toList()))),
                    new Key<>(
                            "error_pages",
                            ValueTypes.PAIRS,
                            "HTML pages by status: \"404\", or \"5xx\" for all others of the"
                                    + " class.",
                            site -> site.filters().errorPages(),
                            (site, pages) -> site.withFilters(f -> f.withErrorPages(pages))));

    private FilterKeys() {}
}
