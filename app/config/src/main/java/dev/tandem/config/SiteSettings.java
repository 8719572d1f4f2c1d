package dev.tandem.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/// A site: for whom, and what answers. Immutable.
///
/// @param hosts the names by which it is asked for; empty: whichever no other site has
/// @param service at `/`
/// @param places others, by their paths
/// @param redirectToHttps the port of https URLs that plain requests are sent to
/// @param strictTransport how long browsers are to ask by https only
/// @param headers fields of every answer
/// @param filters what goes before all places
public record SiteSettings(
        List<String> hosts,
        Optional<Service> service,
        List<Place> places,
        OptionalInt redirectToHttps,
        Optional<Duration> strictTransport,
        Map<String, String> headers,
        FilterSettings filters) {

    static final SiteSettings NONE =
            new SiteSettings(
                    List.of(),
                    Optional.empty(),
                    List.of(),
                    OptionalInt.empty(),
                    Optional.empty(),
                    Map.of(),
                    FilterSettings.NONE);

    /// Takes copies.
    public SiteSettings {
        hosts = List.copyOf(hosts);
        places = List.copyOf(places);
        headers = Map.copyOf(headers);
    }

    /// What answers below a path.
    ///
    /// @param path begins with a slash and has none at its end, but for `/` itself
    public record Place(String path, Optional<Service> service) {}

    /// For any host.
    public static SiteSettings of(Service service) {
        return NONE.withService(service);
    }

    public SiteSettings withHosts(List<String> hosts) {
        return new SiteSettings(
                hosts, service, places, redirectToHttps, strictTransport, headers, filters);
    }

    public SiteSettings withService(Service service) {
        var one = Optional.of(service);
        return new SiteSettings(
                hosts, one, places, redirectToHttps, strictTransport, headers, filters);
    }

    public SiteSettings withPlaces(List<Place> places) {
        return new SiteSettings(
                hosts, service, places, redirectToHttps, strictTransport, headers, filters);
    }

    SiteSettings withRedirectToHttps(int port) {
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("port must be 1..65535, was " + port);
        }
        var to = OptionalInt.of(port);
        return new SiteSettings(hosts, service, places, to, strictTransport, headers, filters);
    }

    SiteSettings withStrictTransport(Duration age) {
        var told = Optional.of(age);
        return new SiteSettings(hosts, service, places, redirectToHttps, told, headers, filters);
    }

    SiteSettings withFilters(FilterSettings filters) {
        return new SiteSettings(
                hosts, service, places, redirectToHttps, strictTransport, headers, filters);
    }

    SiteSettings withHeaders(Map<String, String> headers) {
        return new SiteSettings(
                hosts, service, places, redirectToHttps, strictTransport, headers, filters);
    }

    /// What is said of hosts, to tell sites apart.
    List<String> names() {
        return hosts.isEmpty() ? List.of("the site without hosts") : hosts;
    }

    /// All places, that of `/` first.
    public List<Place> all() {
        var all = new ArrayList<Place>();
        service.ifPresent(at -> all.add(new Place("/", service)));
        all.addAll(places);
        return all;
    }

    /// @throws IllegalArgumentException if nothing answers, a place is taken twice, or programs
    ///     would be shown as files
    public void check() {
        if (all().isEmpty()) {
            throw new IllegalArgumentException(
                    "nothing answers here: say files, cgi, proxy, fastcgi,"
                            + " redirect or answer, or [[site.at]]");
        }
        if (service.isPresent() && places.stream().anyMatch(place -> place.path().equals("/"))) {
            throw new IllegalArgumentException("the path / is taken twice");
        }
        for (Place programs : all()) {
            for (Place files : all()) {
                checkHidden(programs, files);
            }
        }
    }

    private static void checkHidden(Place programs, Place files) {
        if (programs.service().orElse(null) instanceof Service.Programs(Path folder, var _)
                && files.service().orElse(null) instanceof Service.FilesOf(Path root, var _)
                && real(folder).startsWith(real(root))
                && !real(folder).equals(real(root).resolve(programs.path().substring(1)))) {
            throw new IllegalArgumentException(
                    "the programs of "
                            + folder
                            + " would be shown as files, too; put them outside"
                            + " of "
                            + root);
        }
    }

    private static Path real(Path path) {
        return path.toAbsolutePath().normalize();
    }
}
