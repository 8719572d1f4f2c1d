package dev.tandem.lab;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// The server of a soak, as its users start it: `tandem serve` with a configuration file, TLS,
/// HTTP/2, files, an access log with rotation, and a proxy to a [Target] with the handlers.
///
/// @param server `tandem serve`
/// @param target the proxy's upstream, to which clients connect, too
/// @param manage port of the server's management
/// @param folder of the configuration and the logs
/// @param place where clients connect
record SoakSite(Child server, Child target, int manage, Path folder, SoakPlace place)
        implements AutoCloseable {
    /// With more, the collector lets RAM swing by hundreds of MiB, and hides a growth.
    private static final String HEAP = "-Xmx256m";

    static final String ROTATE = "2MiB";
    static final int KEEP = 3;

    /// A file may be longer by what the writer had queued.
    static final double LOG_MIB_MAX = 2 * (KEEP + 1) + 1;

    /// The header that has the number of the last reload.
    static final String HEADER = "X-Reload";

    private static final String CONFIGURATION =
            """
            [manage]
            address = "127.0.0.1:%d"

            [access_log]
            file = "%s"
            rotate = "%s"
            keep = %d

            [[listen]]
            address = "127.0.0.1:%d"

            [[listen]]
            address = "127.0.0.1:%d"

            [[listen.tls.certificate]]
            chain = "%s"
            key = "%s"

            [[site]]
            headers = { %s = "%d" }
            proxy = { to = ["127.0.0.1:%d"] }

            [[site.at]]
            path = "/static"
            files = { root = "%s" }
            """;

    static SoakSite start(Run run, WorkFolder work) throws LabException, InterruptedException {
        Path folder = work.folder().resolve("site");
        var certificates = new ArrayList<Certificate>();
        try {
            for (String name : List.of("one", "other", "used")) {
                Files.createDirectories(folder.resolve(name));
            }
        } catch (IOException e) {
            throw new LabException("cannot write to " + folder + ": " + e.getMessage());
        }
        certificates.add(Certificate.make(folder.resolve("one"), Certificate.Kind.EC));
        certificates.add(Certificate.make(folder.resolve("other"), Certificate.Kind.EC));
        TargetCommand words = run.environment().target().with(JvmMemory.COUNT_NATIVE).with(HEAP);
        int targetPort = FreePorts.next();
        int port = FreePorts.next();
        List<String> targetCommand = words.at(targetPort, work.root());
        run.command("target", targetCommand);
        Child target = Child.start("target", targetCommand, targetPort, work.log("target"));
        try {
            var command = new ArrayList<>(words.words());
            command.addAll(List.of("serve", "--config", folder.resolve("tandem.toml").toString()));
            run.command("server", command);
            int tls = FreePorts.next();
            int manage = FreePorts.next();
            var place =
                    new SoakPlace(
                            List.of(port, targetPort), tls, certificates, new AtomicInteger());
            configure(folder, manage, place);
            target.awaitResponse(Trial.HELLO.path());
            Child server = Child.start("server", command, port, work.log("server"));
            var site = new SoakSite(server, target, manage, folder, place);
            try {
                server.awaitResponse(Trial.HELLO.path());
                return site;
            } catch (LabException | InterruptedException e) {
                server.close();
                throw e;
            }
        } catch (LabException | InterruptedException e) {
            target.close();
            throw e;
        }
    }

    /// Returns the certificate that new clients get.
    Certificate certificate() {
        return certificate(place);
    }

    private static Certificate certificate(SoakPlace place) {
        return place.certificates().get(place.reloads().get() % 2);
    }

    Path accessLog() {
        return folder.resolve("access.log");
    }

    /// Changes the certificate and a header, and has the server read both, by SIGHUP.
    void reload() throws LabException, InterruptedException {
        place.reloads().incrementAndGet();
        configure(folder, manage, place);
        FaultSite.signal("HUP", server.pid());
    }

    private static void configure(Path folder, int manage, SoakPlace place) throws LabException {
        Path chain = folder.resolve("used/cert.pem");
        Path key = folder.resolve("used/key.pem");
        try {
            Files.copy(certificate(place).chain(), chain, StandardCopyOption.REPLACE_EXISTING);
            Files.copy(certificate(place).key(), key, StandardCopyOption.REPLACE_EXISTING);
            Files.writeString(
                    folder.resolve("tandem.toml"),
                    CONFIGURATION.formatted(
                            manage,
                            folder.resolve("access.log"),
                            ROTATE,
                            KEEP,
                            place.plain().getFirst(),
                            place.tls(),
                            chain,
                            key,
                            HEADER,
                            place.reloads().get(),
                            place.plain().getLast(),
                            folder.resolveSibling("root").resolve("static")));
        } catch (IOException e) {
            throw new LabException("cannot write the configuration: " + e.getMessage());
        }
    }

    /// Ends both.
    @Override
    public void close() {
        server.close();
        target.close();
    }
}
