package dev.tandem.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Loads the servers of a lineup at several rates, by one generator. Confined to one thread.
final class Sweep implements Repetitions.Runner {
    /// New sessions per second, or another swept parameter.
    static final String RATE = "sessions/s";

    static final Setting REPETITIONS =
            new Setting("repetitions", "N", "3", "2", "how often each is measured");
    static final Setting SECS =
            new Setting("secs", "S", "20", "2.5", "counted time of a measurement");
    static final Setting RAMP =
            new Setting("ramp", "S", "3", "1", "uncounted time at its beginning");
    static final Setting WARM =
            new Setting(
                    "warm",
                    "S",
                    "60",
                    "3",
                    "load on each server before, until it is warm, at most");
    static final Setting SATURATION =
            new Setting("saturation", "R", "0", "sessions/s that saturate Tandem; 0 measures them");

    /// Time of two readings of /proc and the end of a load.
    private static final double ASIDE_SECONDS = 0.3;

    private static final double FIRST_RATE = 100;

    /// Maximum requests per second of the first load; longer sessions mean fewer of them.
    private static final double FIRST_CALLS = 1_000;

    private static final double PROBE_SECONDS = 1.5;
    private static final double PROBE_RAMP_SECONDS = 0.5;

    /// Share of saturation: most of the code of a measurement is compiled by then.
    private static final double WARM_SHARE = 0.75;

    private final Run run;
    private final Lineup lineup;
    private final AppliedLoad load;
    private final Unit unit;
    private final double warmSeconds;
    private AppliedLoad probe;
    private double firstRate = FIRST_RATE;
    private double saturation;

    /// The swept parameter.
    ///
    /// @param parameter of scenarios
    /// @param each how many of it there are in a session
    record Unit(String parameter, double each) {
        static final Unit SESSIONS = new Unit(RATE, 1);
    }

    private Sweep(Run run, Lineup lineup, AppliedLoad load, Unit unit, double warmSeconds) {
        this.run = run;
        this.lineup = lineup;
        this.load = load;
        this.unit = unit;
        this.warmSeconds = warmSeconds;
        this.probe = load.timing(new AppliedLoad.Timing(PROBE_RAMP_SECONDS, PROBE_SECONDS));
    }

    /// Sweeps new sessions per second.
    static Sweep of(Run run, Lineup lineup, AppliedLoad load) {
        return of(run, lineup, load, Unit.SESSIONS);
    }

    static Sweep of(Run run, Lineup lineup, AppliedLoad load, Unit unit) {
        return new Sweep(run, lineup, load, unit, run.settings().decimal(WARM, 0, 120));
    }

    /// Sets how saturation is measured, where sessions last so long that a short load has their
    /// first pages only.
    ///
    /// @param other with the same requests in sessions that may be shorter, or faster
    /// @param first a rate that a cold server can sustain
    Sweep probing(AppliedLoad other, double first) {
        probe = other;
        firstRate = first;
        return this;
    }

    /// Lengths of this run's measurements.
    static AppliedLoad.Timing timing(Run run) {
        return new AppliedLoad.Timing(
                run.settings().decimal(RAMP, 0, 120), run.settings().decimal(SECS, 0.1, 600));
    }

    /// Measures the saturation that rates are shares of, unless it was given.
    ///
    /// @param of name of the server
    /// @param setting with its value, unless 0
    /// @return in the unit that is swept
    double saturation(String of, Setting setting) throws LabException, InterruptedException {
        double given = run.settings().decimal(setting, 0, 1e7);
        saturation = given > 0 ? given : find(of) * unit.each;
        run.say(of + " is saturated by " + Figures.show(saturation, 0) + " " + unit.parameter);
        return saturation;
    }

    /// Reports the saturation, in the unit that is swept.
    void setSaturation(double rate) {
        saturation = rate;
    }

    double saturation(String of) throws LabException, InterruptedException {
        return saturation(of, SATURATION);
    }

    /// The same of a server that will have a part of its processor, and has all of it now.
    ///
    /// @param part over 0, at most 1; a saturation that was given is that of the part
    double saturation(String of, double part) throws LabException, InterruptedException {
        boolean isGiven = run.settings().decimal(SATURATION, 0, 1e7) > 0;
        double whole = saturation(of);
        if (part < 1 && !isGiven) {
            setSaturation(part * whole);
            run.say(
                    Figures.show(part, 2)
                            + " of its processor by "
                            + Figures.show(part * whole, 1));
        }
        return saturation;
    }

    private double find(String of) throws LabException, InterruptedException {
        RunningRival server = lineup.running(of);
        int processors = Math.max(1, lineup.entry(of).processors().size());
        double callsEach = probe.clients().callsEach();
        double first = Math.min(firstRate, FIRST_CALLS / callsEach);
        Saturation.Load loaded = rate -> result(probe.measure(server, rate), callsEach);
        double found = Saturation.find(loaded, first, processors);
        if (warmSeconds >= WarmUp.SECONDS_MIN && lineup.markWarm(of)) {
            // Again: a warm server can do more.
            probe.warm(run, of, server, WARM_SHARE * found, warmSeconds);
            found = Saturation.again(loaded, found, processors);
        }
        return found * callsEach / load.clients().callsEach();
    }

    /// Responses count: a late or missing one cost the server nothing.
    private static Saturation.Result result(Reading reading, double callsEach) {
        Map<String, Double> figures = reading.figures();
        double replies = figures.getOrDefault(AppliedLoad.REPLIES, Double.NaN);
        double processors = figures.getOrDefault(AppliedLoad.SERVER, Double.NaN);
        return new Saturation.Result(replies / callsEach, processors, reading.generatorShare());
    }

    /// A plan for these scenarios, within the form's time.
    Repetitions.Plan plan(Run run, int scenarios, double boxSeconds) {
        int repetitions = run.settings().number(REPETITIONS, 1, 99);
        double warm = warmSeconds * lineup.names().size() / Math.max(1, scenarios);
        return new Repetitions.Plan(
                repetitions, warm, load.timing().totalSeconds() + ASIDE_SECONDS, boxSeconds);
    }

    /// Returns a scenario for each rate and contender.
    ///
    /// @param shares rates, as shares of the saturation
    List<Scenario> scenarios(List<String> contenders, List<Double> shares) {
        var scenarios = new ArrayList<Scenario>();
        for (double share : shares) {
            for (String contender : contenders) {
                scenarios.add(Scenario.of(contender, unit.parameter, rate(saturation, share)));
            }
        }
        return scenarios;
    }

    /// Returns a share of a saturation as a rate: a whole number, since it is a scenario's
    /// condition.
    static double rate(double saturation, double share) {
        return Math.max(1, Math.rint(saturation * share));
    }

    @Override
    public void warm(Scenario scenario) throws LabException, InterruptedException {
        String name = scenario.contender();
        if (lineup.markWarm(name)) {
            double rate = WARM_SHARE * saturation / unit.each;
            load.warm(run, name, lineup.running(name), rate, warmSeconds);
        }
    }

    /// Contenders of a repetition get the same sessions.
    @Override
    public Reading measure(Scenario scenario, int repetition)
            throws LabException, InterruptedException {
        return load.withSeed(load.seed() + repetition)
                .measure(
                        lineup.running(scenario.contender()),
                        scenario.at(unit.parameter) / unit.each);
    }
}
