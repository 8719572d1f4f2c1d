package dev.tandem.lab.commands;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.http.Exchange;
import dev.tandem.lab.Target;
import dev.tandem.load.Arrivals;
import dev.tandem.load.Call;
import dev.tandem.load.Client;
import dev.tandem.load.Http2;
import dev.tandem.load.Httperf;
import dev.tandem.load.Load;
import dev.tandem.load.LoadReport;
import dev.tandem.load.Repeat;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Compares our load generator with httperf and wrk: the same load, the same server, the same
/// figures.
class LoadAgainstOthersTest {
    private static final int SLEEP_MILLIS = 50;

    /// Both are measured one after the other: what else runs on the machine may change meanwhile.
    private static final int PAIRS_MAX = 5;

    private final Path folder;
    private final AtomicLong counted = new AtomicLong();
    private final Target target;
    private final Server server;

    LoadAgainstOthersTest(@TempDir Path folder) throws IOException {
        this.folder = folder;
        this.target = new Target(folder);
        this.server =
                target.addTo(Tandem.listen("127.0.0.1", 0).get("/counted", this::count)).start();
    }

    @AfterEach
    void stop() {
        server.close();
        target.close();
    }

    private void count(Exchange x) throws IOException {
        counted.incrementAndGet();
        x.contentType("text/plain").send("counted");
    }

    /// Returns what another program wrote to standard output; skips the test where it is missing.
    private String output(String program, String... arguments) throws Exception {
        boolean isHere =
                Stream.of(System.getenv("PATH").split(":"))
                        .anyMatch(at -> Files.isExecutable(Path.of(at, program)));
        assumeTrue(isHere, "skipped: needs " + program);
        var words = new ArrayList<>(List.of(program));
        words.addAll(List.of(arguments));
        Path out = folder.resolve(program + ".out");
        Process process =
                new ProcessBuilder(words)
                        .redirectInput(new File("/dev/null"))
                        .redirectOutput(out.toFile())
                        .redirectError(folder.resolve(program + ".err").toFile())
                        .start();
        try {
            assertTrue(process.waitFor(60, TimeUnit.SECONDS), program + " did not end");
        } finally {
            process.destroyForcibly();
        }
        return Files.readString(out, StandardCharsets.ISO_8859_1);
    }

    private static String find(String text, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        assertTrue(matcher.find(), pattern + " in " + text);
        return matcher.group(1);
    }

    private static double number(String text, String pattern) {
        return Double.parseDouble(find(text, pattern));
    }

    /// What httperf reports of a load, and what we report of the same load in its format.
    private record Both(String theirs, String ours) {
        void assertSame(String pattern) {
            assertEquals(find(theirs, pattern), find(ours, pattern));
        }
    }

    private Both both(Map<String, String> options) throws Exception {
        var all = new HashMap<>(options);
        all.put("server", "127.0.0.1");
        all.put("port", Integer.toString(server.port()));
        var words = new ArrayList<String>();
        all.forEach((name, value) -> words.add("--" + name + "=" + value));
        String theirs = output("httperf", words.toArray(String[]::new));
        long ofTheirs = counted.getAndSet(0);
        Httperf form = Httperf.of(all);
        LoadReport report = form.load().run(form.workload());
        String ours = form.report(report);
        assertEquals(ofTheirs, counted.get(), "requests that the server saw");
        return new Both(theirs, ours);
    }

    @Test
    void httperfAndGeneratorCountTheSame() throws Exception {
        Both both =
                both(
                        Map.of(
                                "uri", "/counted",
                                "rate", "100",
                                "wsess", "60,7,0.02",
                                "burst-length", "3",
                                "timeout", "20"));
        both.assertSame("Total: (connections 60 requests 420 replies 420) ");
        both.assertSame("Connection length \\[replies/conn\\]: (7.000)");
        both.assertSame("Reply size \\[B\\]: (header .*)");
        both.assertSame("Reply status: (1xx=0 2xx=420 3xx=0 4xx=0 5xx=0)");
        both.assertSame("Errors: (total 0) ");
        both.assertSame("Session rate .* (\\(60/60\\))");
        both.assertSame("Session: (avg 1.00 connections/session)");
        both.assertSame("Session length histogram:( 0 0 0 0 0 0 0 60)");
    }

