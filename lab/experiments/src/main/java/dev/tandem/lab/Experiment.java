package dev.tandem.lab;

import java.io.PrintStream;
import java.util.List;

/// An experiment of the lab, with all that a command line must know of it. Immutable.
public final class Experiment {
    private final String name;
    private final String help;
    private final List<String> details;
    private final Terms terms;
    private final Procedure procedure;

    Experiment(String name, String help, List<String> details, Terms terms, Procedure procedure) {
        this.name = name;
        this.help = help;
        this.details = List.copyOf(details);
        this.terms = terms;
        this.procedure = procedure;
    }

    /// Conditions of a run.
    ///
    /// @param settings in the order of help
    /// @param needs checked before a run begins
    /// @param quickSeconds approximate duration of a quick run; at most 180, with shops 360
    /// @param fullSeconds approximate duration of a full run
    record Terms(List<Setting> settings, List<Need> needs, int quickSeconds, int fullSeconds) {
        Terms {
            settings = List.copyOf(settings);
            needs = List.copyOf(needs);
        }
    }

    /// Such as `speed`.
    public String name() {
        return name;
    }

    /// What it shows, in a few words.
    public String help() {
        return help;
    }

    /// More, one line each.
    public List<String> details() {
        return details;
    }

    /// In the order of help.
    public List<Setting> settings() {
        return terms.settings;
    }

    /// What it uses and a machine may lack.
    public List<Need> needs() {
        return terms.needs;
    }

    /// Approximate duration, in seconds.
    public int seconds(Form form) {
        return form == Form.QUICK ? terms.quickSeconds : terms.fullSeconds;
    }

    /// Runs the experiment. Takes seconds to minutes, prints how long, and writes `report.html`,
    /// `result.json`, `result.md` and a CSV file for each chart. A goal that is not reached is a
    /// result, no failure.
    ///
    /// @param out for progress and the tables at the end
    /// @param isTerminal whether the output is a terminal, on which a progress bar is drawn
    /// @throws LabException if it fails completely or in part; the measurements so far are kept,
    ///     marked as partial
    /// @throws IllegalArgumentException if a value is wrong; names the setting and the value
    public void run(Order order, PrintStream out, boolean isTerminal) throws LabException {
        run(order, Environment.ofProcess(out), isTerminal);
    }

    void run(Order order, Environment environment, boolean isTerminal) throws LabException {
        for (Need need : needs()) {
            need.check(environment.tools());
        }
        if (order.hasPictures()) {
            new ChartImages(environment.tools()).browser();
        }
        var run = new Run(this, order, environment, isTerminal);
        try {
            procedure.run(run);
        } catch (LabException e) {
            run.breakOff(e.line());
            throw e;
        } catch (InterruptedException e) {
            run.breakOff("interrupted");
            Thread.currentThread().interrupt();
            throw new LabException("interrupted");
        }
        run.finish();
    }

    /// The procedure of an experiment.
    @FunctionalInterface
    interface Procedure {
        void run(Run run) throws LabException, InterruptedException;
    }
}
