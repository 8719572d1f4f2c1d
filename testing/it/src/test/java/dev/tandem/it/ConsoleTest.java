package dev.tandem.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Gauge;
import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.http.Handler;
import dev.tandem.testkit.Browser;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The console in a real browser, of a server under load.
class ConsoleTest {
    private static final String SHOWN = "String(document.body?.dataset.shown >= 2)";

    private final CountDownLatch release = new CountDownLatch(1);
    private Server server;
    private Browser browser;

    @BeforeEach
    void start(@TempDir Path folder) throws Exception {
        server =
                Tandem.listen("127.0.0.1", 0)
                        .manage("127.0.0.1", 0)
                        .gauge(new Gauge("page_cache", "hits_total", "Hits.", () -> 7))
                        .get("/hello", x -> x.send("hello"))
                        .get("/wait/{name...}", x -> release.await())
                        .get("/<img src=x onerror=alert(1)>", Handler.nonBlocking(x -> x.send("")))
                        .start();
        Tool.chromium(folder).needed();
        browser = Browser.start(folder, "--enable-blink-features=ComputedAccessibilityInfo");
    }

    @AfterEach
    void stop() {
        if (browser != null) { // null where the machine has none
            browser.close();
        }
        release.countDown();
        server.stop(Duration.ofSeconds(5));
    }

    private void look() throws IOException {
        InetSocketAddress at = Objects.requireNonNull(server.managementAddress());
        browser.open("http://127.0.0.1:" + at.getPort() + "/");
    }

    private RawClient ask(String path) throws IOException {
        return RawClient.connect(server.address()).send("GET " + path + " HTTP/1.1\nHost: a\n\n");
    }

    @Test
    void consoleShowsARunningServer() throws Exception {
        try (var _ = ask("/wait/%3Cimg%20src=x%20onerror=alert(1)%3E");
                var odd = ask("/%3Cimg%20src=x%20onerror=alert(1)%3E");
                var client = ask("/hello")) {
            odd.response();
            client.response();
            Thread load = Thread.ofPlatform().daemon().start(() -> goOn(client));
            look();
            browser.await(SHOWN, "true");
            browser.await("String(/[0-9]/.test(" + number("n-requests", 0) + "))", "true");
            browser.await(
                    "document.querySelector('#t-running tbody').rows[0].cells[3].textContent",
                    "GET /wait/%3Cimg%20src=x%20onerror=alert(1)%3E");
            assertRendered();
            assertEquals(List.of(), browser.complaints());
            load.interrupt();
            load.join();
        }
    }

