package dev.tandem.fleet;

import dev.tandem.http.Bounds;
import dev.tandem.net.AddressRange;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What an instance reports, and to whom. Immutable.
///
/// @param agent where HAProxy's agent checks get their replies; null for none. Its port is best
///     reached by balancers only
/// @param peers balancers: only these get a reply from the agent, and load reports with their
///     responses. The default is this machine
/// @param balancers by how many balancers the limit of connections is divided; 0, the default, for
///     those that asked in the last ten seconds. 0 to 1,000
/// @param reportsLoad whether responses to peers have load reports (ORCA) for Envoy and gRPC. Like
///     every filter, it keeps prepared responses from being used
/// @param capacity requests per second for which this instance gets its full weight; 0, the
///     default, for the most that it was seen to do itself. To be set where machines differ. 0 to
///     1,000,000
/// @param notice how long balancers have to send requests elsewhere, before connections are ended;
///     5 s by default: two agent checks, and one second. 0 to an hour
/// @param ending how long connections may then take to end with their next response; 10 s by
///     default. 0 to an hour
/// @param secret a file or folder with the keys of session marks ([SessionMarks]); null for none
public record FleetOptions(
        @Nullable InetSocketAddress agent,
        List<AddressRange> peers,
        int balancers,
        boolean reportsLoad,
        int capacity,
        Duration notice,
        Duration ending,
        @Nullable Path secret)
        implements FleetOptionsWith {

    private static final Duration LONGEST = Duration.ofHours(1);

    /// Nothing is reported; only draining is prepared.
    public static final FleetOptions DEFAULT =
            new FleetOptions(
                    null,
                    List.of(AddressRange.parse("127.0.0.0/8"), AddressRange.parse("::1")),
                    0,
                    false,
                    0,
                    Duration.ofSeconds(5),
                    Duration.ofSeconds(10),
                    null);

    /// @throws IllegalArgumentException if a value is out of range; names it
    public FleetOptions {
        peers = List.copyOf(peers);
        Bounds.check("balancers", balancers, 0, 1_000);
        Bounds.check("capacity", capacity, 0, 1_000_000);
        Bounds.check("notice", notice, Duration.ZERO, LONGEST);
        Bounds.check("ending", ending, Duration.ZERO, LONGEST);
    }

    /// Returns whether other machines can reach the agent, so that the balancers must be named.
    public boolean isReachableByOthers() {
        InetSocketAddress at = agent;
        return at != null && !at.isUnresolved() && !at.getAddress().isLoopbackAddress();
    }

    /// Returns whether a peer is trusted. One at a Unix-domain socket is: its file's mode decides.
    boolean isTrusted(SocketAddress peer) {
        if (peer instanceof InetSocketAddress inet) {
            InetAddress address = inet.getAddress();
            return address != null && peers.stream().anyMatch(range -> range.has(address));
        }
        return peer instanceof UnixDomainSocketAddress;
    }
}
