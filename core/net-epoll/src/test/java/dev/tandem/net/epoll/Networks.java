package dev.tandem.net.epoll;

import dev.tandem.net.Network;
import dev.tandem.net.NioNetwork;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;

/// The two networks, which must fulfil the same contract.
final class Networks {
    private Networks() {}

    static Stream<Named<Network>> networks() {
        return Stream.<Network>of(new NioNetwork(), new EpollNetwork())
                .filter(Network::isUsable)
                .map(network -> Named.of(network.name(), network));
    }
}
