package dev.tandem.lab;

import dev.tandem.lab.shops.AuctionClients;
import dev.tandem.load.Client;
import dev.tandem.workloads.PageView;
import dev.tandem.workloads.Published;
import dev.tandem.workloads.SessionEnd;
import dev.tandem.workloads.SiteModel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/// The auction that the servers of a run have, each with a database of its own, and its clients.
///
/// The clients' time passes faster, as in [SurgeSite].
///
/// @param app its folder
/// @param size of each database
/// @param callsEach requests of a session, in the mean
/// @param pace how many times faster time passes for clients
/// @param iterations of the hash of a new member's password
record AuctionSite(
        Path app,
        DatabaseProcess database,
        AuctionSize size,
        SiteModel model,
        double callsEach,
        double pace,
        int iterations)
        implements AutoCloseable {
    static final Setting MIX =
            new Setting("mix", "NAME", "bidding", "mix of pages: bidding or browsing");
    static final Setting PACE =
            new Setting("pace", "X", "20", "how many times faster time passes for clients");

    /// At the default pace a full form's session lasts 16 s at most, in the mean: as long as the
    /// ramp. RUBiS' own have hundreds of pages: then a server at twice its saturation takes half an
    /// hour to fill.
    static final Setting PAGES =
            new Setting("pages", "N", "45", "15", "maximum pages of a session");

    static final Setting KEEP_ALIVE =
            new Setting("keep-alive", "S", "15", "the rival's time-out, in seconds, before --pace");
    static final Setting PATIENCE =
            new Setting("patience", "S", "10", "2", "that of clients, in unscaled seconds");

    /// One session in seven registers: with the auction's own 600,000, hashing would be more than
    /// half of all computation of a server.
    static final Setting ITERATIONS =
            new Setting(
                    "iterations",
                    "N",
                    "60000",
                    "of a new member's password; RUBiS has none, the auction 600000");

    private static final int SESSIONS = 4_000;

    /// A page and its picture.
    private static final int CALLS_A_PAGE = 2;

    /// Sessions at least so fast are in equilibrium after some seconds.
    private static final double SHORT_PACE = 20;

    private static final int SHORT_PAGES = 45;

    /// RUBiS' whole population takes some minutes.
    private static final int FILL_SECONDS_MAX = 900;

    /// It compares what is kept of two large tables; a second is usual.
    private static final int RESTORE_SECONDS_MAX = 120;

    /// Twenty queries that read all tables.
    private static final int BOOKS_SECONDS_MAX = 300;

    /// @throws LabException if the auction is not built, or its database does not start
    static AuctionSite open(Run run, Bench bench) throws LabException, InterruptedException {
        Settings settings = run.settings();
        double pace = settings.decimal(PACE, 0.1, 1_000);
        String mix = settings.words(MIX, List.of("bidding", "browsing")).getFirst();
        SiteModel published =
                mix.equals("bidding") ? Published.rubisBidding() : Published.rubisBrowsing();
        SiteModel model = ending(published, settings.number(PAGES, 1, 1_000));
        Path app = Apps.folder("auction");
        AuctionSize size = AuctionSize.of(settings);
        var database = DatabaseProcess.start(bench);
        int iterations = settings.number(ITERATIONS, 1, 10_000_000);
        double calls = CALLS_A_PAGE * pages(model);
        return new AuctionSite(app, database, size, model, calls, pace, iterations);
    }

    /// The same site with clients whose sessions last some seconds: a measurement of seconds has
    /// all pages of them in their proportions.
    AuctionSite withShortSessions() {
        SiteModel shorter = ending(model, Math.min(SHORT_PAGES, model.end().pagesMax()));
        return new AuctionSite(
                app,
                database,
                size,
                shorter,
                CALLS_A_PAGE * pages(shorter),
                Math.max(SHORT_PACE, pace),
                iterations);
    }

    /// Mean duration of a session without response times, in seconds.
    double sessionSeconds() {
        AuctionClients clients = clients(_ -> {});
        double seconds = 0;
        for (int number = 0; number < SESSIONS; number++) {
            seconds += clients.offered(number, new SplittableRandom(number)).toNanos() / 1e9;
        }
        return seconds / SESSIONS;
    }

    /// Fills the servers' databases, unless they do it by themselves at their start.
    ///
    /// @param servers their names
    void fill(Bench bench, List<String> servers) throws LabException, InterruptedException {
        long from = System.nanoTime();
        List<String> names = servers.stream().map(AuctionSite::databaseOf).toList();
        database.fill(names, url -> fill(bench, url));
        double seconds = (System.nanoTime() - from) / 1e9;
        bench.run().say(size.note() + " Filled in " + Figures.show(seconds, 0) + " s.");
    }

    private void fill(Bench bench, String url) throws LabException, InterruptedException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(size.flags());
        command.addAll(List.of("-Dauction.url=" + url, "-Dauction.user=" + database.user()));
        command.addAll(List.of("-cp", Apps.classPath(app), "dev.tandem.auction.Filling"));
        // The server's processor is idle meanwhile.
        String said = Toolbox.output(FILL_SECONDS_MAX, bench.pinning().onServer(command)).strip();
        if (!said.isEmpty()) {
            throw new LabException("the auction's database cannot be filled: " + said);
        }
        restore(bench, url);
    }

    /// Puts a server's database back to what it was before all load. It must have no load.
    ///
    /// @param server its name
    void restoreDatabase(Bench bench, String server) throws LabException, InterruptedException {
        restore(bench, url(server));
    }

    /// The first call keeps what is there.
    private void restore(Bench bench, String url) throws LabException, InterruptedException {
        List<String> command =
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        Apps.classPath(app),
                        "dev.tandem.auction.Restoring",
                        url,
                        database.user());
        String said =
                Toolbox.output(RESTORE_SECONDS_MAX, bench.pinning().onServer(command)).strip();
        if (!said.isEmpty()) {
            throw new LabException("the auction's database cannot be restored: " + said);
        }
    }

    private static SiteModel ending(SiteModel of, int pagesMax) {
        return new SiteModel(
                of.name(),
                of.graph(),
                of.think(),
                of.pages(),
                new SessionEnd(pagesMax, of.end().stay()),
                of.mix());
    }

    /// Mean number of pages of a session.
    private static double pages(SiteModel model) {
        long pages = 0;
        for (int number = 0; number < SESSIONS; number++) {
            Iterator<PageView> way = model.begin(number, new SplittableRandom(number));
            for (; way.hasNext(); way.next()) {
                pages++;
            }
        }
        return (double) pages / SESSIONS;
    }

    /// Returns a server of the auction.
    ///
    /// @throws LabException if its database cannot be created
    Lineup.Entry entry(Rival like, RivalSettings settings, List<Integer> processors)
            throws LabException {
        var flags = new ArrayList<>(size.flags());
        flags.add("-Dauction.url=" + url(like.name()));
        flags.add("-Dauction.user=" + database.user());
        flags.add("-Dauction.password.iterations=" + iterations);
        return new Lineup.Entry(new AppRival(like, List.copyOf(flags)), app, processors, settings);
    }

    private String url(String server) throws LabException {
        return database.url(databaseOf(server));
    }

    private static String databaseOf(String server) {
        return server.replace('-', '_');
    }

    /// Scales a time by the pace, for the server.
    Duration faster(double seconds) {
        return Duration.ofNanos(Math.round(seconds * 1e9 / pace));
    }

    AppliedLoad play(Run run, AppliedLoad.Timing timing) {
        double patience = run.settings().decimal(PATIENCE, 0.1, 600);
        var client = Client.DEFAULT.withCookies(true).withTls(BoringClients.TLS);
        var clients =
                new LoadClients(
                        clients(_ -> {}),
                        callsEach,
                        client,
                        Duration.ofNanos(Math.round(patience * 1e9)));
        return new AppliedLoad(clients, timing, run.seed());
    }

    /// @param ended receives the length of each completed session
    AuctionClients clients(Consumer<Duration> ended) {
        return new AuctionClients(model, size.users(), pace, ended);
    }

    /// Returns the inconsistencies in a server's books, a sentence each: read from outside the
    /// server.
    List<String> violations(String server) throws LabException, InterruptedException {
        var command = new ArrayList<String>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-cp", Apps.classPath(app), "dev.tandem.auction.ConsistencyCheck"));
        command.addAll(List.of(url(server), database.user()));
        return Toolbox.output(BOOKS_SECONDS_MAX, command)
                .lines()
                .filter(line -> !line.isBlank())
                .toList();
    }

    /// What a reader must know of the auction.
    String note() {
        String time =
                pace == 1
                        ? "Time is not compressed."
                        : "Time passes "
                                + Figures.show(pace, 0)
                                + " times faster for clients than in RUBiS: think times and the"
                                + " rival's keep-alive time-out are divided by that. Patience is"
                                + " not.";
        return time
                + " A session has "
                + Figures.show(callsEach, 0)
                + " requests on average and "
                + Figures.show(CALLS_A_PAGE * model.end().pagesMax(), 0)
                + " at most, and a new member's password costs "
                + Figures.show(iterations, 0)
                + " iterations. "
                + size.note()
                + " Each measurement begins with the same data.";
    }

    @Override
    public void close() {
        database.close();
    }
}
