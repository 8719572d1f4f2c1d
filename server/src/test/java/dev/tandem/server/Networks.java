package dev.tandem.server;

import dev.tandem.net.Network;
import dev.tandem.net.NioNetwork;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Named;

/// The real networks that are usable here.
final class Networks {
    private static final List<Named<Network>> USABLE = find();

    private Networks() {}

    static List<Named<Network>> usable() {
        return USABLE;
    }

    private static List<Named<Network>> find() {
        var found = new ArrayList<Named<Network>>();
        found.add(Named.of("nio", new NioNetwork()));
        Network best = Network.best();
        if (!best.name().equals("nio")) {
            found.add(Named.of(best.name(), best));
        }
        return List.copyOf(found);
    }
}
