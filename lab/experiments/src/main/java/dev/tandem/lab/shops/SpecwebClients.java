package dev.tandem.lab.shops;

import dev.tandem.load.Call;
import dev.tandem.load.Session;
import dev.tandem.load.Workload;
import dev.tandem.workloads.Fetch;
import dev.tandem.workloads.SiteModel;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HashMap;
import java.util.Map;
import java.util.random.RandomGenerator;

/// SPECweb2005's clients of our bank, shop and support site (`docs/specweb.md`): a page, then its
/// embedded resources over two connections, with conditional requests in the benchmark's
/// proportion. Each reply must be the requested resource, complete. Immutable, except for the
/// quality that it records.
///
/// The sessions need cookies, and two connections: a [dev.tandem.load.Client] must have them.
public final class SpecwebClients implements Workload {
    private final Site site;
    private final SiteModel model;
    private final int users;
    private final SpecwebFiles files;
    private final double pace;
    private final Quality quality;
    private final Map<Fetch, Pair> embedded = new HashMap<>();

    /// The site of a page.
    public enum Site {
        BANKING,
        ECOMMERCE,
        SUPPORT;

        String path() {
            return "/" + name().toLowerCase(java.util.Locale.ROOT) + "/";
        }
    }

    /// The populations and files of the sites.
    ///
    /// @param users of the bank
    /// @param directories of support's files
    /// @param alpha of Zipf's law, by which directories are requested: 1.2 in the benchmark's
    ///     configuration, 0.4 in Beltran's thesis
    public record Set(int users, int directories, double alpha) {}

    /// An embedded file: its plain and its conditional request.
    record Pair(Call plain, Call conditional) {}

    /// @param model the sequence of pages; of a site, or of a part of it
    /// @param pace how many times faster than real ones these clients think; over 0
    /// @param quality records each page
    public SpecwebClients(Site site, SiteModel model, Set set, double pace, Quality quality) {
        this.site = site;
        this.model = model;
        this.users = set.users();
        this.files = new SpecwebFiles(set);
        this.pace = pace;
        this.quality = quality;
        String changed =
                DateTimeFormatter.RFC_1123_DATE_TIME.format(
                        Instant.ofEpochMilli(SpecwebFiles.CHANGED_MILLIS).atOffset(ZoneOffset.UTC));
        for (String page : model.graph().pages()) {
            for (Fetch fetch : model.page(page).embedded()) {
                embedded.computeIfAbsent(fetch, each -> pair(each, changed));
            }
        }
    }

    private Pair pair(Fetch fetch, String changed) {
        String name = fetch.target().contains(".") ? fetch.target() : fetch.target() + ".gif";
        Call call = Call.get(site.path() + "images/" + name).withPage("embedded");
        return new Pair(
                call.withCheck(r -> r.status() == 200 && r.length() == fetch.bytes()),
                call.withHeader("If-Modified-Since", changed).withCheck(r -> r.status() == 304));
    }

    @Override
    public String name() {
        return model.name();
    }

    @Override
    public Session begin(long number, RandomGenerator random) {
        return new SpecwebSession(this, number, random);
    }

    Site site() {
        return site;
    }

    SiteModel model() {
        return model;
    }

    /// Of the bank, from 1.
    int users() {
        return users;
    }

    SpecwebFiles files() {
        return files;
    }

    double pace() {
        return pace;
    }

    Quality quality() {
        return quality;
    }

    /// Draws the request as in the benchmark.
    Call embedded(Fetch fetch, RandomGenerator random) {
        Pair pair = embedded.get(fetch);
        if (pair == null) {
            throw new IllegalArgumentException("no page of " + name() + " has " + fetch.target());
        }
        boolean isConditional = random.nextDouble() < fetch.unchangedShare();
        return isConditional ? pair.conditional : pair.plain;
    }
}
