package dev.tandem.cli;

import dev.tandem.cli.command.Arguments;
import dev.tandem.cli.command.Option;
import dev.tandem.config.DatabaseSettings;
import dev.tandem.fleet.DatabaseBudget;
import java.util.List;
import java.util.Optional;

/// The flags of `tandem run` that divide a database's connections between the instances of a
/// fleet.
final class ConnectionFlags {
    private static final Option CONNECTIONS =
            new Option(
                    "--fleet-connections",
                    "N",
                    "",
                    "of the database, for all instances of --fleet-name");
    private static final Option NAME =
            new Option("--fleet-name", "NAME", "", "has an address for each instance");

    private ConnectionFlags() {}

    static List<Option> all() {
        return List.of(CONNECTIONS, NAME);
    }

    /// Returns what is given; empty if nothing is.
    ///
    /// @throws dev.tandem.cli.command.Failure if a value is wrong
    static Optional<DatabaseSettings> settings(Arguments arguments) {
        if (!arguments.has(CONNECTIONS) && !arguments.has(NAME)) {
            return Optional.empty();
        }
        if (!arguments.has(CONNECTIONS) || !arguments.has(NAME)) {
            throw arguments.usageError("--fleet-connections and --fleet-name belong together");
        }
        String text = arguments.value(CONNECTIONS);
        if (!text.matches("[0-9]{1,7}")
                || Integer.parseInt(text) < DatabaseBudget.CONNECTIONS_MIN
                || Integer.parseInt(text) > DatabaseBudget.CONNECTIONS_MAX) {
            throw arguments.usageError(
                    "--fleet-connections must be "
                            + DatabaseBudget.CONNECTIONS_MIN
                            + " to "
                            + DatabaseBudget.CONNECTIONS_MAX
                            + ", was '"
                            + text
                            + "'");
        }
        return Optional.of(new DatabaseSettings(Integer.parseInt(text), arguments.value(NAME)));
    }
}
