package dev.tandem.lab.commands;

import dev.tandem.cli.command.Arguments;
import dev.tandem.cli.command.Command;
import dev.tandem.cli.command.Failure;
import dev.tandem.cli.command.Folders;
import dev.tandem.cli.command.Option;
import dev.tandem.cli.command.Terminal;
import dev.tandem.cli.serving.CatalinaLog;
import dev.tandem.cli.serving.Listen;
import dev.tandem.cli.serving.ServerLifecycle;
import dev.tandem.cli.serving.ServerStart;
import dev.tandem.cli.serving.StartMessage;
import dev.tandem.cli.serving.TlsOptions;
import dev.tandem.lab.LabException;
import dev.tandem.lab.RivalTarget;
import dev.tandem.lab.Rivals;
import dev.tandem.tomcat.Applications;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// The commands for the servers that Tandem is compared with.
final class RivalCommands {
    private static final Option THREADS =
            new Option("--threads", "N", "500", "concurrent connections, 1 to 16384");
    private static final Option KEEP_ALIVE =
            new Option("--keep-alive", "TIME", "15s", "idle time-out, as 500ms, 15s or 2m");
    private static final Option COYOTE =
            new Option("--coyote-rule", "yes|no", "no", "shorten that as threads run out");
    private static final Option APP =
            Option.flag("--app", "DIR is a web application: runs it under Catalina");
    private static final Option LOOPS = new Option("--loops", "N", "1", "event loops, 1 to 16384");
    private static final Option INSTALL =
            new Option("--install", "yes|no", "no", "first build those from Maven Central");

    private final Terminal terminal;
    private final ServerLifecycle stay;

    RivalCommands(Terminal terminal, ServerLifecycle stay) {
        this.terminal = terminal;
        this.stay = stay;
    }

    List<Command> all() {
        return List.of(
                new Command(
                        "lab rival multi-threaded",
                        "",
                        "serves a target with a thread a connection",
                        List.of("Prints at its end how many connections it closed by time-out."),
                        Option.concat(
                                List.of(
                                        Listen.OPTION,
                                        TargetCommand.ROOT,
                                        THREADS,
                                        KEEP_ALIVE,
                                        COYOTE,
                                        APP),
                                TlsOptions.all()),
                        this::multiThreaded),
                new Command(
                        "lab rival event-driven",
                        "",
                        "serves /hello and files, all on loops",
                        List.of(),
                        Option.concat(
                                List.of(Listen.OPTION, TargetCommand.ROOT, LOOPS),
                                TlsOptions.all()),
                        this::eventDriven),
                new Command(
                        "lab rivals",
                        "",
                        "lists the servers to compare with",
                        List.of("--install yes downloads and builds those for the JVM."),
                        List.of(INSTALL),
                        this::list));
    }

    private void multiThreaded(Arguments arguments) {
        int threads = arguments.number(THREADS);
        boolean isShortened = isYes(arguments, COYOTE);
        var keepAlive = TimeText.parse(arguments.value(KEEP_ALIVE));
        if (keepAlive == null) {
            throw wrong(arguments, KEEP_ALIVE, "must be a time as 500ms, 15s or 2m");
        }
        Path root = Folders.existing(arguments.value(TargetCommand.ROOT));
        String what = threads + " threads, a connection each";
        RivalTarget made =
                made(
                        arguments,
                        () -> RivalTarget.multiThreaded(root, threads, keepAlive, isShortened));
        if (arguments.has(APP)) {
            run(arguments, root, made, what);
        } else {
            serve(arguments, made, what);
        }
    }

    private void run(Arguments arguments, Path app, RivalTarget made, String what) {
        Listen listen = Listen.of(arguments, Listen.OPTION);
        CatalinaLog.quieten();
        try (RivalTarget target = TlsOptions.areIn(arguments) ? made.withTls() : made;
                var site = new Applications(listen.host(), listen.port())) {
            site.customizeServer(
                            tandem -> {
                                target.threads(tandem);
                                new TlsOptions(terminal).addTo(tandem, arguments);
                            })
                    .add("", app)
                    .start();
            var message = new StartMessage(listen, "is a rival: " + what);
            stay.awaitStop(site.server(), () -> message.print(terminal, site.server()));
            printStats(target);
        } catch (IOException e) {
            throw ServerStart.startFailure(arguments, e);
        }
    }

    private void eventDriven(Arguments arguments) {
        int loops = arguments.number(LOOPS);
        Path root = Folders.existing(arguments.value(TargetCommand.ROOT));
        serve(
                arguments,
                made(arguments, () -> RivalTarget.eventDriven(root, loops)),
                "event-driven");
    }

    /// Makes a target.
    @FunctionalInterface
    private interface Maker {
        RivalTarget make();
    }

    private static RivalTarget made(Arguments arguments, Maker maker) {
        try {
            return maker.make();
        } catch (IllegalArgumentException e) {
            throw arguments.usageError(String.valueOf(e.getMessage()));
        }
    }

    private void serve(Arguments arguments, RivalTarget made, String what) {
        try (RivalTarget target = TlsOptions.areIn(arguments) ? made.withTls() : made) {
            new ServerStart(terminal, stay).start(arguments, "is a rival: " + what, target::addTo);
            printStats(target);
        }
    }

    private void printStats(RivalTarget target) {
        terminal.out().println(RivalTarget.STATS_MARK + target.stats());
        terminal.out().flush();
    }

    private void list(Arguments arguments) {
        try {
            if (isYes(arguments, INSTALL)) {
                Rivals.install(terminal.out());
            }
            Rivals.list(terminal.out());
        } catch (LabException e) {
            throw Failure.failed(String.valueOf(e.getMessage()));
        }
    }

    private static boolean isYes(Arguments arguments, Option option) {
        return switch (arguments.value(option)) {
            case "yes" -> true;
            case "no" -> false;
            default -> throw wrong(arguments, option, "must be yes or no");
        };
    }

    private static Failure wrong(Arguments arguments, Option option, String rule) {
        return arguments.usageError(
                option.name() + " " + rule + ", was '" + arguments.value(option) + "'");
    }
}
