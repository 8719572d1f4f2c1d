package dev.tandem.config;

import dev.tandem.fleet.FleetOptions;
import dev.tandem.net.AddressRange;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;

/// `[fleet]`.
final class FleetKeys {
    private static final ValueType<InetSocketAddress> AGENT =
            ValueType.text("ADDR:PORT such as 10.0.0.5:8091", FleetKeys::agent, FleetKeys::written);

    private static final ValueType<List<AddressRange>> PEERS =
            ValueType.list(
                    ValueType.text(
                            "ADDRESS or ADDRESS/BITS such as 10.0.0.0/8",
                            AddressRange::parse,
                            AddressRange::toString));

    static final Section<FleetOptions> SECTION =
            Section.of(
                            FleetOptions.DEFAULT,
                            List.of(
                                    new Key<FleetOptions, InetSocketAddress>(
                                            "agent",
                                            AGENT,
                                            "Where HAProxy's agent checks get their replies.",
                                            FleetOptions::agent,
                                            FleetOptions::withAgent),
                                    new Key<>(
                                            "peers",
                                            PEERS,
                                            "Addresses and ranges of balancers: only these get"
                                                    + " reports.",
                                            FleetOptions::peers,
                                            FleetOptions::withPeers),
                                    new Key<>(
                                            "balancers",
                                            ValueTypes.NUMBER,
                                            "By how many balancers the limit of connections is"
                                                    + " divided; 0: those that ask. 0 to 1,000.",
                                            FleetOptions::balancers,
                                            FleetOptions::withBalancers),
                                    new Key<>(
                                            "load_reports",
                                            ValueTypes.FLAG,
                                            "Adds load reports (ORCA) to responses to balancers,"
                                                    + " for Envoy and gRPC.",
                                            FleetOptions::reportsLoad,
                                            FleetOptions::withReportsLoad),
                                    new Key<>(
                                            "capacity",
                                            ValueTypes.NUMBER,
                                            "Requests per second for which this instance gets its"
                                                + " full weight; 0: the most that it was seen to"
                                                + " do. 0 to 1,000,000.",
                                            FleetOptions::capacity,
                                            FleetOptions::withCapacity),
                                    new Key<>(
                                            "notice",
                                            ValueTypes.DURATION,
                                            "How long balancers have to send requests elsewhere"
                                                    + " before a stop. 0 to an hour.",
                                            FleetOptions::notice,
                                            FleetOptions::withNotice),
                                    new Key<>(
                                            "ending",
                                            ValueTypes.DURATION,
                                            "How long connections then may take to end with their"
                                                    + " next response. 0 to an hour.",
                                            FleetOptions::ending,
                                            FleetOptions::withEnding),
                                    new Key<FleetOptions, Path>(
                                            "secret",
                                            ValueTypes.PATH,
                                            "A file or folder with keys, by which all instances"
                                                    + " recognise each other's sessions.",
                                            FleetOptions::secret,
                                            FleetOptions::withSecret)))
                    .checkedBy(FleetKeys::check);

    private FleetKeys() {}

    private static InetSocketAddress agent(String text) {
        if (Address.parse(text) instanceof Address.Inet(String host, int port)) {
            return new InetSocketAddress(host, port);
        }
        throw new IllegalArgumentException("the agent has an internet address");
    }

    private static String written(InetSocketAddress agent) {
        return new Address.Inet(agent.getHostString(), agent.getPort()).toString();
    }

    /// Balancers of other machines would get no reply, which no message would ever say.
    private static void check(FleetOptions fleet) {
        InetSocketAddress agent = fleet.agent();
        boolean isNamed = !fleet.peers().equals(FleetOptions.DEFAULT.peers());
        if (agent != null && fleet.isReachableByOthers() && !isNamed) {
            throw new IllegalArgumentException(
                    "peers is missing: other machines can reach the agent at "
                            + written(agent)
                            + ", and the balancers among them must be named");
        }
    }
}
