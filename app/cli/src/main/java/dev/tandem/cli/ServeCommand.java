package dev.tandem.cli;

import dev.tandem.acme.AcmeSettings;
import dev.tandem.cgi.CgiOptions;
import dev.tandem.cli.command.Arguments;
import dev.tandem.cli.command.Command;
import dev.tandem.cli.command.Failure;
import dev.tandem.cli.command.Folders;
import dev.tandem.cli.command.Option;
import dev.tandem.cli.command.Terminal;
import dev.tandem.cli.serving.Listen;
import dev.tandem.cli.serving.ManageOptions;
import dev.tandem.cli.serving.ServerLifecycle;
import dev.tandem.cli.serving.ServerStart;
import dev.tandem.cli.serving.TlsOptions;
import dev.tandem.config.Address;
import dev.tandem.config.ConfigException;
import dev.tandem.config.ConfigFile;
import dev.tandem.config.Configuration;
import dev.tandem.config.ConfiguredServer;
import dev.tandem.config.InheritedSocket;
import dev.tandem.config.ListenSettings;
import dev.tandem.config.ListenerTls;
import dev.tandem.config.ManagementSettings;
import dev.tandem.config.PageCacheSettings;
import dev.tandem.config.ProcessSettings;
import dev.tandem.config.Service;
import dev.tandem.config.SiteSettings;
import dev.tandem.files.FolderOptions;
import dev.tandem.logs.AccessSettings;
import dev.tandem.net.Network;
import dev.tandem.net.OutOfDescriptorsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// `tandem serve`: serves a folder by flags, or a configuration file. Both are converted to the
/// same value.
///
/// @param lifecycle of the server
record ServeCommand(Terminal terminal, ServerLifecycle lifecycle) {
    /// Used if neither a folder nor a file is given.
    private static final String DEFAULT_FILE = "tandem.toml";

    private static final Option CGI =
            new Option("--cgi", "/PATH=DIR", "", "runs the programs of DIR for paths below /PATH");
    private static final Option ACCESS_LOG =
            new Option("--access-log", "FILE|-", "", "logs requests to FILE; - is standard output");
    private static final Option CONFIG =
            new Option("--config", "FILE", "", "serves this configuration, without DIR");
    private static final Option CONTROL =
            new Option("--control", "PATH", "", "a socket for tandem reload and --replace");
    private static final Option PID_FILE =
            new Option("--pid-file", "FILE", "", "the file for the process id");
    private static final Option REPLACE =
            Option.flag("--replace", "takes over the sockets of the server at --control");

    private static final Option TRACE =
            new Option("--trace", "FILE", "", "records its first five minutes, for tandem trace");

    /// Options that say what is served: a file says it all by itself.
    private static final List<Option> FOLDER_OPTIONS =
            Option.concat(
                    List.of(Listen.OPTION, CGI, PageCacheFlag.OPTION, ACCESS_LOG),
                    ManageOptions.all(),
                    FleetFlags.all(),
                    TlsOptions.all(),
                    AcmeFlags.all());

    Command command() {
        var options = new ArrayList<>(FOLDER_OPTIONS);
        options.addAll(List.of(CONFIG, CONTROL, PID_FILE, REPLACE, TRACE));
        return new Command(
                "serve",
                "[DIR]",
                "serves a folder, or a configuration file",
                List.of(
                        "Without both, ./tandem.toml. SIGHUP reloads it and certificates, else"
                                + " stops.",
                        "Redirects, proxies, passwords and several hosts are for a file:"
                                + " docs/sites.md."),
                options,
                this::run,
                ServeCommand::unknownOptionHint);
    }

    /// A file can say more than options: names the key there.
    private static String unknownOptionHint(String option) {
        String key = option.replaceFirst("^-*", "").replace('-', '_');
        String path = ConfigFile.pathOf(key);
        return path.isEmpty()
                ? ""
                : "a configuration file has " + path + ": docs/sites.md shows how";
    }

