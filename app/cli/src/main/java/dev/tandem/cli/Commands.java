package dev.tandem.cli;

import dev.tandem.lab.ServletTarget;
import dev.tandem.lab.Target;
import dev.tandem.net.OutOfDescriptorsException;
import dev.tandem.server.Options;
import dev.tandem.server.Server;
import dev.tandem.server.Tandem;
import dev.tandem.tls.TlsConfigException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// What `tandem` can do.
///
/// Reads its arguments itself: the library that we had for it took longer to start than the
/// server, since the JVM's cache cannot hold classes as old as its (decision record on starting).
final class Commands {
    static final Option LISTEN =
            new Option("--listen", "ADDR:PORT", "127.0.0.1:8080", "where; port 0 takes a free one");
    static final Option ROOT = new Option("--root", "DIR", ".", "the folder whose files are at /");

    private static final Option WORKERS =
            new Option("--workers", "N|auto", "auto", "most handlers that may block at once");

    private static final Option LAB_CGI =
            new Option("--cgi", "DIR", "", "runs the programs of DIR for what is below /cgi-bin");
    private static final Option FIXED =
            new Option("--fixed-workers", "N|no", "no", "not searched for, to compare with");
    private static final Option ADMIT_ALL =
            Option.flag("--admit-all", "asks no admission, to measure what that costs");
    private static final Option BY_WORKERS =
            Option.flag("--by-workers", "runs no handler on the thread that has the loop");

    private static final Option SERVLET =
            Option.flag("--servlet", "as servlets, with /100k and /ws, under Catalina");

    /// Not in any list: for the launcher.
    private static final String REHEARSE = "rehearse";

    private final Terminal terminal;
    private final Stay stay;
    private final List<Command> commands;

    /// @param stay what happens once a server runs
    Commands(Terminal terminal, Stay stay) {
        this.terminal = terminal;
        this.stay = stay;
        commands = new ArrayList<>(serving());
        commands.addAll(new LabRuns(terminal).all());
        commands.addAll(new RivalCommands(terminal, this::start, stay).all());
        commands.add(new StoreCommand(this::start).command());
        commands.add(HttperfCommand.of(terminal)); // before the one whose name its own begins with
        commands.add(LoadCommand.of(terminal));
        commands.addAll(new ConfigCommands(terminal).all());
        commands.add(new ExplainCommand(terminal).command());
        commands.add(new TraceCommand(terminal).command());
        commands.add(new CertCommand(terminal).command());
    }

    private List<Command> serving() {
        return List.of(
                new ServeCommand(terminal, stay).command(),
                new RunCommand(terminal, stay).command(),
                new BookstoreDemo(this::start).command(), // before `demo`, which it begins with
                new Command(
                        "demo files",
                        "",
                        "serves a site that shows what handlers can do",
                        List.of(),
                        with(ManageOptions.all(), LISTEN),
                        this::demo),
                new AuctionDemo(terminal, stay).command(), // behind the one it begins
                new Command(
                        "lab target",
                        "",
                        "serves the endpoints that compared servers have",
                        List.of(
                                "/hello, /hello-loop (never blocks), /block?ms=N, /report?ms=N,",
                                "/cpu?us=N, /db, /echo, and at every other path the file of DIR."),
                        Stream.concat(
                                        withTls(
                                                LISTEN,
                                                ROOT,
                                                WORKERS,
                                                FIXED,
                                                ADMIT_ALL,
                                                BY_WORKERS,
                                                LAB_CGI,
                                                SERVLET)
                                                .stream(),
                                        ManageOptions.all().stream())
                                .toList(),
                        this::labTarget));
    }

    static List<Option> withTls(Option... options) {
        return with(TlsOptions.all(), options);
    }

    static List<Option> with(List<Option> more, Option... options) {
        return Stream.concat(Stream.of(options), more.stream()).toList();
    }

    /// Runs a command.
    ///
    /// @return 0 done, 1 failed, 2 not understood; then one line on standard error says why
    int execute(String... args) {
        try {
            execute(List.of(args));
            return 0;
        } catch (Failure e) {
            terminal.err().println("tandem: " + e.getMessage());
            return e.status();
        }
    }

    private void execute(List<String> words) {
        String first = words.isEmpty() ? "--help" : words.getFirst();
        switch (first) {
            case "--help", "-h", "help" -> print(new Help(terminal).overview(commands));
            case "--version", "-V" -> print(Version.lines());
            case REHEARSE -> new Rehearsal().run();
            default -> executeCommand(words);
        }
    }

    private void executeCommand(List<String> words) {
        for (Command command : commands) {
            if (beginsWith(words, command.words())) {
                List<String> rest = words.subList(command.words().size(), words.size());
                run(new LabRuns(terminal).refined(command, rest), rest);
                return;
            }
        }
        List<String> asked = words.stream().takeWhile(word -> !word.startsWith("-")).toList();
        for (int length = 1; length <= asked.size(); length++) {
            if (group(asked.subList(0, length)).isEmpty()) {
                throw unknown(asked, length);
            }
        }
        if (asked.isEmpty()) {
            throw unknown(words, 1);
        }
        print(new Help(terminal).group(String.join(" ", asked), group(asked)));
    }

    private List<Command> group(List<String> words) {
        return commands.stream().filter(command -> beginsWith(command.words(), words)).toList();
    }

    private static boolean beginsWith(List<String> words, List<String> start) {
        return words.size() >= start.size() && words.subList(0, start.size()).equals(start);
    }

