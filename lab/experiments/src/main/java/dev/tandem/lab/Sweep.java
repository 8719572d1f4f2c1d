package dev.tandem.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Loads the servers of a lineup at several rates, by one generator. Confined to one thread.
final class Sweep implements Rounds.Turn {
    /// New sessions per second, or what else is swept.
    static final String RATE = "sessions/s";

    static final Setting ROUNDS = new Setting("rounds", "N", "5", "2", "how often each is taken");
    static final Setting SECS = new Setting("secs", "S", "10", "2.5", "what is counted of a take");
    static final Setting RAMP =
            new Setting("ramp", "S", "3", "1", "what is not counted at its beginning");
    static final Setting WARM =
            new Setting("warm", "S", "10", "3", "how long each server is warmed by the load");
    static final Setting SATURATION =
            new Setting(
                    "saturation", "R", "0", "sessions/s that saturate Tandem; 0 finds them out");

    /// What two looks at /proc and the end of a load take.
    private static final double ASIDE_SECONDS = 0.3;

    private static final double FIRST_RATE = 100;

    /// Where sessions are longer, fewer of them: so many requests a second at most.
    private static final double FIRST_CALLS = 1_000;

    private static final double PROBE_SECONDS = 1.5;
    private static final double PROBE_RAMP_SECONDS = 0.5;

    /// Of saturation: most of what a server runs in a take is compiled by then.
    private static final double WARM_SHARE = 0.75;

    private final Lineup lineup;
    private final Play play;
    private final Unit unit;
    private final double warmSeconds;
    private Play.Lasting probe = new Play.Lasting(PROBE_RAMP_SECONDS, PROBE_SECONDS);
    private double firstRate = FIRST_RATE;
    private double saturation;

    /// What is swept.
    ///
    /// @param parameter of cells
    /// @param each how many of it there are in a session
    record Unit(String parameter, double each) {
        static final Unit SESSIONS = new Unit(RATE, 1);
    }

    private Sweep(Lineup lineup, Play play, Unit unit, double warmSeconds) {
        this.lineup = lineup;
        this.play = play;
        this.unit = unit;
        this.warmSeconds = warmSeconds;
    }

    /// Sweeps new sessions per second.
    static Sweep of(Run run, Lineup lineup, Play play) {
        return of(run, lineup, play, Unit.SESSIONS);
    }

    static Sweep of(Run run, Lineup lineup, Play play, Unit unit) {
        return new Sweep(lineup, play, unit, run.settings().decimal(WARM, 0, 120));
    }

    /// How the saturation is looked for, where sessions last so long that a short load is of
    /// their first pages only.
    ///
    /// @param first a rate that a cold server can do
    Sweep probing(Play.Lasting lasting, double first) {
        probe = lasting;
        firstRate = first;
        return this;
    }

    /// How long takes of this run are.
    static Play.Lasting lasting(Run run) {
        return new Play.Lasting(
                run.settings().decimal(RAMP, 0, 120), run.settings().decimal(SECS, 0.1, 600));
    }

    /// Finds the saturation that rates are shares of, unless it was given.
    ///
    /// @param of the server whose it is
    /// @param setting that gives it, if it is not 0
    /// @return in the unit that is swept
    double saturation(Run run, String of, Setting setting)
            throws LabException, InterruptedException {
        double given = run.settings().decimal(setting, 0, 1e7);
        saturation = given > 0 ? given : find(run, of) * unit.each;
        run.say(of + " is saturated by " + Figures.show(saturation, 0) + " " + unit.parameter);
        return saturation;
    }

    /// Says what rates are shares of, in the unit that is swept.
    void saturated(double rate) {
        saturation = rate;
    }

    double saturation(Run run, String of) throws LabException, InterruptedException {
        return saturation(run, of, SATURATION);
    }

    private double find(Run run, String of) throws LabException, InterruptedException {
        RunningRival server = lineup.running(of);
        int processors = Math.max(1, lineup.entry(of).processors().size());
        Play looking = play.lasting(probe);
        double first = Math.min(firstRate, FIRST_CALLS / play.visitors().callsEach());
        return Saturation.find(rate -> told(looking.take(server, rate)), first, processors);
    }

    /// What was answered counts: what came too late or not at all cost the server nothing.
    private Saturation.Told told(Reading reading) {
        Map<String, Double> figures = reading.figures();
        double replies = figures.getOrDefault(Play.REPLIES, Double.NaN);
        double processors = figures.getOrDefault(Play.SERVER, Double.NaN);
        return new Saturation.Told(
                replies / play.visitors().callsEach(), processors, reading.generatorShare());
    }

    /// So many rounds of these cells, within the form's time.
    Rounds.Plan plan(Run run, int cells, double boxSeconds) {
        int rounds = run.settings().number(ROUNDS, 1, 99);
        double warm = warmSeconds * lineup.names().size() / Math.max(1, cells);
        return new Rounds.Plan(rounds, warm, play.lasting().inAll() + ASIDE_SECONDS, boxSeconds);
    }

    /// A cell for each rate and contender.
    ///
    /// @param shares rates, as shares of the saturation
    List<Cell> cells(List<String> contenders, List<Double> shares) {
        var cells = new ArrayList<Cell>();
        for (double share : shares) {
            for (String contender : contenders) {
                cells.add(Cell.of(contender, unit.parameter, rate(saturation, share)));
            }
        }
        return cells;
    }

    /// A share of a saturation as a rate: a whole number, since it is a cell's condition.
    static double rate(double saturation, double share) {
        return Math.max(1, Math.rint(saturation * share));
    }

    @Override
    public void warm(Cell cell) throws LabException, InterruptedException {
        String name = cell.contender();
        if (!lineup.isRunning(name) && warmSeconds > 0) {
            play.lasting(new Play.Lasting(0, warmSeconds))
                    .take(lineup.running(name), WARM_SHARE * saturation / unit.each);
        }
    }

    /// Contenders of a round get the same sessions.
    @Override
    public Reading take(Cell cell, int round) throws LabException, InterruptedException {
        return play.withSeed(play.seed() + round)
                .take(lineup.running(cell.contender()), cell.at(unit.parameter) / unit.each);
    }
}
