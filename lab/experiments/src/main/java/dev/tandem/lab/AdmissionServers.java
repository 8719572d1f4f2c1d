package dev.tandem.lab;

import java.util.ArrayList;
import java.util.List;

/// Environment of the admission experiments: Tandem and its peers, each started on first use, on
/// one processor, and the generator on another. Confined to one thread.
final class AdmissionServers implements AutoCloseable {
    static final String TANDEM = "tandem";

    /// The same server, loaded over HTTP/2.
    static final String TANDEM_HTTP2 = "tandem over HTTP/2";

    static final Setting HTTP2 =
            Setting.flag("http2", "measures Tandem over HTTP/2, too (h2c by prior knowledge)");

    static final Setting AGAINST =
            new Setting(
                    "against",
                    "NAMES",
                    "tomcat,tomcat-virtual,jetty,undertow,helidon",
                    "tomcat,tomcat-virtual",
                    "peers to compare with; none for none");
    static final Setting WARM =
            new Setting("warm", "SECS", "8", "3", "load on each server before it is measured");
    static final Setting SECS =
            new Setting("secs", "SECS", "20", "4", "measured time of each measurement");

    /// Enough to keep every worker busy.
    private static final int PROBE_CLIENTS = 64;

    private static final double PROBE_SECONDS = 3;
    private static final double PROBE_RAMP = 1;

    private final Run run;
    private final WorkFolder workFolder;
    private final OwnProcessor own;
    private final Lineup lineup;
    private final List<String> notes = new ArrayList<>();
    private final List<String> names = new ArrayList<>();

    private AdmissionServers(Run run, WorkFolder workFolder, OwnProcessor own) throws LabException {
        this.run = run;
        this.workFolder = workFolder;
        this.own = own;
        this.lineup = new Lineup(run, workFolder);
    }

    /// @param threads maximum number of concurrent requests, for servers that have such a limit
    /// @param hasPeers which peers may be compared with, if any
    static AdmissionServers set(Run run, int threads, boolean hasPeers)
            throws LabException, InterruptedException {
        Kernel.need();
        Pinning pinning = Pinning.of(run.environment().tools());
        run.facts(Machine.describe(run.environment(), pinning));
        var stage = new AdmissionServers(run, WorkFolder.make(), OwnProcessor.of(pinning));
        var settings = RivalSettings.DEFAULT.withThreads(threads);
        stage.add(OwnRival.TANDEM, settings, pinning);
        stage.names.add(TANDEM);
        if (hasPeers) {
            for (Rival rival : stage.peers()) {
                stage.add(rival, settings, pinning);
                stage.names.add(rival.name());
            }
        }
        return stage;
    }

    private List<Rival> peers() throws LabException, InterruptedException {
        var known = new ArrayList<>(Rivals.names());
        known.add("none");
        var names = new ArrayList<>(run.settings().words(AGAINST, known));
        names.remove("none");
        var missing = new ArrayList<String>();
        List<Rival> here = Rivals.here(names, run.environment().tools(), missing);
        for (String line : missing) {
            notes.add("Not measured: " + line);
            run.say("not measured: " + line);
        }
        return here;
    }

    private void add(Rival rival, RivalSettings settings, Pinning pinning) {
        lineup.add(
                rival.name(),
                new Lineup.Entry(rival, workFolder.root(), pinning.serverList(), settings));
    }

    /// Tandem, then its peers; Tandem twice if it is also loaded over HTTP/2.
    List<String> names() {
        return List.copyOf(names);
    }

    /// Compares Tandem over HTTP/2, too, if the user wants it.
    void addHttp2() {
        if (run.settings().isGiven(HTTP2)) {
            lineup.same(TANDEM_HTTP2, TANDEM);
            names.add(names.indexOf(TANDEM) + 1, TANDEM_HTTP2);
        }
    }

    /// Which peers could not be compared with, and why.
    List<String> notes() {
        return notes;
    }

    RunningRival server(String name) throws LabException, InterruptedException {
        return lineup.running(name);
    }

    /// Returns a load by the protocol that a contender's name says.
    static AdmissionLoad of(String name, AdmissionLoad load) {
        return name.equals(TANDEM_HTTP2) ? load.overHttp2() : load;
    }

    /// See [Lineup#calm].
    void calm(String name) throws LabException, InterruptedException {
        lineup.calm(name);
    }

    /// Stops a server; it is started afresh on its next use.
    void end(String name) {
        lineup.end(name);
    }

    /// Loads a server until its code is compiled and, for Tandem, its number of workers is found.
    void warm(String name, AdmissionLoad load, double seconds)
            throws LabException, InterruptedException {
        if (seconds <= 0) {
            return; // without end, to the generator
        }
        var timing = new AdmissionLoad.Timing(0, seconds);
        of(name, load).closed(server(name), PROBE_CLIENTS, timing, run.seed());
    }

    /// Returns how many requests per second a permanently busy server completes.
    double capacity(String name, AdmissionLoad load) throws LabException, InterruptedException {
        var timing = new AdmissionLoad.Timing(PROBE_RAMP, PROBE_SECONDS);
        AdmissionLoad.Result measurement =
                load.closed(server(name), PROBE_CLIENTS, timing, run.seed());
        double found = measurement.goodput();
        if (!(found > 0)) {
            throw new LabException(name + " sent no response in " + PROBE_SECONDS + " s");
        }
        run.say(name + " completes " + Figures.show(found, 0) + " requests/s");
        return found;
    }

    @Override
    public void close() {
        lineup.close();
        own.close();
        workFolder.close();
    }
}