    /// Connections at intervals of 20 ms: the hundredth begins 1.98 s after the first, and not
    /// before. How much later depends on the machine.
    @Test
    void httperfAndGeneratorHaveTheSameRate() throws Exception {
        Both both =
                both(Map.of("uri", "/block?ms=" + SLEEP_MILLIS, "rate", "50", "num-conns", "100"));
        for (String report : List.of(both.theirs, both.ours)) {
            double rate = number(report, "Connection rate: ([\\d.]+) ");
            assertTrue(rate > 5 && rate <= 50, report);
            double response = number(report, "Reply time \\[ms\\]: response ([\\d.]+) ");
            assertTrue(response >= SLEEP_MILLIS - 1 && response < 40 * SLEEP_MILLIS, report);
        }
    }

    /// The median of hundreds of responses that each take 50 ms, within half of that.
    @Test
    void wrkAndGeneratorMeasureTheSameMedian() throws Exception {
        var differences = new ArrayList<String>();
        while (differences.size() < PAIRS_MAX) {
            String difference = differenceOfMedians();
            if (difference.isEmpty()) {
                return;
            }
            differences.add(difference);
        }
        assertEquals(List.of(), differences);
    }

    /// @return empty if they are near each other
    private String differenceOfMedians() throws Exception {
        String url = "http://127.0.0.1:" + server.port() + "/block?ms=" + SLEEP_MILLIS;
        String theirs = output("wrk", "-t1", "-c8", "-d2s", "--latency", url);
        double theirMillis = number(theirs, "50%\\s+([\\d.]+)ms");
        LoadReport report =
                Load.of(url)
                        .withArrivals(Arrivals.closed(8))
                        .withTime(Duration.ofSeconds(2))
                        .run(Repeat.endless(Call.get("/block?ms=" + SLEEP_MILLIS)));
        double ourMillis = report.measured().millis(50);
        assertTrue(ourMillis >= SLEEP_MILLIS - 0.1);
        double theirRate = number(theirs, "Requests/sec:\\s+([\\d.]+)");
        double ratio = report.repliesPerSecond() / theirRate;
        assertTrue(ratio > 0.1 && ratio < 10, theirs);
        boolean areNear = Math.abs(ourMillis - theirMillis) <= SLEEP_MILLIS / 2.0;
        return areNear ? "" : ourMillis + " ms, not " + theirMillis + " ms";
    }

    /// h2load ends at an exact number of requests.
    @Test
    void h2loadAndGeneratorCountTheSame() throws Exception {
        String url = "http://127.0.0.1:" + server.port() + "/counted";
        String theirs = output("h2load", "-n", "600", "-c", "2", "-m", "10", url);
        assertTrue(theirs.contains("600 succeeded, 0 failed"), theirs);
        assertEquals(600, counted.getAndSet(0));
        LoadReport report =
                Load.of(url)
                        .withArrivals(new Arrivals.Closed(20, 60))
                        .withTime(Duration.ZERO)
                        .withClient(
                                Client.DEFAULT
                                        .withVersion(Client.Version.HTTP_2)
                                        .withHttp2(new Http2(10, true, 0)))
                        .run(Repeat.sessions(Call.get("/counted"), 10, Duration.ZERO));
        assertEquals(600, counted.get());
        assertEquals(600, report.replies().count());
        assertEquals(2, report.connections().opened());
        assertEquals(Map.of(), report.errors());
    }

    /// The generator counts at most as many responses fewer than the server as there are clients:
    /// each may have been cut off with one request in progress.
    @Test
    void serverAndGeneratorCountTheSame() throws Exception {
        LoadReport report =
                Load.of("http://127.0.0.1:" + server.port())
                        .withArrivals(Arrivals.closed(16))
                        .withTime(Duration.ofSeconds(1))
                        .run(Repeat.endless(Call.get("/counted")));
        long underWay = counted.get() - report.replies().count();
        assertTrue(underWay >= 0 && underWay <= 16, underWay + " of " + counted);
        assertTrue(report.replies().count() > 0);
        assertEquals(Map.of(), report.errors());
    }
}