    /// @param length how many words there are no command of
    private static Failure unknown(List<String> words, int length) {
        var known = new ArrayList<>(words.subList(0, length - 1));
        known.addFirst("tandem");
        return Failure.wronglyCalled(
                "unknown command '"
                        + String.join(" ", words.subList(0, length))
                        + "'; see "
                        + String.join(" ", known)
                        + " --help");
    }

    private void run(Command command, List<String> words) {
        if (asksForHelp(words)) {
            print(new Help(terminal).command(command));
            return;
        }
        command.action().run(Arguments.parse(command, words));
    }

    private static boolean asksForHelp(List<String> words) {
        return words.contains("--help") || words.contains("-h");
    }

    private void print(String text) {
        terminal.out().print(text);
        terminal.out().flush();
    }

    private void demo(Arguments arguments) {
        try (var demo = new Demo()) {
            start(arguments, "shows what Tandem can do", demo::addTo);
        } catch (IOException e) {
            throw Failure.failed("cannot unpack the demo's files: " + e.getMessage());
        }
    }

    private void labTarget(Arguments arguments) {
        Path root = folder(arguments.value(ROOT));
        if (arguments.has(SERVLET)) {
            labServlets(arguments, root);
            return;
        }
        Options options =
                options(arguments)
                        .withAdmission(!arguments.has(ADMIT_ALL))
                        .withInPlace(!arguments.has(BY_WORKERS));
        String programs = arguments.value(LAB_CGI);
        try (var target = new Target(root, programs.isEmpty() ? null : folder(programs))) {
            start(
                    arguments,
                    "is a measurement target over " + root,
                    server -> target.addTo(server).options(options));
        }
    }

    private void labServlets(Arguments arguments, Path root) {
        for (Option option : List.of(LAB_CGI, FIXED)) {
            if (arguments.has(option)) {
                throw arguments.wrong(option.name() + " and --servlet exclude each other");
            }
        }
        Listen listen = Listen.of(arguments, LISTEN);
        try (var target = new ServletTarget(listen.host(), listen.port(), root)) {
            target.workers(options(arguments).workersMax())
                    .prepare(
                            tandem -> {
                                ManageOptions.addTo(tandem, arguments);
                                new TlsOptions(terminal).addTo(tandem, arguments);
                            });
            Server server = target.start();
            new Greeting(listen, "is a measurement target of servlets").print(terminal, server);
            stay.stay(server);
        } catch (IOException e) {
            throw notStarted(arguments, e, false);
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
            return Options.DEFAULT.withWorkersMax(arguments.number(WORKERS));
        } catch (IllegalArgumentException e) {
            throw arguments.wrong("--workers: " + e.getMessage());
        }
    }

    private static Options fixed(Arguments arguments) {
        try {
            int workers = arguments.number(FIXED);
            return Options.DEFAULT.withWorkersMax(workers).withWorkersMin(workers);
        } catch (IllegalArgumentException e) {
            throw arguments.wrong("--fixed-workers: " + e.getMessage());
        }
    }

    /// What is served, added to a server that is about to start.
    @FunctionalInterface
    interface Routes {
        Tandem addTo(Tandem server);
    }

    /// Starts a server and stays until it is stopped.
    @FunctionalInterface
    interface Starter {
        /// @param arguments with an option [#LISTEN]
        /// @param what the server does, as a phrase
        void start(Arguments arguments, String what, Routes routes);
    }

    private void start(Arguments arguments, String what, Routes routes) {
        Listen listen = Listen.of(arguments, LISTEN);
        Tandem tandem = Tandem.listen(listen.host(), listen.port());
        ManageOptions.addTo(tandem, arguments);
        routes.addTo(tandem);
        new TlsOptions(terminal).addTo(tandem, arguments);
        try (Server server = tandem.start()) {
            new Greeting(listen, what).print(terminal, server);
            if (TlsOptions.areIn(arguments)) {
                Greeting.printTls(terminal, TlsOptions.listen(arguments), server);
            }
            stay.stay(server);
        } catch (OutOfDescriptorsException e) {
            throw Failure.failed(e.getMessage() + "; allow more: ulimit -n 1024");
        } catch (IOException e) {
            throw notStarted(arguments, e, false);
        }
    }

    /// @param isByFile whether a file says where to listen
    static Failure notStarted(Arguments arguments, IOException e, boolean isByFile) {
        if (isByFile || e.getCause() instanceof TlsConfigException) {
            return Failure.failed(String.valueOf(e.getMessage()));
        }
        return Failure.failed(
                e.getMessage() + "; " + wayOut(arguments) + " chooses another, port 0 a free one");
    }

    private static String wayOut(Arguments arguments) {
        return arguments.has(ManageOptions.MANAGE)
                ? "--listen or --manage ADDR:PORT"
                : "--listen ADDR:PORT";
    }

    /// @throws Failure if the option's value is no path
    static Path path(Arguments arguments, Option option) {
        try {
            return Path.of(arguments.value(option));
        } catch (InvalidPathException e) {
            throw arguments.wrong(option.name() + " is no path: " + e.getMessage());
        }
    }

    static Path folder(String name) {
        try {
            Path dir = Path.of(name).toAbsolutePath().normalize();
            if (!Files.exists(dir)) {
                throw Failure.failed("no such folder: " + dir);
            }
            if (!Files.isDirectory(dir)) {
                throw Failure.failed("not a folder: " + dir + "; name the one that it is in");
            }
            return dir.toRealPath();
        } catch (InvalidPathException | IOException e) {
            throw Failure.failed("cannot read " + name + ": " + e.getMessage());
        }
    }
}
