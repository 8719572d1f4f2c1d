package dev.tandem.lab;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

/// HTTP/1.1 clients of a soak that use TLS by the JDK's engine. Safe for use by any thread.
///
/// @param contents what is served there
record SoakTlsClients(SoakPlace place, SoakContents contents) {
    private static final int REQUESTS = 10;

    /// Each kind by its name.
    Map<String, SoakClient> kinds() {
        var kinds = new LinkedHashMap<String, SoakClient>();
        kinds.put("TLS, full handshakes", this::full);
        kinds.put("TLS, resumed", this::resumed);
        kinds.put("TLS, disconnecting", this::aborted);
        return kinds;
    }

    private void full(Random random) throws IOException {
        try (Caller caller = place.newTrust().connect(place.tls(), anyProtocol(random))) {
            for (int i = 0; i < REQUESTS; i++) {
                String path = contents.anyPath(random);
                contents.expect(path, caller.get(path));
            }
        }
    }

    private void resumed(Random random) throws IOException {
        SoakTrust trust = place.newTrust();
        String protocol = anyProtocol(random);
        int reloads = place.reloads().get();
        for (int i = 0; i < 3; i++) {
            String path = contents.anyPath(random);
            try (Caller caller = trust.connect(place.tls(), protocol)) {
                contents.expect(path, caller.get(path));
            }
        }
        boolean mayBeFull = reloads != place.reloads().get();
        SoakClient.expect(
                trust.fullHandshakes() == 1 || mayBeFull,
                trust.fullHandshakes() + " full handshakes of " + protocol + " for a session");
    }

    /// Expects only that the server survives it.
    private void aborted(Random random) throws IOException {
        if (random.nextInt(3) == 0) {
            try (var plain = Caller.connect(place.tls())) {
                var start = new byte[random.nextInt(300)];
                random.nextBytes(start);
                start = start.length < 6 ? new byte[] {0x16, 3, 1} : start;
                plain.send(start);
                plain.abort();
            }
            return;
        }
        try (Caller caller = place.newTrust().connect(place.tls(), anyProtocol(random))) {
            caller.send(Caller.request(SoakContents.LARGE, ""));
            caller.abort();
        }
    }

    private static String anyProtocol(Random random) {
        return random.nextInt(4) == 0 ? "TLSv1.2" : "TLSv1.3";
    }
}
