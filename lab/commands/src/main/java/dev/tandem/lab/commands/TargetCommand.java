package dev.tandem.lab.commands;

import dev.tandem.Options;
import dev.tandem.Server;
import dev.tandem.cli.command.Arguments;
import dev.tandem.cli.command.Command;
import dev.tandem.cli.command.Folders;
import dev.tandem.cli.command.Option;
import dev.tandem.cli.command.Terminal;
import dev.tandem.cli.serving.Listen;
import dev.tandem.cli.serving.ManageOptions;
import dev.tandem.cli.serving.ServerLifecycle;
import dev.tandem.cli.serving.ServerStart;
import dev.tandem.cli.serving.StartMessage;
import dev.tandem.cli.serving.TlsOptions;
import dev.tandem.engine.tuning.EngineTuning;
import dev.tandem.lab.ServletTarget;
import dev.tandem.lab.Target;
import dev.tandem.tomcat.Applications;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// `tandem lab target`: serves the endpoints that all compared servers have.
///
/// @param stay what happens once the server runs
record TargetCommand(Terminal terminal, ServerLifecycle stay) {
    static final Option ROOT = new Option("--root", "DIR", ".", "the folder whose files are at /");

    private static final Option WORKERS =
            new Option(
                    "--workers", "N|auto", "auto", "maximum handlers that block at the same time");
    private static final Option FIXED =
            new Option("--fixed-workers", "N|no", "no", "fixed, not searched for, to compare with");
    private static final Option ADMIT_ALL =
            Option.flag("--admit-all", "uses no admission, to measure its cost");
    private static final Option BY_WORKERS =
            Option.flag("--by-workers", "runs no handler on the loop's thread");
    private static final Option CGI =
            new Option("--cgi", "DIR", "", "runs the programs of DIR for paths below /cgi-bin");
    private static final Option SERVLET =
            Option.flag("--servlet", "as servlets, with /100k and /ws, under Catalina");

    Command command() {
        return new Command(
                "lab target",
                "",
                "serves the endpoints of compared servers",
                List.of(
                        "/hello, /hello-loop (never blocks), /block?ms=N, /report?ms=N,",
                        "/cpu?us=N, /db, /echo, and at every other path the file of DIR."),
                Option.concat(
                        List.of(
                                Listen.OPTION,
                                ROOT,
                                WORKERS,
                                FIXED,
                                ADMIT_ALL,
                                BY_WORKERS,
                                CGI,
                                SERVLET),
                        TlsOptions.all(),
                        ManageOptions.all()),
                this::run);
    }

    private void run(Arguments arguments) {
        Path root = Folders.existing(arguments.value(ROOT));
        if (arguments.has(SERVLET)) {
            runServlets(arguments, root);
            return;
        }
        Options options =
                options(arguments).withThreads(t -> t.withInPlace(!arguments.has(BY_WORKERS)));
        EngineTuning tuning = EngineTuning.DEFAULT.withAdmitting(!arguments.has(ADMIT_ALL));
        String programs = arguments.value(CGI);
        try (var target =
                new Target(root, programs.isEmpty() ? null : Folders.existing(programs))) {
            new ServerStart(terminal, stay)
                    .start(
                            arguments,
                            "is a measurement target over " + root,
                            server -> target.addTo(server).options(options).tuning(tuning));
        }
    }

    private void runServlets(Arguments arguments, Path root) {
        for (Option option : List.of(CGI, FIXED)) {
            if (arguments.has(option)) {
                throw arguments.usageError(option.name() + " and --servlet exclude each other");
            }
        }
        Listen listen = Listen.of(arguments, Listen.OPTION);
        Applications.disableMBeans();
        try (var target = new ServletTarget(listen.host(), listen.port(), root)) {
            target.workers(options(arguments).threads().workersMax())
                    .prepare(
                            tandem -> {
                                ManageOptions.addTo(tandem, arguments);
                                new TlsOptions(terminal).addTo(tandem, arguments);
                            });
            Server server = target.start();
            var message = new StartMessage(listen, "is a measurement target of servlets");
            stay.awaitStop(server, () -> message.print(terminal, server));
        } catch (IOException e) {
            throw ServerStart.startFailure(arguments, e);
        }
    }

    private static Options options(Arguments arguments) {
        if (!arguments.value(FIXED).equals(FIXED.fallback())) {
            return fixed(arguments);
        }
        if (arguments.value(WORKERS).equals(WORKERS.fallback())) {
            return Options.DEFAULT;
        }
        try {
            int workers = arguments.number(WORKERS);
            return Options.DEFAULT.withThreads(t -> t.withWorkersMax(workers));
        } catch (IllegalArgumentException e) {
            throw arguments.usageError("--workers: " + e.getMessage());
        }
    }

    private static Options fixed(Arguments arguments) {
        try {
            int workers = arguments.number(FIXED);
            return Options.DEFAULT.withThreads(
                    t -> t.withWorkersMax(workers).withWorkersMin(workers));
        } catch (IllegalArgumentException e) {
            throw arguments.usageError("--fixed-workers: " + e.getMessage());
        }
    }
}
