package dev.tandem.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Other paths of what the front controllers of a site serve. Most applications understand
/// `/index.php/admin` as `/admin`, so what is configured for the one is for the other, too.
///
/// @param locations those with a front controller
record FrontControllers(SiteSettings site, List<Location> locations) {

    /// @param path of the location; empty for that of `/`
    /// @param script the path of its front controller
    record Location(String path, String script) {}

    static FrontControllers of(SiteSettings site) {
        var locations = new ArrayList<Location>();
        for (SiteSettings.Location location : site.allLocations()) {
            String script =
                    location.service().orElse(null) instanceof Service.FastCgiScripts scripts
                            ? scripts.options().frontController()
                            : null;
            if (script != null) {
                String path = location.path().equals("/") ? "" : location.path();
                locations.add(new Location(path, path + "/" + script));
            }
        }
        return new FrontControllers(site, locations);
    }

    /// Returns the paths, and those by which front controllers serve the same.
    List<String> withTheirPaths(List<String> paths) {
        var all = new ArrayList<>(paths);
        for (String path : paths) {
            all.addAll(theirPaths(path));
        }
        return all;
    }

    private List<String> theirPaths(String path) {
        return locations.stream()
                .filter(location -> path.startsWith(location.path() + "/"))
                .map(location -> location.script() + path.substring(location.path().length()))
                .toList();
    }

    /// Returns fixed responses, such as a 404 for what is not public, by the paths by which front
    /// controllers would serve the same; without paths that have another service.
    Map<String, Service.FixedResponse> fixedResponses() {
        var all = new LinkedHashMap<String, Service.FixedResponse>();
        for (SiteSettings.Location location : site.locations()) {
            if (location.service().orElse(null) instanceof Service.FixedResponse response) {
                theirPaths(location.path()).forEach(path -> all.put(path, response));
            }
        }
        site.locations().forEach(location -> all.remove(location.path()));
        return all;
    }
}
