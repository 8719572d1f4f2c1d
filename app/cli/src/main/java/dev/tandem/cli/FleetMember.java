package dev.tandem.cli;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.cli.command.Arguments;
import dev.tandem.cli.command.Failure;
import dev.tandem.cli.command.Option;
import dev.tandem.cli.serving.OperatedServer;
import dev.tandem.cli.serving.ServerLifecycle;
import dev.tandem.config.ConfigException;
import dev.tandem.config.ConfigFile;
import dev.tandem.config.Configuration;
import dev.tandem.config.DatabaseSettings;
import dev.tandem.fleet.DatabaseBudget;
import dev.tandem.fleet.Fleet;
import dev.tandem.fleet.FleetOptions;
import dev.tandem.tomcat.Applications;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The part in a fleet of a server whose applications run under Catalina: nothing, unless flags say
/// so. Confined to the command's thread, except for its end.
final class FleetMember implements AutoCloseable {
    static final Option CONFIG =
            new Option(
                    "--config",
                    "FILE",
                    "",
                    "has [fleet], [database] and [page_cache]; flags go first");

    private final @Nullable Fleet fleet;
    private final @Nullable DatabaseBudget budget;

    private FleetMember(@Nullable Fleet fleet, @Nullable DatabaseBudget budget) {
        this.fleet = fleet;
        this.budget = budget;
    }

    /// @throws IOException if the agent's address is not available
    /// @throws dev.tandem.cli.command.Failure if a flag is wrong
    static FleetMember open(Arguments arguments) throws IOException {
        Configuration file = file(arguments);
        Optional<FleetOptions> options = FleetFlags.options(arguments).or(file::fleet);
        Optional<DatabaseSettings> database =
                ConnectionFlags.settings(arguments).or(file::database);
        Fleet fleet = options.isPresent() ? Fleet.open(options.get()) : null;
        return new FleetMember(fleet, database.map(DatabaseSettings::open).orElse(null));
    }

    /// Returns what the file says, if there is one.
    static Configuration file(Arguments arguments) {
        if (!arguments.has(CONFIG)) {
            return Configuration.DEFAULT;
        }
        try {
            return ConfigFile.readForApplications(arguments.path(CONFIG));
        } catch (ConfigException e) {
            throw Failure.failed(String.valueOf(e.getMessage()));
        }
    }

    void addTo(Tandem tandem) {
        if (fleet != null) {
            fleet.addToContainer(tandem);
        }
    }

    /// Adds reports and marks to the applications' responses.
    void addTo(Applications site) {
        Fleet joined = fleet;
        if (joined != null) {
            site.setResponseHeaders(
                    (peer, head, isSecure, response) ->
                            joined.addHeaders(peer, head, isSecure, response::accept));
        }
    }

    /// Reports the started server as ready.
    void join(Server server) {
        if (fleet != null) {
            fleet.join(server);
            server.onDrain(Operations::end);
        }
    }

    /// Waits until the server has stopped, after balancers send it no more requests.
    ///
    /// @param announce as of [ServerLifecycle]
    void awaitStop(Server server, ServerLifecycle lifecycle, Runnable announce) {
        Fleet joined = fleet;
        if (joined == null) {
            lifecycle.awaitStop(server, announce);
        } else {
            lifecycle.awaitStop(new Draining(server, joined), announce);
        }
    }

    /// A server that is stopped by draining it.
    private record Draining(Server server, Fleet fleet) implements OperatedServer {
        @Override
        public boolean canReload() {
            return !server.tlsEngine().isEmpty();
        }

        @Override
        public void reloadAndReport() {
            System.err.println("tandem: " + ProcessLifecycle.reload(server));
        }

        @Override
        public void reopenLogs() {
            // It has none of its own.
        }

        @Override
        public void stop(Duration defaultGrace) {
            fleet.drain(defaultGrace);
        }
    }

    @Override
    public void close() {
        if (budget != null) {
            budget.close();
        }
        if (fleet != null) {
            fleet.close();
        }
    }
}
