package dev.tandem.lab;

import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;

/// Where the clients of a soak connect to, on the loopback.
///
/// @param plain ports without TLS; all serve the same
/// @param tls a port with TLS that serves the same
/// @param certificates that it may show
/// @param reloads how often its configuration was reloaded; sessions of TLS may end then
record SoakPlace(
        List<Integer> plain, int tls, List<Certificate> certificates, AtomicInteger reloads) {

    /// Any port without TLS.
    int anyPlain(Random random) {
        return plain.get(random.nextInt(plain.size()));
    }

    /// A TLS client without earlier sessions.
    SoakTrust newTrust() throws IOException {
        return new SoakTrust(certificates);
    }
}
