package dev.tandem.lab;

import dev.tandem.lab.FleetProxy.Way;
import dev.tandem.load.Arrivals;
import dev.tandem.load.Call;
import dev.tandem.load.Client;
import dev.tandem.load.Load;
import dev.tandem.load.LoadException;
import dev.tandem.load.LoadReport;
import dev.tandem.load.Repeat;
import dev.tandem.load.Tls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Which part of the connections to instances that share their ticket keys is resumed: a balancer
/// that passes TLS on sends each to another instance.
///
/// @param seconds of a measurement
record FleetTls(Run run, double seconds) {
    private static final int INSTANCES = 3;
    private static final int CLIENTS = 8;
    private static final double WARM_SECONDS = 2;

    private static final String CONFIGURATION =
            """
            [[listen]]
            address = "127.0.0.1:%d"

            [[listen]]
            address = "127.0.0.1:%d"

            [listen.tls]
            ticket_keys = "%s"

            [[listen.tls.certificate]]
            chain = "%s"
            key = "%s"

            [[site]]
            files = { root = "%s" }
            """;

    void measure(FleetFindings findings) throws LabException, InterruptedException {
        var children = new ArrayList<Child>();
        try (WorkFolder folder = WorkFolder.make()) {
            try {
                measure(folder, children, findings);
            } finally {
                children.forEach(Child::close);
            }
        }
    }

    private void measure(WorkFolder folder, List<Child> children, FleetFindings findings)
            throws LabException, InterruptedException {
        Certificate certificate = Certificate.make(folder.folder(), Certificate.Kind.EC);
        var plain = new ArrayList<FleetInstance.Ports>();
        var tls = new ArrayList<Integer>();
        for (int i = 1; i <= INSTANCES; i++) {
            var ports = FleetInstance.Ports.free();
            int tlsPort = FreePorts.next();
            plain.add(ports);
            tls.add(tlsPort);
            Path file = folder.folder().resolve("t" + i + ".toml");
            write(
                    file,
                    CONFIGURATION.formatted(
                            ports.listen(),
                            tlsPort,
                            folder.folder().resolve("tickets"),
                            certificate.chain(),
                            certificate.key(),
                            folder.root()));
            var command = new ArrayList<>(run.environment().target().words());
            command.addAll(List.of("serve", "--config", file.toString()));
            Child child = Child.start("t" + i, command, ports.listen(), folder.log("t" + i));
            children.add(child);
            // One after the other: the first one makes the keys.
            child.awaitListening();
        }
        try (FleetProxy proxy =
                FleetProxy.start(run.environment().tools(), folder.folder(), plain, tls)) {
            double one = resumed(proxy, Way.TLS_ONE, findings);
            double fleet = resumed(proxy, Way.TLS, findings);
            findings.resumed(fleet, one);
        }
    }

    private static void write(Path file, String text) throws LabException {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new LabException("cannot write " + file + ": " + e.getMessage());
        }
    }

    /// Returns the part of the handshakes that resumed a session.
    private double resumed(FleetProxy proxy, Way way, FleetFindings findings)
            throws LabException, InterruptedException {
        Client client =
                Client.DEFAULT
                        .withConnectionsKept(false)
                        .withTls(BoringClients.TLS.withReuse(Tls.Reuse.ALL));
        Load load =
                Load.of("https://127.0.0.1:" + proxy.port(way))
                        .withArrivals(Arrivals.closed(CLIENTS))
                        .withTime(Duration.ofMillis(Math.round(1e3 * (WARM_SECONDS + seconds))))
                        .withWarmup(Duration.ofMillis(Math.round(1e3 * WARM_SECONDS)))
                        .withClient(client)
                        .withSeed(run.seed());
        try {
            LoadReport report =
                    load.run(Repeat.sessions(Call.get("/static/1k.bin"), 1, Duration.ZERO));
            long full = report.connections().handshakes().full();
            long resumed = report.connections().handshakes().resumed();
            findings.row(
                    way.label,
                    full + resumed + " handshakes",
                    resumed + " resumed; errors " + report.errors());
            return (double) resumed / Math.max(1, full + resumed);
        } catch (LoadException e) {
            throw new LabException(String.valueOf(e.getMessage()));
        }
    }
}
