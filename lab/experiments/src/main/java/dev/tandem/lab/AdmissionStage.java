package dev.tandem.lab;

import java.util.ArrayList;
import java.util.List;

/// Where the experiments of admission take place: Tandem and its peers, each started when it is
/// first asked for, on one processor, and the generator on another. Confined to one thread.
final class AdmissionStage implements AutoCloseable {
    static final String TANDEM = "tandem";

    static final Setting AGAINST =
            new Setting(
                    "against",
                    "NAMES",
                    "tomcat,tomcat-virtual,jetty,undertow,helidon",
                    "tomcat,tomcat-virtual",
                    "peers to compare with; none for none");
    static final Setting WARM =
            new Setting("warm", "SECS", "8", "3", "load on each server before it is measured");
    static final Setting SECS = new Setting("secs", "SECS", "20", "4", "how long each take counts");

    /// Enough to keep every worker at work.
    private static final int PROBE_VISITORS = 64;

    private static final double PROBE_SECONDS = 3;
    private static final double PROBE_RAMP = 1;

    private final Run run;
    private final Workplace place;
    private final OwnProcessor own;
    private final Lineup lineup;
    private final List<String> notes = new ArrayList<>();

    private AdmissionStage(Run run, Workplace place, OwnProcessor own) throws LabException {
        this.run = run;
        this.place = place;
        this.own = own;
        this.lineup = new Lineup(run, place);
    }

    /// @param threads the most requests that run at once, of all that have such a limit
    /// @param peers what may be compared with, if anything
    static AdmissionStage set(Run run, int threads, boolean hasPeers)
            throws LabException, InterruptedException {
        Kernel.need();
        Pinning pinning = Pinning.of(run.around().tools());
        run.facts(Machine.describe(run.around(), pinning));
        var stage = new AdmissionStage(run, Workplace.make(), OwnProcessor.of(pinning));
        var settings = RivalSettings.DEFAULT.withThreads(threads);
        stage.add(OwnRival.TANDEM, settings, pinning);
        if (hasPeers) {
            for (Rival rival : stage.peers()) {
                stage.add(rival, settings, pinning);
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
        List<Rival> here = Rivals.here(names, run.around().tools(), missing);
        for (String line : missing) {
            notes.add("Not measured: " + line);
            run.say("not measured: " + line);
        }
        return here;
    }

    private void add(Rival rival, RivalSettings settings, Pinning pinning) {
        lineup.add(
                rival.name(),
                new Lineup.Entry(rival, place.root(), pinning.serverList(), settings));
    }

    /// Tandem, then its peers.
    List<String> names() {
        return lineup.names();
    }

    /// What could not be compared with, and why.
    List<String> notes() {
        return notes;
    }

    RunningRival server(String name) throws LabException, InterruptedException {
        return lineup.running(name);
    }

    /// See [Lineup#calm].
    void calm(String name) throws LabException, InterruptedException {
        lineup.calm(name);
    }

    /// Ends one and starts it afresh when it is next asked for.
    void end(String name) {
        lineup.end(name);
    }

    /// Loads a server so that its code is compiled, and, if it is Tandem, its workers are found.
    void warm(String name, AdmissionLoad load, double seconds)
            throws LabException, InterruptedException {
        if (seconds <= 0) {
            return; // without end, to the generator
        }
        var lasting = new AdmissionLoad.Lasting(0, seconds);
        load.closed(server(name), PROBE_VISITORS, lasting, run.seed());
    }

    /// How many requests a second a server answers that always has some to do.
    double capacity(String name, AdmissionLoad load) throws LabException, InterruptedException {
        var lasting = new AdmissionLoad.Lasting(PROBE_RAMP, PROBE_SECONDS);
        AdmissionLoad.Take take = load.closed(server(name), PROBE_VISITORS, lasting, run.seed());
        double found = take.goodput();
        if (!(found > 0)) {
            throw new LabException(name + " gave no answer in " + PROBE_SECONDS + " s");
        }
        run.say(name + " answers " + Figures.show(found, 0) + " requests/s");
        return found;
    }

    @Override
    public void close() {
        lineup.close();
        own.close();
        place.close();
    }
}
