package dev.tandem.config;

import dev.tandem.filters.Rule;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// What goes before all places of a site: `password`, `rule`, `error_pages`.
final class FilterKeys {
    private static final Section<FilterSettings.Access> ACCESS =
            Section.of(
                            new FilterSettings.Access("this site", Path.of(""), List.of()),
                            List.of(
                                    new Key<FilterSettings.Access, Path>(
                                            "users",
                                            Kinds.FILE,
                                            "A file with a name and a hash of bcrypt or Argon2 a"
                                                    + " line, as htpasswd -B makes it.",
                                            FilterSettings.Access::users,
                                            (a, users) ->
                                                    new FilterSettings.Access(
                                                            a.realm(), users, a.paths())),
                                    new Key<FilterSettings.Access, String>(
                                            "realm",
                                            Kinds.TEXT,
                                            "What browsers name to their users.",
                                            FilterSettings.Access::realm,
                                            (a, realm) ->
                                                    new FilterSettings.Access(
                                                            realm, a.users(), a.paths())),
                                    new Key<FilterSettings.Access, List<String>>(
                                            "paths",
                                            Kinds.TEXTS,
                                            "For which it is asked; without it, for all.",
                                            FilterSettings.Access::paths,
                                            (a, paths) ->
                                                    new FilterSettings.Access(
                                                            a.realm(), a.users(), paths))))
                    .requiring("users");

    private record Draft(String from, String to, int status) {
        /// 0 stands for a rewrite.
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
                                            Kinds.TEXT,
                                            "A path; /a/* is for all below /a.",
                                            Draft::from,
                                            (r, from) -> new Draft(from, r.to(), r.status())),
                                    new Key<Draft, String>(
                                            "to",
                                            Kinds.TEXT,
                                            "A path or URL; {rest} is what the star stood for.",
                                            Draft::to,
                                            (r, to) -> new Draft(r.from(), to, r.status())),
                                    new Key<Draft, Integer>(
                                            "redirect",
                                            Kinds.NUMBER,
                                            "The status of a redirection: 301, 302, 303, 307 or"
                                                    + " 308; 0 rewrites, and the client does not"
                                                    + " learn of it.",
                                            Draft::status,
                                            (r, status) -> new Draft(r.from(), r.to(), status))))
                    .requiring("from", "to")
                    .checkedBy(Draft::rule);

    static final List<Key<SiteSettings, ?>> ALL =
            List.of(
                    new Key<SiteSettings, FilterSettings.Access>(
                            "password",
                            new Tables.One<>(ACCESS),
                            "Lets in who has a name and a password.",
                            site -> site.filters().access().orElse(null),
                            (site, access) ->
                                    site.withFilters(
                                            new FilterSettings(
                                                    site.filters().rules(),
                                                    Optional.of(access),
                                                    site.filters().errorPages()))),
                    new Key<SiteSettings, List<Draft>>(
                            "rule",
                            new Tables.Many<>(RULE, r -> List.of("from " + r.from())),
                            "Redirections and rewrites, before all places.",
                            site -> site.filters().rules().stream().map(Draft::of).toList(),
                            (site, drafts) ->
                                    site.withFilters(
                                            new FilterSettings(
                                                    drafts.stream().map(Draft::rule).toList(),
                                                    site.filters().access(),
                                                    site.filters().errorPages()))),
                    new Key<>(
                            "error_pages",
                            Kinds.PAIRS,
                            "Pages of HTML by status: \"404\", or \"5xx\" for all others of the"
                                    + " kind.",
                            site -> site.filters().errorPages(),
                            (site, pages) ->
                                    site.withFilters(
                                            new FilterSettings(
                                                    site.filters().rules(),
                                                    site.filters().access(),
                                                    pages))));

    private FilterKeys() {}
}
