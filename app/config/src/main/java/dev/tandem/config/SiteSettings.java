package dev.tandem.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/// A site: its host names and services. Immutable.
///
/// @param hosts its names; empty for all names that no other site has
/// @param service at `/`
/// @param locations other services, by their paths
/// @param redirectToHttps the port of https URLs that plain requests are redirected to
/// @param strictTransport how long browsers are to use https only
/// @param headers of every response
/// @param filters run before all services
public record SiteSettings(
        List<String> hosts,
        Optional<Service> service,
        List<Location> locations,
        OptionalInt redirectToHttps,
        Optional<Duration> strictTransport,
        Map<String, String> headers,
        FilterSettings filters)
        implements SiteSettingsWith {

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
        locations = List.copyOf(locations);
        headers = Map.copyOf(headers);
    }

    /// A service at a path.
    ///
    /// @param path begins with a slash and does not end with one, except for `/` itself
    public record Location(String path, Optional<Service> service) implements LocationWith {}

    /// Returns a site for any host.
    public static SiteSettings of(Service service) {
        return NONE.withService(service);
    }

    SiteSettings withRedirectToHttps(int port) {
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException("port must be 1..65535, was " + port);
        }
        return withRedirectToHttps(OptionalInt.of(port));
    }

    /// Returns its hosts, to distinguish sites in messages.
    List<String> displayNames() {
        return hosts.isEmpty() ? List.of("the site without hosts") : hosts;
    }

    /// Returns all locations, that of `/` first.
    public List<Location> allLocations() {
        var all = new ArrayList<Location>();
        service.ifPresent(at -> all.add(new Location("/", service)));
        all.addAll(locations);
        return all;
    }

    /// @throws IllegalArgumentException if there is no service, a path has two, or programs or
    ///     scripts would be served as files
    public void check() {
        if (allLocations().isEmpty()) {
            throw new IllegalArgumentException(
                    "there is no service: set files, cgi, proxy, fastcgi,"
                            + " redirect or respond, or [[site.at]]");
        }
        if (service.isPresent()
                && locations.stream().anyMatch(location -> location.path().equals("/"))) {
            throw new IllegalArgumentException("the path / has two services");
        }
        allLocations().forEach(this::checkHidden);
    }

    /// @param programs perhaps
    private void checkHidden(Location programs) {
        Optional<PrivateFolder> hidden = PrivateFolder.of(programs);
        Optional<PrivateFolder.Served> by =
                hidden.flatMap(folder -> folder.servedBy(this, new RealPaths()));
        if (by.isPresent()) {
            throw new IllegalArgumentException(
                    "the programs of "
                            + hidden.get().folder()
                            + " would be served as files, too; "
                            + by.get().wayOut("them"));
        }
    }
}
