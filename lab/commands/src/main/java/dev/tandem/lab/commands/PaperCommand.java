package dev.tandem.lab.commands;

import dev.tandem.cli.command.Arguments;
import dev.tandem.cli.command.Command;
import dev.tandem.cli.command.Failure;
import dev.tandem.cli.command.Option;
import dev.tandem.cli.command.Terminal;
import dev.tandem.lab.Form;
import dev.tandem.lab.LabException;
import dev.tandem.lab.Order;
import dev.tandem.lab.papers.PaperRuns;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;

/// `lab run papers`: the figures of the papers, repeated, and their page.
///
/// @param terminal where progress and results are shown
record PaperCommand(Terminal terminal) {
    private static final Option QUICK = Option.flag("--quick", "in minutes each: a look");
    private static final Option FULL =
            Option.flag("--full", "as thoroughly as published figures, for hours");
    private static final Option PAPER =
            new Option("--paper", "LIST", "", "of icpads, hpcc, server2012, thesis, dsn");
    private static final Option FIGURE =
            new Option("--figure", "LIST", "", "such as thesis-4.18,dsn-8");
    private static final Option VERDICTS =
            Option.flag("--verdicts", "only the runs that verdicts need");
    private static final Option LIST =
            Option.flag("--list", "shows figures, their state and duration");
    private static final Option WRITE =
            Option.flag("--write", "writes the page of what is there, measures nothing");
    private static final Option OUT =
            new Option("--out", "DIR", "lab-results/papers", "folder of raw results");
    private static final Option PAGE =
            new Option("--page", "FILE", "docs/papers.md", "the page; drawings next to it");

    Command command() {
        return new Command(
                "lab run papers",
                "",
                "repeats the papers' figures, and writes their page",
                List.of(
                        "Measures what has no complete run of this commit and machine,",
                        "so that the same command continues after an interruption."),
                List.of(QUICK, FULL, PAPER, FIGURE, VERDICTS, LIST, WRITE, OUT, PAGE),
                this::run);
    }

    private void run(Arguments arguments) {
        if (arguments.has(QUICK) && arguments.has(FULL)) {
            throw arguments.usageError("--quick and --full exclude each other");
        }
        var plan =
                new PaperRuns.Plan(
                        arguments.has(QUICK) ? Form.QUICK : Form.FULL,
                        path(arguments, arguments.value(OUT)),
                        path(arguments, arguments.value(PAGE)).toAbsolutePath(),
                        Order.SEED,
                        arguments.has(VERDICTS));
        var laboratory = PaperRuns.Laboratory.here(terminal.out(), terminal.isColoured());
        var runs = new PaperRuns(plan, laboratory, terminal.out());
        List<String> problems;
        try {
            problems = run(runs, arguments);
        } catch (LabException e) {
            throw Failure.failed(String.valueOf(e.getMessage()));
        } catch (IllegalArgumentException e) {
            throw arguments.usageError(String.valueOf(e.getMessage()));
        }
        if (arguments.has(LIST)) {
            return;
        }
        terminal.out().println("written: " + plan.page());
        terminal.out().flush();
        if (!problems.isEmpty()) {
            throw Failure.failed(String.join("; ", problems));
        }
    }

    private static List<String> run(PaperRuns runs, Arguments arguments) throws LabException {
        String papers = arguments.value(PAPER);
        String figures = arguments.value(FIGURE);
        if (arguments.has(LIST)) {
            runs.list(papers, figures);
            return List.of();
        }
        if (arguments.has(WRITE)) {
            runs.write();
            return List.of();
        }
        return runs.run(papers, figures);
    }

    private static Path path(Arguments arguments, String name) {
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw arguments.usageError("'" + name.replace('\0', '?') + "' is not a path");
        }
    }
}