    private void run(Arguments arguments) {
        Optional<Path> file = file(arguments);
        Configuration configuration =
                file.isPresent() ? fromFile(arguments, file.get()) : fromFlags(arguments);
        configuration = withProcess(configuration, arguments);
        Optional<Takeover> previous = previousProcess(arguments, configuration);
        String what = file.isPresent() ? "serves " + file.get() : describe(configuration);
        start(arguments, configuration, what, new Origin(file, previous));
    }

    /// @param file the configuration's, if there is one
    /// @param previous the process whose sockets are taken over
    private record Origin(Optional<Path> file, Optional<Takeover> previous) {}

    private static Optional<Path> file(Arguments arguments) {
        if (arguments.has(CONFIG)) {
            if (!arguments.operand().isEmpty()) {
                throw arguments.usageError("--config FILE or DIR, not both");
            }
            return Optional.of(arguments.path(CONFIG));
        }
        if (!arguments.operand().isEmpty()) {
            return Optional.empty();
        }
        if (!Files.exists(Path.of(DEFAULT_FILE))) {
            throw arguments.usageError("DIR is missing");
        }
        return Optional.of(Path.of(DEFAULT_FILE));
    }

    static Configuration fromFile(Path file) {
        try {
            return ConfigFile.read(file);
        } catch (ConfigException e) {
            int count = e.problems().size();
            throw Failure.failed(
                    count + (count == 1 ? " problem\n" : " problems\n") + e.getMessage());
        }
    }

    private static Configuration fromFile(Arguments arguments, Path file) {
        for (Option option : FOLDER_OPTIONS) {
            if (arguments.has(option)) {
                throw arguments.usageError(
                        option.name() + " goes with DIR; " + file + " contains it");
            }
        }
        return fromFile(file);
    }

    // ---- Flags.

    private Configuration fromFlags(Arguments arguments) {
        Path root = Folders.existing(arguments.operand());
        var listeners = new ArrayList<ListenSettings>();
        listeners.add(ListenSettings.at(address(Listen.of(arguments, Listen.OPTION))));
        tls(arguments)
                .ifPresent(
                        tls ->
                                listeners.add(
                                        ListenSettings.at(address(TlsOptions.listen(arguments)))
                                                .withTls(tls)));
        Configuration configuration =
                Configuration.DEFAULT
                        .withListeners(listeners)
                        .withSites(List.of(site(arguments, root)));
        if (arguments.has(ACCESS_LOG)) {
            boolean isOutput = arguments.value(ACCESS_LOG).equals("-");
            Path path = arguments.path(ACCESS_LOG);
            configuration =
                    configuration.withAccessLog(
                            AccessSettings.DEFAULT.withFile(
                                    isOutput ? Optional.empty() : Optional.of(path)));
        }
        Optional<PageCacheSettings> pages = PageCacheFlag.settings(arguments);
        if (pages.isPresent()) {
            configuration = configuration.withPageCache(pages.get());
        }
        return withManagement(FleetFlags.addTo(configuration, arguments), arguments);
    }

    private Optional<ListenerTls> tls(Arguments arguments) {
        Optional<AcmeSettings> acme = AcmeFlags.settings(arguments);
        if (acme.isEmpty()) {
            return new TlsOptions(terminal)
                    .certificates(arguments)
                    .map(files -> ListenerTls.of(List.of(files)));
        }
        AcmeFlags.checkListener(arguments);
        return Optional.of(ListenerTls.of(List.of()).withAcme(acme.get()));
    }

    private static Address.Inet address(Listen listen) {
        return new Address.Inet(listen.host(), listen.port());
    }

    private static Configuration withManagement(Configuration configuration, Arguments arguments) {
        if (!ManageOptions.areIn(arguments)) {
            return configuration;
        }
        ManagementSettings management =
                ManagementSettings.at(ManageOptions.checked(arguments))
                        .withOpen(arguments.has(ManageOptions.OPENLY))
                        .withTraces(arguments.has(ManageOptions.TRACE));
        if (arguments.has(ManageOptions.TOKEN)) {
            Path file = arguments.path(ManageOptions.TOKEN);
            ManageOptions.token(file); // reports errors before anything is started
            management = management.withTokenFile(file);
        }
        return configuration.withManage(management);
    }

