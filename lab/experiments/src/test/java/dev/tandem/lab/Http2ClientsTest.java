package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tandem.Options;
import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.http.Exchange;
import dev.tandem.load.Arrivals;
import dev.tandem.load.Call;
import dev.tandem.load.Check;
import dev.tandem.load.Client;
import dev.tandem.load.ClientEngines;
import dev.tandem.load.Http2;
import dev.tandem.load.Load;
import dev.tandem.load.LoadReport;
import dev.tandem.load.Outcome;
import dev.tandem.load.Repeat;
import dev.tandem.load.Reply;
import dev.tandem.load.Session;
import dev.tandem.load.Step;
import dev.tandem.load.Tls;
import dev.tandem.load.Use;
import dev.tandem.load.Workload;
import dev.tandem.testkit.Patience;
import dev.tandem.tls.CertificateFiles;
import dev.tandem.tls.TlsSettings;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Loads real servers over HTTP/2: ours in clear text and over TLS, and nginx over TLS.
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class Http2ClientsTest {
    /// Over the window of a stream, so that it must be opened again.
    private static final byte[] LARGE = new byte[3_000_000];

    private static final Client CLIENT = Client.DEFAULT.withVersion(Client.Version.HTTP_2);

    private static Certificate shown;

    private final AtomicLong requests = new AtomicLong();

    @BeforeAll
    static void makeCertificate(@TempDir Path folder) throws Exception {
        new Random(1).nextBytes(LARGE);
        shown = Certificate.make(folder, Certificate.Kind.EC);
    }

    private Server server(boolean isTls) throws IOException {
        Tandem site =
                Tandem.listen("127.0.0.1", 0)
                        .get("/large", x -> x.send(LARGE))
                        .get("/protocol", x -> x.send(x.request().version().protocol()))
                        .get("/cookie", this::cookie)
                        .route("POST", "/sum", Http2ClientsTest::sum);
        return isTls
                ? site.tls(TlsSettings.of(CertificateFiles.pem(shown.chain(), shown.key()))).start()
                : site.start();
    }

    /// Gives the client a number, or responds with the one that it has.
    private void cookie(Exchange x) throws IOException {
        String known = x.request().headers().first("cookie");
        if (known == null) {
            x.header("Set-Cookie", "number=" + requests.incrementAndGet());
        }
        x.send(known == null ? "none" : known);
    }

    private static void sum(Exchange x) throws IOException {
        long sum = 0;
        InputStream body = x.request().body();
        for (int b = body.read(); b >= 0; b = body.read()) {
            sum += b;
        }
        x.send(Long.toString(sum));
    }

    private static Load load(Server server, boolean isTls, ClientEngines.Source engines) {
        return Load.of((isTls ? "https" : "http") + "://localhost:" + server.port())
                .withArrivals(new Arrivals.Closed(4, 12))
                .withTime(Duration.ZERO)
                .withClient(CLIENT.withTls(Tls.DEFAULT.withEngines(engines)));
    }

    private static Check text(String expected) {
        return reply -> reply.text().equals(expected);
    }

    private static void exchange(Load load) throws Exception {
        Call large = Call.get("/large").withUse(Use.BODY);
        byte[] upload = new byte[300_000];
        Arrays.fill(upload, (byte) 7);
        Load larger = load.withClient(load.client().withBodyMax(1 << 23));
        var calls =
                List.of(
                        Call.get("/protocol").withUse(Use.BODY).withCheck(text("HTTP/2.0")),
                        large.withCheck(reply -> Arrays.equals(LARGE, reply.body())),
                        Call.post("/sum", "text/plain", upload)
                                .withUse(Use.BODY)
                                .withCheck(text("2100000")),
                        Call.head("/large").withCheck(Check.length(0)),
                        Call.get("/none").withCheck(Check.status(404)));
        var step = Step.parallel(Duration.ZERO, calls);
        LoadReport report = larger.run(new Repeat("all", step, 2));
        assertEquals(Map.of(), report.errors(), report.text());
        assertEquals(12, report.sessions().completed());
        assertEquals(120, report.replies().count());
        assertEquals(12, report.connections().opened());
    }

    @Test
    void responsesOverClearTextAreAsSent() throws Exception {
        try (Server server = server(false)) {
            exchange(load(server, false, ClientEngines.JDK));
        }
    }

    @Test
    void responsesOverTlsOfTheJdkAreAsSent() throws Exception {
        try (Server server = server(true)) {
            exchange(load(server, true, ClientEngines.JDK));
        }
    }

    @Test
    void responsesOverTlsOfBoringSslAreAsSent() throws Exception {
        assumeTrue(BoringClients.isHere(), "skipped: no BoringSSL here");
        try (Server server = server(true)) {
            exchange(load(server, true, BoringClients.TLS.engines()));
        }
    }

    /// Users that share a connection have cookies of their own.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void usersKeepTheirCookies(boolean isShared) throws Exception {
        try (Server server = server(false)) {
            Load load = load(server, false, ClientEngines.JDK);
            Client client = load.client().withCookies(true).withHttp2(new Http2(3, isShared, 0));
            LoadReport report = load.withClient(client).run(new Returning());
            assertEquals(Map.of(), report.errors(), report.text());
            assertEquals(12, report.sessions().completed());
            assertEquals(12, requests.get());
            assertEquals(isShared ? 2 : 12, report.connections().opened());
        }
    }

    /// A user that gets a cookie, and is recognized by it later.
    private static final class Returning implements Workload {
        @Override
        public String name() {
            return "returning";
        }

        @Override
        public Session begin(long number, RandomGenerator random) {
            return replies -> next(replies.isEmpty() ? null : replies.getFirst());
        }

        private static @Nullable Step next(@Nullable Reply last) {
            Call call = Call.get("/cookie").withUse(Use.BODY);
            if (last == null) {
                return Step.of(call);
            }
            String given = last.field("Set-Cookie").split(";")[0];
            return given.isEmpty()
                    ? null
                    : Step.inTurn(Duration.ofMillis(1), List.of(call.withCheck(text(given))));
        }
    }

    /// A server that stops sends GOAWAY, and completes its streams; new connections are refused.
    @Test
    void stoppedServerEndsConnectionsInOrder() throws Exception {
        try (Server server = server(false)) {
            Load load =
                    load(server, false, ClientEngines.JDK)
                            .withArrivals(Arrivals.closed(4))
                            .withTime(Duration.ofSeconds(20));
            try (var run = load.start(Repeat.endless(Call.get("/protocol")))) {
                Patience.until("100 responses", () -> run.progress().replies() >= 100);
                server.stop(Duration.ofSeconds(5));
                Patience.until("4 failures", () -> run.progress().errors() >= 4);
                run.stop();
                LoadReport report = run.await();
                assertTrue(report.http2().goAways() >= 4, report.text());
                assertEquals(0, report.errorCount(Outcome.CONNECTION_ERROR), report.text());
                assertEquals(0, report.http2().reset(), report.text());
                assertEquals(0, report.http2().refused(), report.text());
                assertTrue(report.errorCount(Outcome.REFUSED) > 0, report.text());
            }
        }
    }

    @Test
    void serverWithoutHttp2IsReported() throws Exception {
        try (Server server =
                Tandem.listen("127.0.0.1", 0)
                        .tls(TlsSettings.of(CertificateFiles.pem(shown.chain(), shown.key())))
                        .options(Options.DEFAULT.withHttp2(h -> h.withEnabled(false)))
                        .get("/", x -> x.send("a"))
                        .start()) {
            LoadReport report =
                    load(server, true, ClientEngines.JDK)
                            .run(Repeat.sessions(Call.get("/"), 1, Duration.ZERO));
            assertEquals(12, report.errorCount(), report.text());
            assertEquals(0, report.replies().count());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nginxRespondsOverHttp2(boolean isShared) throws Exception {
        Rival nginx = new NginxRival();
        Toolbox tools = Toolbox.ofProcess();
        assumeTrue(tools.find("nginx") != null, "skipped: needs nginx");
        var silent = new PrintStream(PrintStream.nullOutputStream(), true, StandardCharsets.UTF_8);
        var environment = new Environment(tools, TargetMain.command(), silent);
        try (WorkFolder workFolder = WorkFolder.make()) {
            Lineup.open(workFolder.folder());
            var settings = RivalSettings.DEFAULT.withCertificate(shown).withHttp2(true);
            var plan = RivalPlan.of(workFolder.root(), workFolder.folder(), settings);
            byte[] file = workFolder.bytes("1m");
            try (RunningRival running = nginx.start(plan, environment)) {
                var step =
                        Step.parallel(
                                Duration.ZERO,
                                List.of(
                                        Call.get("/hello").withCheck(Check.length(13)),
                                        Call.get("/static/1m.bin")
                                                .withUse(Use.BODY)
                                                .withCheck(r -> Arrays.equals(file, r.body())),
                                        Call.get("/static/1k.bin").withCheck(Check.length(1_024)),
                                        Call.get("/none").withCheck(Check.status(404))));
                LoadReport report =
                        Load.of(running.address())
                                .withArrivals(new Arrivals.Closed(6, 30))
                                .withTime(Duration.ZERO)
                                .withClient(CLIENT.withHttp2(new Http2(8, isShared, 0)))
                                .run(new Repeat("nginx", step, 3));
                assertEquals(Map.of(), report.errors(), report.text());
                assertEquals(30, report.sessions().completed());
                assertEquals(360, report.replies().count());
                assertEquals(isShared ? 1 : 30, report.connections().opened());
            }
        }
    }
}
