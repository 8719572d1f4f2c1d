package dev.tandem.acme;

import dev.tandem.testkit.FreePort;
import dev.tandem.testkit.Patience;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.shredzone.acme4j.util.CSRBuilder;
import org.shredzone.acme4j.util.CertificateUtils;
import org.shredzone.acme4j.util.KeyPairUtils;

/// A real authority for tests, Let's Encrypt's Pebble, with a name server for which every name is
/// this machine. Both on free ports.
final class Pebble implements AutoCloseable {
    private static final String PROGRAM = "pebble";
    private static final String NAMES = "pebble-challtestsrv";

    private final Path folder;
    private final int port;
    private final int namesPort;
    private final Process names;
    private @Nullable Process process;

    private Pebble(Path folder, int port, int namesPort, Process names) {
        this.folder = folder;
        this.port = port;
        this.namesPort = namesPort;
        this.names = names;
    }

    /// Returns whether it is installed.
    static boolean isHere() {
        return List.of(PROGRAM, NAMES).stream().allMatch(Pebble::isOnPath);
    }

    private static boolean isOnPath(String program) {
        return Arrays.stream(System.getenv("PATH").split(":"))
                .anyMatch(place -> Files.isExecutable(Path.of(place, program)));
    }

    /// Prepares one that checks names at these ports; [#start] starts it.
    ///
    /// @param folder for its files
    static Pebble prepare(Path folder, int httpPort, int tlsPort) throws Exception {
        int port = FreePort.find();
        Pems.made().writeTo(folder);
        Files.writeString(
                folder.resolve("config.json"),
                """
                {"pebble": {
                  "listenAddress": "127.0.0.1:%d",
                  "managementListenAddress": "127.0.0.1:%d",
                  "certificate": "%s/cert.pem",
                  "privateKey": "%s/key.pem",
                  "httpPort": %d,
                  "tlsPort": %d,
                  "ocspResponderURL": "",
                  "externalAccountBindingRequired": false
                }}
                """
                        .formatted(port, FreePort.find(), folder, folder, httpPort, tlsPort));
        int namesPort = FreePort.find();
        Process names =
                new ProcessBuilder(
                                NAMES,
                                "-dns01=127.0.0.1:" + namesPort,
                                "-management=127.0.0.1:" + FreePort.find(),
                                "-http01=",
                                "-https01=",
                                "-tlsalpn01=",
                                "-defaultIPv6=")
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("names.log").toFile())
                        .start();
        Patience.until("it knows names", () -> isListening(namesPort));
        return new Pebble(folder, port, namesPort, names);
    }

    void start() throws IOException {
        var builder =
                new ProcessBuilder(
                        PROGRAM,
                        "-config",
                        folder.resolve("config.json").toString(),
                        "-dnsserver",
                        "127.0.0.1:" + namesPort);
        builder.environment().put("PEBBLE_VA_NOSLEEP", "1");
        process =
                builder.redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
                        .start();
        Patience.until("it listens", () -> isListening(port));
    }

    private static boolean isListening(int port) {
        try (var _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /// Ends it at once; it forgets all orders.
    void stop() {
        Process running = process;
        if (running != null) {
            running.destroyForcibly().onExit().join();
        }
    }

    private Path log() {
        return folder.resolve("log");
    }

    URI directory() {
        return URI.create("https://localhost:" + port + "/dir");
    }

    Path roots() {
        return folder.resolve("root.pem");
    }

    /// Returns how many orders it got.
    long orders() throws IOException {
        try (var lines = Files.lines(log())) {
            return lines.filter(line -> line.contains("Added order")).count();
        }
    }

    String output() throws IOException {
        return Files.readString(log());
    }

    @Override
    public void close() {
        stop();
        names.destroyForcibly();
    }

    /// The authority's own certificate, its key and its root, made once: keys of RSA take time.
    private record Pems(String root, String certificate, String key) {
        private static @Nullable Pems made;

        static synchronized Pems made() throws Exception {
            Pems known = made;
            if (known == null) {
                known = makeCertificate();
                made = known;
            }
            return known;
        }

        void writeTo(Path folder) throws IOException {
            Files.writeString(folder.resolve("root.pem"), root);
            Files.writeString(folder.resolve("cert.pem"), certificate);
            Files.writeString(folder.resolve("key.pem"), key);
        }
    }

    private static Pems makeCertificate() throws Exception {
        Instant begin = Instant.now().minus(Duration.ofDays(1));
        Instant end = begin.plus(Duration.ofDays(30));
        KeyPair rootKey = KeyPairUtils.createKeyPair(2048);
        X509Certificate root =
                CertificateUtils.createTestRootCertificate("CN=root", begin, end, rootKey);
        KeyPair key = KeyPairUtils.createKeyPair(2048);
        var request = new CSRBuilder();
        request.addDomain("localhost");
        request.sign(key);
        X509Certificate certificate =
                CertificateUtils.createTestCertificate(
                        request.getCSR(), begin, end, root, rootKey.getPrivate());
        return new Pems(
                pem("CERTIFICATE", root.getEncoded()),
                pem("CERTIFICATE", certificate.getEncoded()),
                pem("PRIVATE KEY", key.getPrivate().getEncoded()));
    }

    private static String pem(String label, byte[] der) {
        String lines =
                Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                        .encodeToString(der);
        return "-----BEGIN " + label + "-----\n" + lines + "\n-----END " + label + "-----\n";
    }
}
