package dev.tandem.load;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttperfTest {

    private static Httperf of(String... options) {
        var map = new HashMap<String, String>();
        for (String option : options) {
            String[] parts = option.split("=", 2);
            map.put(parts[0], parts.length > 1 ? parts[1] : "");
        }
        map.putIfAbsent("server", "127.0.0.1");
        return Httperf.of(map);
    }

    /// One line per step: `SHAPE think: target target`.
    private static List<String> steps(Workload workload, long number) {
        Session session = workload.begin(number, new SplittableRandom(1));
        var lines = new ArrayList<String>();
        for (Step step = session.next(List.of()); step != null; step = session.next(List.of())) {
            var line = new StringBuilder(step.shape() + " " + step.think().toMillis() + ":");
            step.calls().forEach(call -> line.append(' ').append(call));
            lines.add(line.toString());
        }
        return lines;
    }

    @Test
    void sessionSendsTheFirstCallOfABurstAlone() {
        Httperf httperf = of("wsess=10,5,2.5", "burst-length=3", "rate=20", "uri=/a");
        assertEquals(
                List.of(
                        "IN_TURN 0: GET /a",
                        "PIPELINED 0: GET /a GET /a",
                        "IN_TURN 2500: GET /a",
                        "PIPELINED 0: GET /a"),
                steps(httperf.workload(), 0));
        assertTrue(httperf.isOfSessions());
        assertEquals(
                new Arrivals.Open(new Period.Fixed(Duration.ofMillis(50)), 10),
                httperf.load().arrivals());
    }

    @Test
    void connectionSendsABurstAtOnce() {
        Httperf httperf = of("num-conns=7", "num-calls=3", "burst-length=2");
        assertEquals(
                List.of("PIPELINED 0: GET / GET /", "PIPELINED 0: GET /"),
                steps(httperf.workload(), 0));
        assertEquals(new Arrivals.Closed(1, 7), httperf.load().arrivals());
    }

    @Test
    void timeOutsAreDisabledByDefault() {
        assertEquals(TimeLimits.ENDLESS, of("think-timeout=5").load().timeLimits());
        Duration two = Duration.ofSeconds(2);
        assertEquals(
                new TimeLimits(two, two, Duration.ofSeconds(5)),
                of("timeout=2", "think-timeout=3").load().timeLimits());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    0.5          | Fixed[each=PT0.5S]
                    d0.5         | Fixed[each=PT0.5S]
                    e0.1         | Exponential[mean=PT0.1S]
                    u0.1,0.3     | Uniform[least=PT0.1S, most=PT0.3S]
                    v1,10,0.1,20 | Trace[stretches=[Stretch[each=PT1S, lasts=PT10S], Stretch[each=PT0.1S, lasts=PT20S]]]
                    """)
    void allKindsOfPeriodsAreParsed(String text, String period) {
        var open = (Arrivals.Open) of("period=" + text).load().arrivals();
        assertEquals(period, open.period().toString());
    }

    @Test
    void workingSetIsRequestedInOrder() {
        Httperf httperf = of("wset=1024,0.5", "uri=/w", "num-calls=2");
        assertEquals(
                List.of("PIPELINED 0: GET /w/0/0/0/0.html", "PIPELINED 0: GET /w/0/0/0/0.html"),
                steps(httperf.workload(), 0));
        assertEquals("PIPELINED 0: GET /w/0/1/0/3.html", steps(httperf.workload(), 103).get(1));
        assertEquals("PIPELINED 0: GET /w/0/0/0/0.html", steps(httperf.workload(), 1024).get(0));
    }

    @Test
    void listOfTargetsIsRequestedInOrder(@TempDir Path folder) throws Exception {
        Path file = Files.writeString(folder.resolve("log"), "/a\0/b\0");
        Httperf httperf = of("wlog=y," + file, "num-calls=3");
        assertEquals(
                List.of("PIPELINED 0: GET /a", "PIPELINED 0: GET /b", "PIPELINED 0: GET /a"),
                steps(httperf.workload(), 0));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    wsess=1,2     | --wsess must be N,N,X, was 1,2
                    wsess=1,x,2   | --wsess must be N,N,X, was x
                    rate=-1       | --rate must be X, was -1
                    num-conns=1.5 | --num-conns must be N, was 1.5
                    period=u1     | --period must be P, was ''
                    add-header=A  | --add-header 'A' has no colon
                    """)
    void invalidOptionIsNamed(String option, String message) {
        var exception = assertThrows(IllegalArgumentException.class, () -> of(option));
        assertEquals(
                message.replace("''", "").strip(), String.valueOf(exception.getMessage()).strip());
    }

    // ---- Session logs.

    @Test
    void sessionLogIsParsed() {
        SessionLog log =
                SessionLog.parse(
                        "log",
                        """
                        # two sessions
                        /a think=2.5
                        \t/a.css
                            /a.png
                        /b method=POST contents='x=1\\n' think=0.5
                        /c

                        /d method=HEAD contents="\\
                        y"
                        """,
                        Duration.ofSeconds(1));
        assertEquals(
                List.of(
                        "IN_TURN 0: GET /a",
                        "PIPELINED 0: GET /a.css GET /a.png",
                        "IN_TURN 2500: POST /b",
                        "IN_TURN 500: GET /c"),
                steps(log, 0));
        assertEquals(List.of("IN_TURN 0: HEAD /d"), steps(log, 1));
        assertEquals(steps(log, 0), steps(log, 2));
        assertEquals(4, log.sessions().get(0).get(2).calls().getFirst().bodyLength());
        assertEquals(1, log.sessions().get(1).get(0).calls().getFirst().bodyLength());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    /a\\n /b think=x      | log, line 2: think needs seconds, was x
                    \\n /b                | log, line 2: an indented line needs one before it that is not
                    /a\\n\\n/b oops       | log, line 3: not understood:  oops
                    /a method=G(T         | log, line 1: not a method: G(T
                    # nothing             | log has no session
                    """)
    void errorInASessionLogIsNamed(String text, String message) {
        var exception =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> SessionLog.parse("log", text.replace("\\n", "\n"), Duration.ZERO));
        assertEquals(message, exception.getMessage());
    }

    // ---- The report.

    @Test
    void reportHasHttperfsLayout() throws Exception {
        try (var server = ScriptedServer.responding(ScriptedServer.OK)) {
            Httperf httperf = of("port=" + server.port(), "wsess=4,3,0.01", "rate=100");
            String text = httperf.report(httperf.load().run(httperf.workload()));
            String number = "[0-9.]+";
            String shape =
                    text.replaceAll("(?m)" + number, "N")
                            .replaceAll("histogram:( N)+", "histogram: N");
            assertEquals(
                    """
                    Total: connections N requests N replies N test-duration N s

                    Connection rate: N conn/s (N ms/conn, <=N concurrent connections)
                    Connection time [ms]: min N avg N max N median N stddev N
                    Connection time [ms]: connect N
                    Connection length [replies/conn]: N

                    Request rate: N req/s (N ms/req)
                    Request size [B]: N

                    Reply rate [replies/s]: min N avg N max N stddev N (N samples)
                    Reply time [ms]: response N transfer N
                    Reply size [B]: header N content N footer N (total N)
                    Reply status: Nxx=N Nxx=N Nxx=N Nxx=N Nxx=N

                    CPU time [s]: user N system N (user N% system N% total N%)
                    Net I/O: N KB/s (N*N^N bps)

                    Errors: total N client-timo N socket-timo N connrefused N connreset N
                    Errors: fd-unavail N addrunavail N ftab-full N other N

                    Session rate [sess/s]: min N avg N max N stddev N (N/N)
                    Session: avg N connections/session
                    Session lifetime [s]: N
                    Session failtime [s]: N
                    Session length histogram: N
                    """,
                    shape);
            assertTrue(text.startsWith("Total: connections 4 requests 12 replies 12 "), text);
            assertTrue(text.contains("Session length histogram: 0 0 0 4\n"), text);
            assertTrue(text.contains("stddev 0.00 (4/4)\n"), text);
            assertEquals(Map.of(), httperf.load().run(httperf.workload()).errors());
        }
    }

    // ---- On the wire.

    private static List<String> printed(String... options) throws Exception {
        String response = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\na\nb\n";
        try (var server =
                new ScriptedServer(
                        connection -> {
                            connection.request();
                            connection.send(response);
                        })) {
            var map = new HashMap<String, String>();
            for (String option : options) {
                String[] parts = option.split("=", 2);
                map.put(parts[0], parts.length > 1 ? parts[1] : "");
            }
            map.put("server", "127.0.0.1");
            map.put("port", Integer.toString(server.port()));
            var lines = new ArrayList<String>();
            Httperf httperf = Httperf.of(map, lines::add);
            httperf.load().run(httperf.workload());
            return lines;
        }
    }

    @Test
    void responsesArePrintedLineByLine() throws Exception {
        assertEquals(
                List.of(
                        "RH0:HTTP/1.1 200 OK",
                        "RH0:Content-Length: 4",
                        "RB0:a",
                        "RB0:b",
                        "RS0: header 38 content 4 footer 0"),
                printed("print-reply"));
        assertEquals(List.of("RB0:a", "RB0:b"), printed("print-reply=body"));
    }

    @Test
    void requestsArePrintedAsSent() throws Exception {
        List<String> lines = printed("print-request=header", "uri=/x");
        assertEquals("SH0:GET /x HTTP/1.1", lines.getFirst());
        assertTrue(lines.get(1).startsWith("SH0:Host: 127.0.0.1"), lines.toString());
        assertEquals(2, lines.size());
    }

    @Test
    void debugOptionPrintsFailures() throws Exception {
        try (var server = new ScriptedServer(_ -> {})) {
            var lines = new ArrayList<String>();
            Map<String, String> options =
                    Map.of(
                            "server",
                            "127.0.0.1",
                            "port",
                            Integer.toString(server.port()),
                            "debug",
                            "1");
            Httperf httperf = Httperf.of(options, lines::add);
            httperf.load().run(httperf.workload());
            assertEquals(1, lines.size(), lines.toString());
            assertTrue(lines.getFirst().matches("call 0: (reset|closed-early)"), lines.toString());
        }
    }

    @Test
    void socketBufferOptionsConfigureTheClient() {
        Client client = of("recv-buffer=8192", "send-buffer=2048").load().client();
        assertEquals(8192, client.receiveBuffer());
        assertEquals(2048, client.sendBuffer());
    }

    @Test
    void unsupportedOptionGivesItsReason() {
        var exception = assertThrows(IllegalArgumentException.class, () -> of("no-host-hdr"));
        assertTrue(
                String.valueOf(exception.getMessage()).startsWith("--no-host-hdr is not here: "));
        var wrong = assertThrows(IllegalArgumentException.class, () -> of("print-reply=foot"));
        assertEquals("--print-reply must be [=HEADER|BODY], was foot", wrong.getMessage());
    }
}
