package dev.tandem.engine.manage;

import static dev.tandem.engine.http1.WireCases.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Gauge;
import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The console's requests, and access to it. The page in a browser is tested in module `it`.
class ConsoleTest {
    private static final String TOKEN = "correct-horse-battery";

    private final CountDownLatch release = new CountDownLatch(1);
    private final AtomicInteger asked = new AtomicInteger();
    private final List<RawClient> clients = new ArrayList<>();
    private final List<Server> servers = new ArrayList<>();

    private Tandem site() {
        return Tandem.listen("127.0.0.1", 0)
                .gauge(new Gauge("page_cache", "bytes", "Held.", asked::incrementAndGet))
                .gauge(new Gauge("page_cache", "lost_total", "Lost.", () -> failing()))
                .get("/hello", x -> x.send("hello"))
                .get("/wait/{name...}", x -> release.await())
                .get("/busy", x -> throwBusy());
    }

    private static double failing() {
        throw new IllegalStateException("not known now");
    }

    private static void throwBusy() {
        throw new dev.tandem.http.HttpException(503, "busy");
    }

    private Server start(Tandem tandem) throws IOException {
        Server server = tandem.start();
        servers.add(server);
        return server;
    }

    private Server local() throws IOException {
        return start(site().manage("127.0.0.1", 0));
    }

    @AfterEach
    void stop() throws IOException {
        release.countDown();
        for (RawClient client : clients) {
            client.close();
        }
        servers.forEach(server -> server.stop(Duration.ofSeconds(5)));
    }

    private RawClient client(InetSocketAddress at) throws IOException {
        var client = RawClient.connect(at);
        clients.add(client);
        return client;
    }

    private RawResponse asked(Server server, String path, String... fields) throws IOException {
        var request = new StringBuilder("GET " + path + " HTTP/1.1\nHost: localhost\n");
        for (String field : fields) {
            request.append(field).append('\n');
        }
        return client(Objects.requireNonNull(server.managementAddress()))
                .send(request.append('\n').toString())
                .response();
    }

    @Test
    void pageLoadsNothingFromOtherOrigins() throws IOException {
        Server server = local();
        RawResponse page = asked(server, "/console");
        assertEquals(200, page.status());
        String policy = String.valueOf(page.field("Content-Security-Policy"));
        assertTrue(policy.startsWith("default-src 'none'; script-src 'self'"), policy);
        assertFalse(policy.contains("unsafe"));
        assertEquals("nosniff", page.field("X-Content-Type-Options"));
        Matcher named = Pattern.compile("(?:src|href)=\"([^\"]*)\"").matcher(page.text());
        int files = 0;
        while (named.find()) {
            assertEquals(200, asked(server, named.group(1)).status(), named.group(1));
            files++;
        }
        assertEquals(3, files);
        assertFalse(page.text().contains("://"));
        assertFalse(asked(server, "/console/console.js").text().contains("innerHTML"));
    }

    @Test
    void browsersAreRedirectedToIt() throws IOException {
        Server server = local();
        assertEquals("/console", asked(server, "/", "Accept: text/html,*/*").field("Location"));
        assertTrue(asked(server, "/").text().contains("/metrics\n"));
    }

    @Test
    void everyMetricThatThePageNamesExists() throws IOException {
        Server server = local();
        String metrics = asked(server, "/metrics").text();
        Matcher named =
                Pattern.compile("'((?:tandem|http_server)_[a-z_]+)'")
                        .matcher(asked(server, "/console/console.js").text());
        int count = 0;
        while (named.find()) {
            // Metrics of TLS are shown only with TLS listeners.
            if (!named.group(1).startsWith("tandem_tls_")) {
                assertTrue(metrics.contains("# TYPE " + named.group(1) + " "), named.group(1));
                count++;
            }
        }
        assertTrue(count > 15);
    }

