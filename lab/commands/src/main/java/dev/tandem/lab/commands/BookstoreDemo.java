package dev.tandem.lab.commands;

import dev.tandem.Gauge;
import dev.tandem.Tandem;
import dev.tandem.bookstore.Bookstore;
import dev.tandem.bookstore.Population;
import dev.tandem.bookstore.Settings;
import dev.tandem.cli.command.Arguments;
import dev.tandem.cli.command.Command;
import dev.tandem.cli.command.Failure;
import dev.tandem.cli.command.Option;
import dev.tandem.cli.serving.Listen;
import dev.tandem.cli.serving.ManageOptions;
import dev.tandem.cli.serving.ServerStart;
import dev.tandem.cli.serving.TlsOptions;
import java.io.IOException;
import java.util.List;

/// The bookstore of TPC-W, for interactive use and for the lab.
final class BookstoreDemo {
    private static final Option DATABASE =
            new Option(
                    "--database",
                    "URL",
                    Settings.URL,
                    "JDBC: H2, MariaDB or PostgreSQL; empty ones are filled");
    private static final Option USER =
            new Option("--database-user", "NAME", Settings.USER, "user of the database");
    private static final Option PASSWORD =
            new Option(
                    "--database-password-from",
                    "VARIABLE",
                    "",
                    "environment variable with its password");
    private static final Option POOL =
            new Option("--pool", "N", "10", "connections to it, 1 to 1000");
    private static final Option ITEMS =
            new Option("--items", "N", "1000", "books of a new store, 100 to 10000000");
    private static final Option CUSTOMERS =
            new Option("--customers", "N", "2880", "of a new store, 100 to 100000000");

    private final ServerStart starter;

    BookstoreDemo(ServerStart starter) {
        this.starter = starter;
    }

    Command command() {
        return new Command(
                "demo bookstore",
                "",
                "serves the bookstore of TPC-W",
                List.of(),
                Option.concat(
                        List.of(Listen.OPTION),
                        storeOptions(),
                        ManageOptions.all(),
                        TlsOptions.all()),
                this::run);
    }

    /// Options with which a store is opened.
    static List<Option> storeOptions() {
        return List.of(DATABASE, USER, PASSWORD, POOL, ITEMS, CUSTOMERS);
    }

    private void run(Arguments arguments) {
        try (Bookstore store = Bookstore.open(settings(arguments))) {
            starter.start(arguments, "is a bookstore, by TPC-W", server -> addTo(server, store));
        } catch (IOException e) {
            throw Failure.failed(String.valueOf(e.getMessage()));
        }
    }

    static Tandem addTo(Tandem server, Bookstore store) {
        store.addTo(server::route);
        for (Gauge gauge : store.staged().gauges("bookstore")) {
            server.gauge(gauge);
        }
        return server.filter(store.database().unavailable());
    }

    static Settings settings(Arguments arguments) {
        String variable = arguments.value(PASSWORD);
        String password = variable.isEmpty() ? "" : System.getenv(variable);
        if (password == null) {
            throw arguments.usageError("the environment has no variable " + variable);
        }
        try {
            return new Settings(
                    arguments.value(DATABASE),
                    arguments.value(USER),
                    password,
                    arguments.number(POOL),
                    new Population(arguments.number(ITEMS), arguments.number(CUSTOMERS), 1));
        } catch (IllegalArgumentException e) {
            throw arguments.usageError(String.valueOf(e.getMessage()));
        }
    }
}