    private static SiteSettings site(Arguments arguments, Path root) {
        SiteSettings site = SiteSettings.of(new Service.StaticFiles(root, FolderOptions.DEFAULT));
        if (!arguments.has(CGI)) {
            return site;
        }
        String[] parts = arguments.value(CGI).split("=", 2);
        if (parts.length < 2 || parts[1].isEmpty() || !parts[0].matches("(/[A-Za-z0-9._~-]+)+")) {
            throw arguments.usageError(
                    "--cgi must be /PATH=DIR, was '" + String.join("=", parts) + "'");
        }
        Service programs = new Service.CgiPrograms(Folders.existing(parts[1]), CgiOptions.DEFAULT);
        SiteSettings whole =
                site.withLocations(
                        List.of(new SiteSettings.Location(parts[0], Optional.of(programs))));
        try {
            whole.check();
        } catch (IllegalArgumentException e) {
            throw Failure.failed(String.valueOf(e.getMessage()));
        }
        return whole;
    }

    private static String describe(Configuration configuration) {
        var phrases = new ArrayList<String>();
        for (SiteSettings.Location place : configuration.sites().getFirst().allLocations()) {
            Service service = place.service().orElseThrow();
            if (service instanceof Service.StaticFiles(Path folder, var _)) {
                phrases.add("serves " + folder);
            } else if (service instanceof Service.CgiPrograms(Path folder, var _)) {
                phrases.add("and runs " + folder);
            } else {
                throw new IllegalStateException("no flag is for " + place);
            }
        }
        return String.join(", ", phrases);
    }

    private static Configuration withProcess(Configuration configuration, Arguments arguments) {
        ProcessSettings process = configuration.process();
        if (arguments.has(CONTROL)) {
            process = process.withControl(arguments.path(CONTROL));
        }
        if (arguments.has(PID_FILE)) {
            process = process.withPidFile(arguments.path(PID_FILE));
        }
        return configuration.withProcess(process);
    }

    // ---- Starting.

    private static Optional<Takeover> previousProcess(
            Arguments arguments, Configuration configuration) {
        if (!arguments.has(REPLACE)) {
            return Optional.empty();
        }
        Path control =
                configuration
                        .process()
                        .control()
                        .orElseThrow(
                                () ->
                                        arguments.usageError(
                                                "--replace needs to know --control PATH"));
        return Optional.of(Takeover.from(control));
    }

    private void start(
            Arguments arguments, Configuration configuration, String what, Origin origin) {
        Optional<Path> trace =
                arguments.has(TRACE)
                        ? Optional.of(TraceFile.checked(arguments.path(TRACE)))
                        : Optional.empty();
        try (var served = ConfiguredServer.start(configuration, inherited(origin));
                var _ = TraceFile.start(trace, served.server())) {
            // By options there is one folder, which the first line names.
            List<String> sites =
                    origin.file().isPresent() ? SiteLines.of(configuration.sites()) : List.of();
            var operations = new Operations(served, origin.file(), origin.previous());
            lifecycle.awaitStop(
                    operations,
                    () -> {
                        new ListenerMessages(terminal, served).print(what, sites);
                        operations.announceReady();
                    });
        } catch (OutOfDescriptorsException e) {
            throw Failure.failed(e.getMessage() + "; allow more: ulimit -n 1024");
        } catch (IOException e) {
            throw origin.file().isPresent()
                    ? Failure.failed(ConfigFile.located(origin.file().get(), e.getMessage()))
                    : ServerStart.startFailure(arguments, e);
        } catch (IllegalArgumentException e) {
            throw Failure.failed(
                    origin.file().isPresent()
                            ? ConfigFile.located(origin.file().get(), e.getMessage())
                            : String.valueOf(e.getMessage()));
        }
    }

    private static List<InheritedSocket> inherited(Origin origin) throws IOException {
        if (origin.previous().isPresent()) {
            return origin.previous().get().inherited();
        }
        return System.getenv("LISTEN_FDS") == null
                ? List.of()
                : InheritedSocket.fromSystemd(
                        System.getenv(), ProcessHandle.current().pid(), Network.best());
    }
}
