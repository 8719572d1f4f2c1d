package dev.tandem.cli;

import dev.tandem.cli.command.Arguments;
import dev.tandem.cli.command.Command;
import dev.tandem.cli.command.Failure;
import dev.tandem.cli.command.Option;
import dev.tandem.cli.command.Terminal;
import dev.tandem.config.Address;
import dev.tandem.config.ConfigException;
import dev.tandem.config.ConfigFile;
import dev.tandem.config.Configuration;
import dev.tandem.config.ListenSettings;
import dev.tandem.config.Validation;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Commands for configuration files: checking and showing one, and reloading a running server.
record ConfigCommands(Terminal terminal) {
    private static final Option FILE =
            new Option("--config", "FILE", "tandem.toml", "the configuration");
    private static final Option EFFECTIVE =
            Option.flag("--effective", "the whole configuration, with defaults");
    private static final Option SCHEMA =
            Option.flag("--schema", "the JSON Schema of such files, for editors");
    private static final Option CONTROL =
            new Option("--control", "PATH", "", "the server's socket, else the one FILE names");

    List<Command> all() {
        return List.of(
                new Command(
                        "check",
                        "FILE",
                        "reports all problems of a configuration",
                        List.of(),
                        List.of(),
                        this::check),
                new Command(
                        "config",
                        "",
                        "shows what a configuration says",
                        List.of(),
                        List.of(FILE, EFFECTIVE, SCHEMA),
                        this::show),
                new Command(
                        "reload",
                        "",
                        "reloads the configuration of a running server",
                        List.of(
                                "Problems are reported here and in the server's log; then it keeps"
                                        + " its configuration."),
                        List.of(FILE, CONTROL),
                        this::reload));
    }

    private void check(Arguments arguments) {
        Path file = Path.of(arguments.operand());
        Configuration configuration = ServeCommand.fromFile(file);
        Validation validation = Validation.of(configuration, file);
        if (!validation.problems().isEmpty()) {
            throw Failure.failed(
                    file + ": " + String.join("\n" + file + ": ", validation.problems()));
        }
        terminal.out().println(file + " can be used");
        validation.warnings().forEach(terminal.out()::println);
        addressesInUse(configuration)
                .forEach(
                        problem ->
                                terminal.out()
                                        .println(
                                                "at a start: "
                                                        + ConfigFile.located(file, problem)));
    }

    /// Returns a problem for each address that a start could not listen on now. They may be those
    /// of the running server whose file this is, so the file can be used nevertheless.
    private static List<String> addressesInUse(Configuration configuration) {
        var problems = new ArrayList<String>();
        for (ListenSettings listen : configuration.listeners()) {
            addIfInUse("", listen.address(), problems);
        }
        configuration
                .manage()
                .ifPresent(manage -> addIfInUse("management: ", manage.address(), problems));
        configuration
                .fleet()
                .flatMap(fleet -> Optional.ofNullable(fleet.agent()))
                .map(agent -> new Address.Inet(agent.getHostString(), agent.getPort()))
                .ifPresent(agent -> addIfInUse("agent: ", agent, problems));
        return problems;
    }

    /// @param purpose of the address, as a start's message begins
    private static void addIfInUse(String purpose, Address address, List<String> problems) {
        if (address instanceof Address.Inet inet && inet.port() != 0) {
            try (var socket = new ServerSocket()) {
                socket.bind(inet.socket());
            } catch (IOException e) {
                problems.add(purpose + "cannot listen on " + inet + ": " + e.getMessage());
            }
        }
    }

    private void show(Arguments arguments) {
        if (arguments.has(SCHEMA) == arguments.has(EFFECTIVE)) {
            throw arguments.usageError("needs either --effective or --schema");
        }
        String text =
                arguments.has(SCHEMA)
                        ? ConfigFile.schema()
                        : ConfigFile.write(ServeCommand.fromFile(Path.of(arguments.value(FILE))));
        terminal.out().print(text);
        terminal.out().flush();
    }

    private void reload(Arguments arguments) {
        Path control =
                arguments.has(CONTROL)
                        ? Path.of(arguments.value(CONTROL))
                        : controlOf(Path.of(arguments.value(FILE)));
        try (var client = ControlClient.connect(control)) {
            ControlClient.Response response = client.post("/reload");
            if (response.status() != 200) {
                throw Failure.failed(response.text());
            }
            terminal.out().println("tandem: " + response.text());
        }
    }

    /// Returns the control socket of a file that may have problems: the server says so itself, and
    /// logs it.
    private static Path controlOf(Path file) {
        Optional<Path> named;
        try {
            named = ConfigFile.control(file);
        } catch (ConfigException e) {
            throw Failure.failed(
                    e.getMessage()
                            + "; --config FILE names another, --control PATH a server's socket");
        }
        if (named.isEmpty()) {
            ServeCommand.fromFile(file); // its problems, if it has some
            throw Failure.failed(file + " names no control socket; send SIGHUP to the server");
        }
        return named.get();
    }
}
