package dev.tandem.cli;

import dev.tandem.config.Service;
import dev.tandem.config.SiteSettings;
import java.util.ArrayList;
import java.util.List;

/// The sites of a configuration, a line each: hosts, then what is at which path.
final class SiteLines {
    /// Maximum number of sites that are named; the others are counted.
    private static final int SITES_MAX = 10;

    /// Maximum number of paths that are named of each site; the others are counted.
    private static final int PATHS_MAX = 4;

    private SiteLines() {}

    static List<String> of(List<SiteSettings> sites) {
        var lines = new ArrayList<String>();
        for (SiteSettings site : sites.subList(0, Math.min(sites.size(), SITES_MAX))) {
            lines.add(hosts(site) + ": " + services(site));
        }
        if (sites.size() > SITES_MAX) {
            lines.add("and " + (sites.size() - SITES_MAX) + " more sites");
        }
        return lines;
    }

    private static String hosts(SiteSettings site) {
        return site.hosts().isEmpty() ? "any host" : String.join(", ", site.hosts());
    }

    private static String services(SiteSettings site) {
        List<SiteSettings.Location> all = site.allLocations();
        var phrases = new ArrayList<String>();
        for (SiteSettings.Location at : all.subList(0, Math.min(all.size(), PATHS_MAX))) {
            phrases.add(at.path() + " " + at.service().map(SiteLines::phrase).orElse("nothing"));
        }
        if (all.size() > PATHS_MAX) {
            phrases.add("and " + (all.size() - PATHS_MAX) + " more paths");
        }
        return String.join(", ", phrases);
    }

    /// No switch over types: its linkage takes longer than all of these lines.
    private static String phrase(Service service) {
        if (service instanceof Service.StaticFiles files) {
            return "files of " + files.root();
        }
        if (service instanceof Service.CgiPrograms programs) {
            return "programs of " + programs.root();
        }
        if (service instanceof Service.ReverseProxy proxy) {
            return "proxy to " + String.join(", ", proxy.to());
        }
        if (service instanceof Service.FastCgiScripts scripts) {
            return "FastCGI to " + String.join(", ", scripts.to());
        }
        return service instanceof Service.Redirect redirect
                ? "redirect to " + redirect.to()
                : "a fixed response";
    }
}
