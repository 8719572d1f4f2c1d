package dev.tandem.engine;

import static dev.tandem.tls.EngineChoice.BORINGSSL;
import static dev.tandem.tls.EngineChoice.JDK;

import dev.tandem.net.Network;
import dev.tandem.net.NioNetwork;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Named;

/// The real networks that are usable here, plain and under TLS.
public final class Networks {
    private static final List<Named<Network>> USABLE = find();

    private Networks() {}

    /// Those without TLS.
    public static List<Named<Network>> plain() {
        return USABLE.stream().filter(n -> !(n.getPayload() instanceof OverTls)).toList();
    }

    public static List<Named<Network>> usable() {
        return USABLE;
    }

    private static List<Named<Network>> find() {
        var found = new ArrayList<Named<Network>>();
        found.add(Named.of("nio", new NioNetwork()));
        Network best = Network.best();
        if (!best.name().equals("nio")) {
            found.add(Named.of(best.name(), best));
        }
        found.add(Named.of("TLS by BoringSSL over nio", OverTls.on(new NioNetwork(), BORINGSSL)));
        found.add(Named.of("TLS by the JDK over " + best.name(), OverTls.on(best, JDK)));
        return List.copyOf(found);
    }
}
