package dev.tandem.cli;

import dev.tandem.cli.command.Arguments;
import dev.tandem.cli.command.Option;
import dev.tandem.cli.serving.Listen;
import dev.tandem.config.Configuration;
import dev.tandem.fleet.FleetOptions;
import dev.tandem.net.AddressRange;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The flags of `tandem serve DIR` and `tandem run` for a fleet: `[fleet]` of a file has more.
final class FleetFlags {
    private static final Option AGENT =
            new Option("--agent", "ADDR:PORT", "", "replies to HAProxy's agent checks there");
    private static final Option PEERS =
            new Option(
                    "--peers", "RANGES", "", "balancers that get reports, such as 10.0.0.0/8,::1");
    private static final Option REPORTS =
            Option.flag("--load-reports", "adds load reports (ORCA) to responses to --peers");

    private static final Option SECRET =
            new Option("--secret", "PATH", "", "keys by which all instances recognise sessions");

    private FleetFlags() {}

    static List<Option> all() {
        return List.of(AGENT, PEERS, REPORTS, SECRET);
    }

    /// Returns the configuration with what is given of them.
    ///
    /// @throws dev.tandem.cli.command.Failure if a value is wrong
    static Configuration addTo(Configuration configuration, Arguments arguments) {
        return options(arguments).map(configuration::withFleet).orElse(configuration);
    }

    /// Returns what is given; empty if nothing is.
    ///
    /// @throws dev.tandem.cli.command.Failure if a value is wrong
    static Optional<FleetOptions> options(Arguments arguments) {
        if (all().stream().noneMatch(arguments::has)) {
            return Optional.empty();
        }
        FleetOptions options = FleetOptions.DEFAULT.withReportsLoad(arguments.has(REPORTS));
        if (arguments.has(SECRET)) {
            options = options.withSecret(Path.of(arguments.value(SECRET)));
        }
        if (arguments.has(PEERS)) {
            options = options.withPeers(peers(arguments));
        }
        if (arguments.has(AGENT)) {
            Listen at = Listen.of(arguments, AGENT);
            options = options.withAgent(new InetSocketAddress(at.host(), at.port()));
        }
        if (options.isReachableByOthers() && !arguments.has(PEERS)) {
            throw arguments.usageError(
                    "--agent " + arguments.value(AGENT) + " needs --peers: who may ask there");
        }
        return Optional.of(options);
    }

    private static List<AddressRange> peers(Arguments arguments) {
        var peers = new ArrayList<AddressRange>();
        for (String range : arguments.value(PEERS).split(",", -1)) {
            try {
                peers.add(AddressRange.parse(range.strip()));
            } catch (IllegalArgumentException e) {
                throw arguments.usageError("--peers: " + e.getMessage());
            }
        }
        return peers;
    }
}
