package dev.tandem.lab.papers;

import dev.tandem.lab.Experiment;
import dev.tandem.lab.Form;
import dev.tandem.lab.LabException;
import dev.tandem.lab.Order;
import dev.tandem.lab.RunResult;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/// Runs what repeats some figures, one experiment after the other, and writes the page after each.
/// A run that is complete, of this commit and of this machine, is not repeated. Confined to one
/// thread.
public final class PaperRuns {
    /// Reports, and the servers' own files, need some hundred MB.
    private static final long FREE_BYTES_MIN = 1L << 29;

    private final Plan plan;
    private final Laboratory laboratory;
    private final PrintStream out;
    private final Store store;

    /// What is run, and where its results go.
    ///
    /// @param folder of raw results
    /// @param page the Markdown page; its drawings and results go to `results/papers` next to it
    /// @param isVerdictsOnly without the runs that no verdict needs: those of further contenders,
    ///     and those that look for the reason of a difference
    public record Plan(Form form, Path folder, Path page, long seed, boolean isVerdictsOnly) {}

    /// The machine on which is measured.
    public interface Laboratory {

        /// @return the facts in which runs must be equal to be compared
        /// @throws LabException if there is no /proc
        Map<String, String> identity() throws LabException;

        /// Runs an experiment, which writes its report into the order's folder.
        ///
        /// @throws LabException if it fails completely or in part
        void run(Experiment experiment, Order order) throws LabException;

        /// Free bytes where a folder is, or would be.
        long freeBytes(Path folder);

        /// Returns this machine.
        ///
        /// @param out for progress
        static Laboratory here(PrintStream out, boolean isTerminal) {
            return new Laboratory() {
                @Override
                public Map<String, String> identity() throws LabException {
                    return RunResult.identityHere();
                }

                @Override
                public void run(Experiment experiment, Order order) throws LabException {
                    experiment.run(order, out, isTerminal);
                }

                @Override
                public long freeBytes(Path folder) {
                    try {
                        Files.createDirectories(folder);
                        return Files.getFileStore(folder).getUsableSpace();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
            };
        }
    }

    public PaperRuns(Plan plan, Laboratory laboratory, PrintStream out) {
        this.plan = plan;
        this.laboratory = laboratory;
        this.out = out;
        this.store = new Store(plan.folder, PaperPage.drawings(plan.page));
    }

    /// Prints a line for each figure: its verdict so far, and the run that repeats it.
    ///
    /// @param papers names such as `thesis`, separated by commas; empty for all
    /// @param figures names such as `thesis-4.18`, the same
    /// @throws IllegalArgumentException if there is no such paper or figure; names it
    public void list(String papers, String figures) {
        list(Catalogue.chosen(papers, figures));
    }

    private void list(List<PaperFigure> figures) {
        for (PaperFigure figure : figures) {
            Verdict verdict = figure.verdict(store::best);
            out.println(figure.paper().id() + " " + figure.numbers() + "  " + figure.title());
            out.println("          " + verdict.words().replace("*", ""));
            for (Job one : jobs(List.of(figure))) {
                out.println(
                        "          "
                                + one.command(plan.form)
                                + ", "
                                + minutes(one.seconds(plan.form)));
            }
        }
        out.println(estimate(jobs(figures)));
        out.flush();
    }

    /// Writes the page of what has been measured.
    ///
    /// @throws LabException if it cannot be written
    public void write() throws LabException {
        new PaperPage(store, plan.page).write(Catalogue.all());
    }

    /// Measures what is missing, what verdicts need first, and writes the page after each run.
    ///
    /// @param papers names such as `thesis`, separated by commas; empty for all
    /// @param figures names such as `thesis-4.18`, the same
    /// @return what could not be measured, a line each
    /// @throws IllegalArgumentException if there is no such paper or figure; names it
    /// @throws LabException if the page or a result cannot be written
    public List<String> run(String papers, String figures) throws LabException {
        return run(Catalogue.chosen(papers, figures));
    }

    List<String> run(List<PaperFigure> figures) throws LabException {
        Map<String, String> here = laboratory.identity();
        var problems = new ArrayList<String>();
        var missing = new ArrayList<Job>();
        for (Job job : jobs(figures)) {
            if (isDone(job, here)) {
                out.println(job.name() + ": complete already, of this commit and machine");
            } else {
                missing.add(job);
            }
        }
        out.println(estimate(missing));
        out.flush();
        for (Job job : missing) {
            String problem = measure(job);
            if (!problem.isEmpty()) {
                problems.add(job.name() + ": " + problem);
            }
            write();
            if (Thread.currentThread().isInterrupted()) {
                problems.add("interrupted: the same command continues");
                return problems;
            }
        }
        write();
        return problems;
    }

    /// A run of a changed tree is never the same again: its commit does not say what it measured.
    private boolean isDone(Job job, Map<String, String> here) {
        RunResult result = store.part(plan.form, job).complete();
        return result != null
                && result.identity().equals(here)
                && !here.getOrDefault("commit", "").endsWith("changed");
    }

    /// @return why it failed; empty if it did not
    private String measure(Job job) {
        Path folder = store.report(plan.form, job);
        if (laboratory.freeBytes(plan.folder) < FREE_BYTES_MIN) {
            return "not begun: the disk of " + plan.folder + " has less than 512 MiB left";
        }
        out.println("\n== " + job.name() + ": " + job.command(plan.form));
        var order = new Order(plan.form, job.options(), plan.seed, folder, false);
        try {
            laboratory.run(job.run(), order);
            return "";
        } catch (LabException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /// Each once: several figures share a run. Those that verdicts need come first.
    private List<Job> jobs(List<PaperFigure> figures) {
        var jobs = new LinkedHashSet<Job>();
        figures.forEach(figure -> jobs.addAll(figure.verdictJobs()));
        if (!plan.isVerdictsOnly) {
            figures.forEach(figure -> jobs.addAll(figure.jobs()));
        }
        return List.copyOf(jobs);
    }

    private String estimate(List<Job> jobs) {
        int seconds = jobs.stream().mapToInt(job -> job.seconds(plan.form)).sum();
        String runs = jobs.size() == 1 ? "1 run" : jobs.size() + " runs";
        return runs + " to measure, about " + minutes(seconds) + " in all";
    }

    private static String minutes(int seconds) {
        return Math.max(1, Math.round(seconds / 60.0)) + " min";
    }
}
