package dev.tandem.config;

import dev.tandem.VirtualHost;
import dev.tandem.http.Filter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
                        "For all below this path.",
                        SiteSettings.Location::path,
                        (location, path) -> new SiteSettings.Location(path, location.service())));
        keys.addAll(
                ServiceKeys.of(
                        SiteSettings.Location::service,
                        (location, service) ->
                                new SiteSettings.Location(location.path(), Optional.of(service))));
        return Section.of(new SiteSettings.Location("/", Optional.empty()), keys)
                .requiring("path")
                .checkedBy(
                        location -> {
                            if (location.service().isEmpty()) {
                                throw new IllegalArgumentException(
                                        "nothing answers here: say files, cgi, proxy,"
                                                + " fastcgi, redirect or answer");
                            }
                        });
    }

    private static Section<SiteSettings> section() {
        var keys = new ArrayList<Key<SiteSettings, ?>>();
        keys.add(
                new Key<>(
                        "hosts",
                        ValueTypes.TEXTS,
                        "The names by which it is asked for; *.example.org is every name below."
                                + " Without it: whichever no other site has.",
                        SiteSettings::hosts,
                        SiteKeys::withHosts));
        keys.add(
                new Key<SiteSettings, Integer>(
                        "redirect_to_https",
                        ValueTypes.NUMBER,
                        "Sends plain requests to https at this port.",
                        site ->
                                site.redirectToHttps().isPresent()
                                        ? site.redirectToHttps().getAsInt()
                                        : null,
                        SiteSettings::withRedirectToHttps));
        keys.add(
                new Key<SiteSettings, Duration>(
                        "strict_transport",
                        ValueTypes.DURATION,
                        "Tells browsers, over TLS, to ask by https only, for so long (RFC 6797).",
                        site -> site.strictTransport().orElse(null),
                        SiteSettings::withStrictTransport));
        keys.add(
                new Key<>(
                        "headers",
                        ValueTypes.PAIRS,
                        "Header fields of every answer.",
                        SiteSettings::headers,
                        SiteKeys::withHeaders));
        keys.addAll(FilterKeys.ALL);
        keys.addAll(ServiceKeys.of(SiteSettings::service, SiteSettings::withService));
        keys.add(
                new Key<>(
                        "at",
                        new Tables.Many<>(AT, location -> List.of("path " + location.path())),
                        "What answers below other paths; the longest goes before.",
                        SiteSettings::locations,
                        SiteSettings::withLocations));
        return Section.of(SiteSettings.NONE, keys).checkedBy(SiteSettings::check);
    }

    private static SiteSettings withHosts(SiteSettings site, List<String> hosts) {
        if (!hosts.isEmpty()) {
            VirtualHost.of(hosts.toArray(String[]::new)); // says what is wrong with a name
        }
        return site.withHosts(hosts);
    }

    private static SiteSettings withHeaders(SiteSettings site, Map<String, String> headers) {
        Filter.headers(headers); // says what may not be sent
        return site.withHeaders(headers);
    }
}