    @Test
    void runningRequestIsShownWithItsStepAndAge() throws IOException {
        Server server = local();
        client(server.address()).send(get("/wait/%3Cscript%3Ealert(1)%3C/script%3E?secret=1"));
        String wanted =
                "\"method\":\"GET\",\"path\":\"/wait/%3Cscript%3Ealert(1)%3C/script%3E\","
                        + "\"route\":\"/wait/{name...}\",\"protocol\":\"HTTP/1.1\","
                        + "\"stream\":0,\"step\":\"HANDLE\",\"age\":";
        Patience.until("it waits", () -> isRunning(server, wanted, "\"doing\":\"waits\""));
        assertFalse(asked(server, "/console/state").text().contains("secret"));
        release.countDown();
        Patience.until("nothing runs", () -> server.runningCount() == 0);
    }

    private static boolean isRunning(Server server, String... parts) {
        try (var client = RawClient.connect(Objects.requireNonNull(server.managementAddress()))) {
            String text =
                    client.send("GET /console/state HTTP/1.1\nHost: localhost\n\n")
                            .response()
                            .text();
            return List.of(parts).stream().allMatch(text::contains);
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void routesAndDurationsAreCountedWithoutRejections() throws IOException {
        Server server = local();
        RawClient client = client(server.address());
        for (int i = 0; i < 3; i++) {
            client.send(get("/hello")).response();
            client.send(get("/busy")).response();
        }
        String hello = "{\"method\":\"GET\",\"route\":\"/hello\",\"count\":3,\"failed\":0,";
        Patience.until("three", () -> isRunning(server, hello));
        String state = asked(server, "/console/state").text();
        assertFalse(state.contains("\"route\":\"/busy\",\"count\""));
    }

    @Test
    void manyViewersCostNoMoreThanOne() throws IOException {
        Server server = local();
        long begin = System.nanoTime();
        for (int i = 0; i < 200; i++) {
            assertEquals(200, asked(server, "/console/state").status());
        }
        long halfSeconds = (System.nanoTime() - begin) / 500_000_000 + 1;
        assertTrue(asked.get() <= halfSeconds, asked + " in " + halfSeconds);
        assertTrue(asked.get() > 0);
    }

    /// They read nothing of their responses, and use up all connections.
    @Test
    void viewersThatStopReadingBlockNoOther() throws IOException {
        Server server = local();
        InetSocketAddress at = Objects.requireNonNull(server.managementAddress());
        String looks = "GET /console/state HTTP/1.1\nHost: localhost\n\n".repeat(30);
        for (int i = 0; i < 80; i++) {
            var stalled = RawClient.connect(at, 2048);
            clients.add(stalled);
            stalled.send(looks);
        }
        for (int i = 0; i < 20; i++) {
            try (var viewer = RawClient.connect(at)) {
                String look = "GET /console/state HTTP/1.1\nHost: localhost\n\n";
                assertEquals(200, viewer.send(look).response().status());
            }
        }
    }

    /// A changed wall clock has no effect: ages and rates are of the monotonic one.
    @Test
    void wallClockIsNotUsed() throws IOException {
        Server server = local();
        assertFalse(asked(server, "/console/console.js").text().contains("Date"));
        long before = System.nanoTime() / 1_000_000;
        Matcher at = Pattern.compile("\"at\":(-?\\d+),").matcher(state(server));
        assertTrue(at.find());
        long shown = Long.parseLong(at.group(1));
        assertTrue(before <= shown && shown <= System.nanoTime() / 1_000_000 + 1);
    }

    @Test
    void stateNamesHostVersionAndStart() throws IOException {
        Server server = local();
        Pattern wanted =
                Pattern.compile(
                        "^\\{\"host\":\"[^\"]+\",\"version\":\"\\d[^\"]+\",\"started\":-?\\d+,"
                                + "\"state\":\\{\"level\":\"ok\",\"value\":\"healthy\",");
        assertTrue(wanted.matcher(state(server)).find(), state(server));
        String history = asked(server, "/console/history").text();
        assertTrue(history.contains("\"every\":1000,\"max\":300,\"samples\":["), history);
        assertEquals(400, asked(server, "/console/history?after=x").status());
    }

    @Test
    void explanationsBeginWithTheState() throws IOException {
        assertTrue(asked(local(), "/explain").text().startsWith("state "));
    }

    private String state(Server server) throws IOException {
        return asked(server, "/console/state").text();
    }

    @Test
    void noStateIsMadeWithoutAViewer() throws IOException {
        local();
        assertEquals(0, asked.get());
    }

    @Test
    void gaugesAreShownAndFailSeparately() throws IOException {
        Server server = local();
        PrometheusText metrics = PrometheusText.read(traffic(server));
        assertTrue(metrics.value("tandem_page_cache_bytes") > 0);
        assertFalse(asked(server, "/metrics").text().contains("lost_total"));
        assertTrue(asked(server, "/console/state").text().contains("tandem_page_cache_bytes"));
        Tandem taken = site();
        var again = new Gauge("page_cache", "bytes", "Again.", () -> 1);
        assertThrows(IllegalArgumentException.class, () -> taken.gauge(again));
    }

    /// A histogram without a sample would break a rule of the reader's.
    private String traffic(Server server) throws IOException {
        client(server.address()).send(get("/hello")).response();
        Patience.until("counted", () -> isRunning(server, "\"route\":\"/hello\""));
        return asked(server, "/metrics").text();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Bytes", "a-b", "1a", "a\nb", "a{b}"})
    void namesOfGaugesCannotBreakTheFormat(String name) {
        assertThrows(
                IllegalArgumentException.class, () -> new Gauge("page_cache", name, "", () -> 1));
        assertThrows(IllegalArgumentException.class, () -> new Gauge(name, "bytes", "", () -> 1));
        assertThrows(IllegalArgumentException.class, () -> new Gauge("a", "b", "x\ny", () -> 1));
    }

    @Test
    void gaugesWithAValueAreExplained() throws IOException {
        Server server = start(site().manage("127.0.0.1", 0));
        String text = asked(server, "/explain").text();
        assertTrue(text.contains("page cache, bytes"), text);
        assertTrue(text.contains("0.0 MiB"), text);
        assertFalse(text.contains("lost"), text);
    }

    @Test
    void reachableAddressNeedsAToken() throws IOException {
        Server open = start(site().manageOpenly("0.0.0.0", 0));
        assertEquals(403, asked(open, "/console").status());
        assertEquals(403, asked(open, "/console/state").status());
        assertEquals(403, asked(open, "/console/history").status());
        assertEquals(200, asked(open, "/metrics").status());
        Server closed = start(site().manageOpenly("0.0.0.0", 0).manageToken(TOKEN));
        assertEquals(200, asked(closed, "/console", "Authorization: Bearer " + TOKEN).status());
        assertEquals(200, asked(closed, "/console/state", basic("any:" + TOKEN)).status());
    }

    @Test
    void withoutTheTokenOnlyHealthIsServed() throws IOException {
        Server server = start(site().manage("127.0.0.1", 0).manageToken(TOKEN));
        for (String path :
                List.of(
                        "/",
                        "/console",
                        "/console/state",
                        "/console/history",
                        "/metrics",
                        "/explain")) {
            RawResponse response = asked(server, path);
            assertEquals(401, response.status(), path);
            assertTrue(String.valueOf(response.field("WWW-Authenticate")).startsWith("Basic "));
        }
        assertEquals(200, asked(server, "/health").status());
        assertEquals(200, asked(server, "/ready").status());
        for (String wrong : List.of("Bearer x", "Bearer", "Digest " + TOKEN, "Basic !", "Basic ")) {
            assertEquals(401, asked(server, "/metrics", "Authorization: " + wrong).status(), wrong);
        }
        assertEquals(401, asked(server, "/metrics", basic("a:" + TOKEN + "x")).status());
        assertEquals(401, asked(server, "/metrics", basic(":")).status());
    }

    private static String basic(String pair) {
        byte[] bytes = pair.getBytes(StandardCharsets.UTF_8);
        return "Authorization: Basic " + Base64.getEncoder().encodeToString(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "too-short", "has a space in its middle", "umläut-umläut-umläut"})
    void weakOrUntypeableTokensAreRejected(String token) {
        assertThrows(IllegalArgumentException.class, () -> site().manageToken(token));
    }
}
