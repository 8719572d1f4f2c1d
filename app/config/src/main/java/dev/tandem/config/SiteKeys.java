package dev.tandem.config;

import dev.tandem.VirtualHost;
import dev.tandem.http.Filter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/// `[[site]]` and `[[site.at]]`.
final class SiteKeys {
    private static final Pattern PATH = Pattern.compile("/|(/[A-Za-z0-9._~-]+)+/?");

    private static final ValueType<String> LOCATION_PATH =
            ValueType.text("a path such as /api or /a/b", SiteKeys::path, text -> text);

    private static final Section<SiteSettings.Location> AT = at();

    static final Section<SiteSettings> SECTION = section();

    private SiteKeys() {}

    private static String path(String text) {
        if (!PATH.matcher(text).matches()) {
            throw new IllegalArgumentException();
        }
        boolean hasSlash = text.length() > 1 && text.endsWith("/");
        return hasSlash ? text.substring(0, text.length() - 1) : text;
    }

    private static Section<SiteSettings.Location> at() {
        var keys = new ArrayList<Key<SiteSettings.Location, ?>>();
        keys.add(
                new Key<SiteSettings.Location, String>(
                        "path",
                        LOCATION_PATH,
                        "The path; it includes everything below.",
                        SiteSettings.Location::path,
                        SiteSettings.Location::withPath));
        keys.addAll(
                ServiceKeys.of(SiteSettings.Location::service, SiteSettings.Location::withService));
        return Section.of(new SiteSettings.Location("/", Optional.empty()), keys)
                .requiring("path")
                .checkedBy(
                        location -> {
                            if (location.service().isEmpty()) {
                                throw new IllegalArgumentException(
                                        "there is no service: set files, cgi, proxy,"
                                                + " fastcgi, redirect or respond");
                            }
                        });
    }

    private static Section<SiteSettings> section() {
        var keys = new ArrayList<Key<SiteSettings, ?>>();
        keys.add(
                new Key<>(
                        "hosts",
                        ValueTypes.TEXTS,
                        "Host names of the site; *.example.org stands for every name below."
                                + " Without it: all names that no other site has.",
                        SiteSettings::hosts,
                        SiteKeys::withHosts));
        keys.add(
                new Key<SiteSettings, Integer>(
                        "redirect_to_https",
                        ValueTypes.NUMBER,
                        "Redirects plain requests to https at this port.",
                        site ->
                                site.redirectToHttps().isPresent()
                                        ? site.redirectToHttps().getAsInt()
                                        : null,
                        SiteSettings::withRedirectToHttps));
        keys.add(
                new Key<SiteSettings, Duration>(
                        "strict_transport",
                        ValueTypes.DURATION,
                        "How long browsers are to use https only, sent over TLS (RFC 6797).",
                        site -> site.strictTransport().orElse(null),
                        SiteSettings::withStrictTransport));
        keys.add(
                new Key<>(
                        "headers",
                        ValueTypes.PAIRS,
                        "Headers of every response.",
                        SiteSettings::headers,
                        SiteKeys::withHeaders));
        keys.addAll(FilterKeys.ALL);
        keys.addAll(ServiceKeys.of(SiteSettings::service, SiteSettings::withService));
        keys.add(
                new Key<>(
                        "at",
                        new Tables.Many<>(AT, location -> List.of("path " + location.path())),
                        "Services at other paths; the longest path that matches is used.",
                        SiteSettings::locations,
                        SiteSettings::withLocations));
        return Section.of(SiteSettings.NONE, keys).checkedBy(SiteSettings::check);
    }

    private static SiteSettings withHosts(SiteSettings site, List<String> hosts) {
        if (!hosts.isEmpty()) {
            VirtualHost.of(hosts.toArray(String[]::new)); // throws if a name is invalid
        }
        // As the server compares them: two sites have no name in common.
        return site.withHosts(hosts.stream().map(name -> name.toLowerCase(Locale.ROOT)).toList());
    }

    private static SiteSettings withHeaders(SiteSettings site, Map<String, String> headers) {
        Filter.headers(headers); // throws if a header is invalid
        return site.withHeaders(headers);
    }
}
