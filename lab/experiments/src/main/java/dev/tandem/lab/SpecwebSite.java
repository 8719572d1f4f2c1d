package dev.tandem.lab;

import dev.tandem.lab.shops.Quality;
import dev.tandem.lab.shops.SpecwebClients;
import dev.tandem.lab.shops.SpecwebClients.Site;
import dev.tandem.workloads.PageGraph;
import dev.tandem.workloads.PageGraph.Move;
import dev.tandem.workloads.Published;
import dev.tandem.workloads.SiteModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The three SPECweb2005 sites that the servers of a run have: one folder of pages and files for
/// all, and one simulator, in a separate process on the load's processor.
///
/// @param app the folder
/// @param set the populations and files
/// @param pace how many times faster time passes for clients
/// @param lineup its servers
/// @param cage of all servers and of the files' pages in memory; null without a limit
record SpecwebSite(
        Path app,
        Child besim,
        SpecwebClients.Set set,
        double pace,
        Lineup lineup,
        @Nullable ControlGroup cage)
        implements AutoCloseable {
    static final Setting PACE =
            new Setting("pace", "X", "4", "how many times faster time passes for clients");
    static final Setting SESSIONS =
            new Setting("set", "N", "100", "10", "sessions for which the file sets are sized");
    static final Setting ALPHA =
            new Setting("alpha", "X", "0.4", "of Zipf's law, for support's directories");

    static final Setting MEMORY =
            new Setting(
                    "memory",
                    "MIB",
                    "0",
                    "of a server and the files that it has read, by a control group; 0: all");
    static final Setting DISK =
            new Setting("disk", "MB/S", "0", "rate of the disk in that group; 0: as it is");

    private static final int USERS_A_SESSION = 50;
    private static final double DIRECTORIES_A_SESSION = 0.25;
    private static final int FILES_SECONDS_MAX = 300;
    private static final int MEGA = 1_000_000;

    /// Bandwidth of a client's line, in bytes per second: "cable", in the benchmark.
    private static final double LINE_RATE = 100_000;

    private static final double GOOD_RATE = 99_000;
    private static final double TOLERABLE_RATE = 95_000;

    /// The first of the shop's pages that are requested over TLS.
    private static final String CHECK_OUT = "login";

    static SpecwebSite open(Run run, Bench bench) throws LabException, InterruptedException {
        Settings settings = run.settings();
        Path app = bench.workFolder().folder().resolve("specweb");
        copy(Apps.folder("specweb"), app);
        ControlGroup cage = cage(settings, bench.workFolder().root());
        try {
            return open(run, bench, app, cage);
        } catch (LabException | InterruptedException | RuntimeException e) {
            if (cage != null) {
                cage.close();
            }
            throw e;
        }
    }

    private static @Nullable ControlGroup cage(Settings settings, Path files) throws LabException {
        int memory = settings.number(MEMORY, 0, 1_000_000);
        int disk = settings.number(DISK, 0, 1_000_000);
        if (memory == 0) {
            return null;
        }
        ControlGroup cage = ControlGroup.make(files);
        cage.limitMemory((long) memory << 20);
        cage.limitDisk((long) disk * MEGA);
        return cage;
    }

    private static SpecwebSite open(Run run, Bench bench, Path app, @Nullable ControlGroup cage)
            throws LabException, InterruptedException {
        Settings settings = run.settings();
        int sessions = settings.number(SESSIONS, 1, 4_000);
        double alpha = settings.decimal(ALPHA, 0, 5);
        double pace = settings.decimal(PACE, 0.1, 100);
        run.say("writing file sets for " + sessions + " sessions");
        for (Site site : Site.values()) {
            String name = site.name().toLowerCase(Locale.ROOT);
            var words = List.of(app.toString(), name, Integer.toString(sessions));
            // In the group: what is written is in its memory, and not in that of the machine.
            var command = new ArrayList<>(prefix(cage));
            command.addAll(java(app, "FileSet", words));
            String said = Toolbox.output(FILES_SECONDS_MAX, command);
            if (!said.isBlank()) {
                throw new LabException("cannot write the files of " + name + ": " + said.strip());
            }
        }
        int users = USERS_A_SESSION * sessions;
        int directories = (int) Math.ceil(DIRECTORIES_A_SESSION * sessions);
        var set = new SpecwebClients.Set(users, directories, alpha);
        return new SpecwebSite(app, besim(run, bench, app), set, pace, bench.lineup(), cage);
    }

    private static List<String> prefix(@Nullable ControlGroup cage) {
        return cage == null ? List.of() : cage.prefix();
    }

    /// Whether servers share a limited memory: then one of them runs at a time.
    boolean isCaged() {
        return cage != null;
    }

    /// Returns the bytes read from the disk so far; NaN without a limit.
    double diskBytes() throws LabException {
        return cage == null ? Double.NaN : cage.diskBytes();
    }

    private static List<String> java(Path app, String main, List<String> words) {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-cp", Apps.classPath(app), "dev.tandem.specweb." + main));
        command.addAll(words);
        return command;
    }

    private static Child besim(Run run, Bench bench, Path app)
            throws LabException, InterruptedException {
        int port = FreePorts.next();
        List<String> command = java(app, "BeSim", List.of(Integer.toString(port)));
        run.command("besim", command);
        Path log = bench.workFolder().log("besim");
        var child = Child.start("besim", bench.pinning().onClient(command), port, log);
        try {
            child.awaitResponse("/besim?1&0");
            return child;
        } catch (LabException | InterruptedException e) {
            child.close();
            throw e;
        }
    }

    private static void copy(Path from, Path to) throws LabException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : all.toList()) {
                Files.copy(path, to.resolve(from.relativize(path).toString()));
            }
        } catch (IOException e) {
            throw new LabException("cannot copy " + from + ": " + e.getMessage());
        }
    }

    /// Returns a server of the sites.
    Lineup.Entry entry(Rival like, RivalSettings settings, List<Integer> processors) {
        String where = "-Dspecweb.besim=http://127.0.0.1:" + besim.port() + "/besim";
        return new Lineup.Entry(
                new AppRival(like, List.of(where), prefix(cage)), app, processors, settings);
    }

    /// Scales a time by the pace, for the server.
    Duration faster(double seconds) {
        return Duration.ofNanos(Math.round(seconds * 1e9 / pace));
    }

    /// Rate at which one connection of a client reads a response, in bytes per second.
    long lineBytesPerSecond() {
        return Math.round(LINE_RATE * pace);
    }

    /// Limits for good pages. Seconds are unscaled: a faster pace makes no client more patient.
    Quality.Limits limits(Site site) {
        double good = GOOD_RATE * pace;
        double tolerable = TOLERABLE_RATE * pace;
        return site == Site.BANKING
                ? new Quality.Limits(2, 4, good, tolerable)
                : new Quality.Limits(3, 5, good, tolerable);
    }

    /// Clients of a part of a site: the part over TLS, or the part without.
    record Part(SiteModel model, boolean isSecure, double share) {}

    /// The bank is over TLS as a whole, support not at all. The shop's clients check out on
    /// connections of their own: here they are modelled as separate clients, in the same
    /// proportion.
    static List<Part> parts(Site site) {
        return switch (site) {
            case BANKING -> List.of(new Part(Published.specwebBanking(), true, 1));
            case SUPPORT -> List.of(new Part(Published.specwebSupport(), false, 1));
            case ECOMMERCE -> {
                SiteModel whole = Published.specwebEcommerce();
                SiteModel after = from(whole, CHECK_OUT);
                double secure = 0;
                for (Map.Entry<String, Double> page : whole.mix().entrySet()) {
                    boolean isAfter = after.graph().pages().contains(page.getKey());
                    secure += isAfter ? page.getValue() / 100 : 0;
                }
                SiteModel before = without(whole, after.graph().pages());
                yield List.of(new Part(before, false, 1 - secure), new Part(after, true, secure));
            }
        };
    }

    /// The pages that follow a page; sessions begin with them.
    private static SiteModel from(SiteModel whole, String start) {
        var pages = new ArrayList<String>();
        pages.add(start);
        for (int at = 0; at < pages.size(); at++) {
            for (Move move : whole.graph().moves(pages.get(at))) {
                if (!move.to().equals(PageGraph.END) && !pages.contains(move.to())) {
                    pages.add(move.to());
                }
            }
        }
        return part(whole, whole.name() + ", checking out", start, pages);
    }

    private static SiteModel without(SiteModel whole, List<String> others) {
        var pages = new ArrayList<>(whole.graph().pages());
        pages.removeAll(others);
        return part(whole, whole.name() + ", looking", whole.graph().start(), pages);
    }

    /// Transitions to other pages end the session.
    private static SiteModel part(SiteModel of, String name, String start, List<String> pages) {
        Map<String, List<Move>> rows = new LinkedHashMap<>();
        var known = new LinkedHashMap<>(of.pages());
        known.keySet().retainAll(pages);
        for (String page : pages) {
            var row = new ArrayList<Move>();
            for (Move move : of.graph().moves(page)) {
                boolean isHere = pages.contains(move.to());
                row.add(isHere ? move : new Move(PageGraph.END, move.probability()));
            }
            rows.put(page, row);
        }
        var graph = new PageGraph(start, PageGraph.Remainder.END, rows);
        return new SiteModel(name, graph, of.think(), known, of.end(), Map.of());
    }

    /// What a reader must know of the sites.
    String note() {
        return limits()
                + "Time passes "
                + Figures.show(pace, 0)
                + " times faster for clients than in SPECweb2005: think times and keep-alive"
                + " time-outs are divided by that, and a client's line has as many times the"
                + " benchmark's 100,000 bytes/s. Limits of quality are unscaled.";
    }

    private String limits() {
        return cage == null
                ? ""
                : "A server and the files that it has read share a limited memory, by a control"
                        + " group of version "
                        + cage.version()
                        + "; one server runs at a time. ";
    }

    @Override
    public void close() {
        besim.close();
        if (cage != null) {
            lineup.close(); // a group is removed when it is empty
            cage.close();
        }
    }
}