    private static void goOn(RawClient client) {
        try {
            for (int i = 0; i < 100_000 && !Thread.interrupted(); i++) {
                client.send("GET /hello HTTP/1.1\nHost: a\n\n").response();
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private String count(String selector) throws IOException {
        return browser.evaluated("String(document.querySelectorAll('" + selector + "').length)");
    }

    private static String of(String id, String selector) {
        return "document.querySelectorAll('#" + id + " " + selector + "').length";
    }

    private static String number(String list, int row) {
        return "document.querySelectorAll('#" + list + " dd')[" + row + "].textContent";
    }

    private void assertRendered() throws IOException, InterruptedException {
        // Every picture, table and button has a name.
        String named = "svg,table:has(th),button:not([hidden]),section,[tabindex]";
        String nameless =
                "[...document.querySelectorAll('%s')].filter(e => !e.computedName)"
                        .formatted(named);
        assertEquals("", browser.evaluated("String(" + nameless + ".map(e => e.id))"));
        // Four charts; three lanes, four resources, sessions and rejections as bars.
        assertEquals("4", count(".charted svg"));
        assertEquals("9", count(".bars svg"));
        // The lane of the waiting request is filled up to it.
        String filled =
                "String([...document.querySelectorAll('#p-lanes rect.s0')]"
                        + ".some(r => r.getBoundingClientRect().width > 1))";
        assertEquals("true", browser.evaluated(filled));
        String methods =
                "[...document.querySelectorAll('#t-routes tbody tr')]"
                        + ".map(row => row.cells[0].textContent).filter(t => t.includes('/'))"
                        + ".sort().join()";
        assertEquals("GET /<img src=x onerror=alert(1)>,GET /hello", browser.evaluated(methods));
        // Charts are those of the server's samples, with scales.
        String drawn =
                "String(document.querySelector('#c-requests path').getAttribute('d').length > 0)";
        browser.await(drawn, "true");
        String scales =
                "[...document.querySelectorAll('#c-requests text')].map(t => t.textContent)"
                        + ".join().replaceAll('−', '-')";
        String axis = browser.evaluated(scales);
        assertTrue(axis.startsWith("0,"), axis);
        assertTrue(axis.endsWith("now,-1 min"), axis);
        String state = browser.evaluated("document.getElementById('state').textContent");
        assertTrue(state.matches("(healthy|busy): .+"), state);
        String title =
                browser.evaluated(
                        "document.getElementById('title').textContent.replaceAll('·', '-')");
        assertTrue(title.matches(".+ - \\d.* - up \\d+ s"), title);
        // Every request target and route name is shown as text.
        assertEquals("0", browser.evaluated("String(document.querySelectorAll('img').length)"));
        String routes =
                "String(document.querySelector('#t-routes').textContent.includes('<img src=x'))";
        assertEquals("true", browser.evaluated(routes));
        String gauge =
                "document.querySelector('[aria-labelledby=h-further-page_cache] dd').textContent";
        assertEquals("7", browser.evaluated(gauge));
        String reasons = "String(document.querySelectorAll('#why tbody tr').length > 10)";
        assertEquals("true", browser.evaluated(reasons));
    }

    /// The light color scheme, for users who prefer it.
    @Test
    void everySectionHasItsNumbersAndASentence() throws Exception {
        browser.call(
                "Emulation.setEmulatedMedia",
                "{\"features\":[{\"name\":\"prefers-color-scheme\",\"value\":\"light\"}]}");
        look();
        browser.await(SHOWN, "true");
        assertEquals(
                "rgb(246, 247, 249)",
                browser.evaluated("getComputedStyle(document.documentElement).backgroundColor"));
        for (String list :
                List.of(
                        "n-requests",
                        "n-latency",
                        "n-workers",
                        "n-connections",
                        "n-rejected",
                        "n-sessions")) {
            String rows = "String(document.querySelectorAll('#" + list + " dd').length > 2)";
            assertEquals("true", browser.evaluated(rows), list);
            String said =
                    "String(document.querySelectorAll('#"
                            + list
                            + " [data-definition]').length > 0)";
            assertEquals("true", browser.evaluated(said), list);
        }
        for (String picture : List.of("p-lanes", "p-used", "p-sessions", "p-rejected")) {
            assertEquals("true", browser.evaluated("String(" + of(picture, "svg") + " > 0)"));
            assertEquals("true", browser.evaluated("String(" + of(picture, ".term") + " > 0)"));
        }
        // A definition shows when its word has the focus, or the pointer is on it.
        browser.call("Emulation.setFocusEmulationEnabled", "{\"enabled\":true}");
        // Without the quotation marks of a CSS string.
        String focused =
                "(e => { e.focus();"
                        + " return getComputedStyle(e, '::after').content.slice(1, -1) })"
                        + "(document.querySelector('#p-lanes .term'))";
        String definition = browser.evaluated(focused);
        assertTrue(definition.contains("limit: health probes at once"), definition);
    }

    @Test
    void consoleFitsAPhoneInDarkMode() throws Exception {
        browser.call(
                "Emulation.setDeviceMetricsOverride",
                "{\"width\":360,\"height\":740,\"deviceScaleFactor\":2,\"mobile\":true}");
        browser.call(
                "Emulation.setEmulatedMedia",
                "{\"features\":[{\"name\":\"prefers-color-scheme\",\"value\":\"dark\"}]}");
        look();
        browser.await(SHOWN, "true");
        assertEquals("360", browser.evaluated("String(document.documentElement.scrollWidth)"));
        assertEquals(
                "rgb(17, 20, 24)",
                browser.evaluated("getComputedStyle(document.documentElement).backgroundColor"));
        assertEquals(List.of(), browser.complaints());
    }

    @Test
    void consoleShowsWhenTheServerIsDownAndCanBePaused() throws Exception {
        look();
        browser.await(SHOWN, "true");
        browser.evaluated("String(document.getElementById('pause').click())");
        assertEquals("paused", browser.evaluated("document.getElementById('says').textContent"));
        browser.evaluated("String(document.getElementById('pause').click())");
        // A reload shows the same samples again, which are the server's.
        browser.await("String(recent.length > 1)", "true");
        String first = browser.evaluated("String(recent[0].at)");
        look();
        browser.await("typeof recent === 'undefined' ? '' : String(recent[0]?.at)", first);
        server.stop(Duration.ofSeconds(1));
        browser.await("String(document.body.classList.contains('lost'))", "true");
    }

    @Test
    void numbersAreReadableFromOneRequestToHundredThousandPerSecond() throws Exception {
        look();
        browser.await(SHOWN, "true");
        String numbers =
                "String([null,0,0.1,1,1.5,9.96,100000,1234567].map(number).join(' ')).replace('–',"
                        + " 'none')";
        assertEquals("none 0 0.10 1 1.5 10 100,000 1,234,567", browser.evaluated(numbers));
        String axes = "String([0,1,0.5,950,1000,100000,2500000].map(short).join(', '))";
        assertEquals("0, 1, 0.5, 950, 1 k, 100 k, 2.5 M", browser.evaluated(axes));
        String times =
                "[null,1,999.7,1234,45678,999999,1.5e6,180e6].map(time).join(', ').replace('–',"
                        + " 'none').replaceAll('µ', 'u')";
        assertEquals(
                "none, 1 us, 1 ms, 1.23 ms, 45.7 ms, 1 s, 1.5 s, 3 min", browser.evaluated(times));
        String durations = "[0,61e3,3600e3,90061e3].map(duration).join(', ')";
        assertEquals("0 s, 1 min 1 s, 1 h 0 min, 1 d 1 h", browser.evaluated(durations));
        String steps = "[[1,1],[3,1],[100000,1],[130000,1]].map(x => step(...x)).join(' ')";
        assertEquals("1 1 50000 50000", browser.evaluated(steps));
    }
}
