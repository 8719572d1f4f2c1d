package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.tls.CertificateFiles;
import dev.tandem.tls.TlsSettings;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SoakTest {
    /// A string of the report.
    private static final Pattern FAILURE = Pattern.compile("\"[^\"]* s: [^\"]*\"");

    private static final Pattern STARVED =
            Pattern.compile(
                    "status 503|internal_error|timed out|terminated the handshake|Broken pipe"
                            + "|Connection reset|HandshakeException");

    private static final long SEED = 1;

    private static WorkFolder workFolder;
    private static SoakContents contents;
    private static Certificate certificate;
    private static Target target;
    private static Server right;

    /// Responds to every request, but wrongly.
    private static Server wrong;

    @BeforeAll
    static void start() throws Exception {
        workFolder = WorkFolder.make();
        contents = new SoakContents(workFolder);
        certificate = Certificate.make(workFolder.folder(), Certificate.Kind.EC);
        target = new Target(workFolder.root());
        right = target.addTo(listen()).start();
        wrong = listen().route("*", "/{path...}", x -> x.send("?")).start();
    }

    private static Tandem listen() {
        return Tandem.listen("127.0.0.1", 0)
                .andListen("127.0.0.1", 0)
                .tls(TlsSettings.of(CertificateFiles.pem(certificate.chain(), certificate.key())));
    }

    @AfterAll
    static void stop() {
        right.close();
        wrong.close();
        target.close();
        workFolder.close();
    }

    private static Map<String, SoakClient> kinds(int plain, int tls) {
        return SoakExperiment.kinds(
                new SoakPlace(List.of(plain), tls, List.of(certificate), new AtomicInteger()),
                contents);
    }

    static Stream<String> kinds() {
        return kinds(1, 2).keySet().stream();
    }

    /// Kinds for which this server's rejections are right cannot be distinguished.
    static Stream<String> kindsThatCheckContent() {
        return kinds().filter(
                        kind -> !kind.contains("disconnecting") && !kind.startsWith("malformed"));
    }

    private static void runClient(Server server, String kind, int times)
            throws IOException, InterruptedException {
        var random = new Random(SEED);
        List<Integer> ports = server.addresses().stream().map(InetSocketAddress::getPort).toList();
        SoakClient client =
                Objects.requireNonNull(kinds(ports.getFirst(), ports.getLast()).get(kind));
        for (int i = 0; i < times; i++) {
            client.run(random);
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void targetPassesAllKindsOfClients(String kind) {
        int times =
                switch (kind) {
                    case "malformed requests" -> 40;
                    case "slow senders" -> 1;
                    default -> 4;
                };
        assertDoesNotThrow(() -> runClient(right, kind, times));
    }

    @ParameterizedTest
    @MethodSource("kindsThatCheckContent")
    void wrongResponsesAreDetected(String kind) {
        assertThrows(IOException.class, () -> runClient(wrong, kind, 1));
    }

    @Test
    void acceptedMalformedRequestIsDetected() throws IOException {
        try (var lenient = new LenientServer()) {
            SoakClient client =
                    Objects.requireNonNull(kinds(lenient.port(), 1).get("malformed requests"));
            assertThrows(IOException.class, () -> client.run(new Random(SEED)));
        }
    }

    @Test
    void certificateThatTheServerNeverHadIsDetected() throws Exception {
        Path folder = Files.createDirectories(workFolder.folder().resolve("other"));
        Certificate other = Certificate.make(folder, Certificate.Kind.EC);
        var trust = new SoakTrust(List.of(other));
        assertThrows(
                IOException.class,
                () -> trust.connect(right.addresses().getLast().getPort(), "TLSv1.3"));
    }

    @Test
    void shortSoakHasNoWrongResult(@TempDir Path folder) throws Exception {
        var silent =
                new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        var environment = new Environment(Toolbox.ofProcess(), TargetMain.command(), silent);
        var order = new Order(Form.QUICK, Map.of(), Order.SEED, folder, false);
        var run = new Run(SoakExperiment.EXPERIMENT, order, environment, false);
        var course = new SoakExperiment.Course(2, 0, 1, 20);
        var headline = SoakExperiment.soak(course, run);
        String report = Files.readString(folder.resolve("result.json"));
        assertEquals(List.of(), wrongResults(report), headline::toString);
        assertTrue(
                number(headline, "failed runs") < number(headline, "runs") / 2, headline::toString);
    }

    /// The failures that no lack of processor time explains. Other tests may leave the server so
    /// little of it that it rejects requests and handshakes, and that clients wait for too long.
    private static List<String> wrongResults(String report) {
        String failures =
                report.substring(report.indexOf("\"failures\""), report.indexOf("\"readings\""));
        return FAILURE.matcher(failures)
                .results()
                .map(MatchResult::group)
                .filter(what -> !STARVED.matcher(what).find())
                .toList();
    }

    private static double number(List<Headline> headline, String name) {
        return headline.stream()
                .filter(line -> line.name().equals(name))
                .findFirst()
                .orElseThrow()
                .value();
    }
}
