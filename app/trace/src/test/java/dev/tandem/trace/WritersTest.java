package dev.tandem.trace;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The written files, compared with the expected ones.
class WritersTest {
    private static final Pattern TAG =
            Pattern.compile("<(/?)([a-z0-9]+)(?: [A-Za-z0-9-]+=\"[^\"<>]*\")*\\s*(/?)>");

    private static final Trace TRACE =
            new Trace(
                    Instant.parse("2026-11-22T04:05:06Z"),
                    5_000,
                    List.of(
                            new Trace.Thread(
                                    "tandem-loop-1",
                                    List.of(
                                            new Trace.Stretch(0, 4_000, State.IDLE),
                                            new Trace.Stretch(4_000, 5_000, State.RUNNING)),
                                    List.of()),
                            new Trace.Thread(
                                    "tandem-worker-1",
                                    List.of(
                                            new Trace.Stretch(0, 1_000, State.READY),
                                            new Trace.Stretch(1_000, 2_500, State.RUNNING),
                                            new Trace.Stretch(2_500, 5_000, State.BLOCKED_SYNCH)),
                                    List.of(
                                            new Trace.Request(
                                                    1_000,
                                                    2_000,
                                                    2_500,
                                                    700,
                                                    "GET /\"a\n",
                                                    "HTTP/2.0",
                                                    5,
                                                    200)))));

    private final Path folder;

    WritersTest(@TempDir Path folder) {
        this.folder = folder;
    }

    private String paraver(String end) throws IOException {
        ParaverWriter.write(TRACE, folder, "trace", ZoneOffset.UTC);
        return Files.readString(folder.resolve("trace." + end));
    }

    @Test
    void paraverRecordsAreOrderedByTime() throws IOException {
        int processors = Runtime.getRuntime().availableProcessors();
        assertEquals(
                """
                #Paraver (22/11/2026 at 04:05):5000_ns:1(%d):1:1(2:1)
                1:0:1:1:1:0:4000:0
                1:0:1:1:2:0:1000:7
                1:0:1:1:2:1000:2500:1
                2:0:1:1:2:1000:60000001:1:60000002:4:60000004:700
                2:0:1:1:2:2000:60000002:5:60000003:200
                1:0:1:1:2:2500:5000:5
                2:0:1:1:2:2500:60000001:0:60000002:0:60000003:0:60000004:0
                1:0:1:1:1:4000:5000:1
                """
                        .formatted(processors),
                paraver("prv"));
    }

    @Test
    void paraverConfigurationNamesTheNumbers() throws IOException {
        String meanings = paraver("pcf");
        assertTrue(meanings.contains("\nSTATES\n0    Idle\n1    Running\n7    Ready\n"), meanings);
        assertTrue(meanings.contains("\nSTATES_COLOR\n0    {117,195,255}\n"), meanings);
        assertTrue(
                meanings.contains(
                        "\n\nEVENT_TYPE\n0    60000001    Route\nVALUES\n0      End\n1      GET"
                                + " /\"a?\n\n"),
                meanings);
    }

    @Test
    void paraverRowsNameTheThreads() throws IOException {
        String names = paraver("row");
        assertTrue(
                names.endsWith("\nLEVEL THREAD SIZE 2\ntandem-loop-1\ntandem-worker-1\n"), names);
    }

    @Test
    void perfettoFileHasStatesAndRequests() throws IOException {
        Path file = folder.resolve("trace.json");
        PerfettoWriter.write(TRACE, file);
        assertEquals(
                """
                {"displayTimeUnit":"ns","traceEvents":[
                {"ph":"M","name":"process_name","pid":1,"tid":0,"args":{"name":"states"}},
                {"ph":"M","name":"process_name","pid":2,"tid":0,"args":{"name":"requests"}},
                {"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"tandem-loop-1"}},
                {"ph":"M","name":"thread_name","pid":2,"tid":1,"args":{"name":"tandem-loop-1"}},
                {"ph":"X","pid":1,"tid":1,"ts":0.000,"dur":4.000,"name":"Idle"},
                {"ph":"X","pid":1,"tid":1,"ts":4.000,"dur":1.000,"name":"Running"},
                {"ph":"M","name":"thread_name","pid":1,"tid":2,"args":{"name":"tandem-worker-1"}},
                {"ph":"M","name":"thread_name","pid":2,"tid":2,"args":{"name":"tandem-worker-1"}},
                {"ph":"X","pid":1,"tid":2,"ts":0.000,"dur":1.000,"name":"Ready"},
                {"ph":"X","pid":1,"tid":2,"ts":1.000,"dur":1.500,"name":"Running"},
                {"ph":"X","pid":1,"tid":2,"ts":2.500,"dur":2.500,"name":"Blocked Synch"},
                {"ph":"X","pid":2,"tid":2,"ts":1.000,"dur":1.500,"name":"GET /\\"a\\u000a","args":{"protocol":"HTTP/2.0","stream":5,"status":200,"waited_us":0.700}},
                {"ph":"X","pid":2,"tid":2,"ts":1.000,"dur":1.000,"name":"HANDLE"},
                {"ph":"X","pid":2,"tid":2,"ts":2.000,"dur":0.500,"name":"WRITE"}
                ]}
                """,
                Files.readString(file));
    }

    @Test
    void sharesAddUp() {
        assertEquals(0.8, TRACE.share(State.IDLE, true), 1e-9);
        assertEquals(0.5, TRACE.share(State.BLOCKED_SYNCH, false), 1e-9);
        double all = 0;
        for (State state : State.values()) {
            all += TRACE.share(state, false);
        }
        assertEquals(1, all, 1e-9);
    }

    @Test
    void pageIsSelfContainedAndEscapesRoutes() throws Exception {
        var hostile =
                new Trace.Thread(
                        "tandem-worker-2",
                        List.of(new Trace.Stretch(0, 5_000, State.BLOCKED_IO)),
                        List.of(
                                new Trace.Request(
                                        0, 10, 5_000, 0, "GET /<script>&\"", "HTTP/1.1", 0, 200)));
        var trace =
                new Trace(
                        TRACE.begin(),
                        TRACE.nanos(),
                        List.of(TRACE.threads().getFirst(), TRACE.threads().getLast(), hostile),
                        1_234);
        Path file = folder.resolve("trace.html");
        PageWriter.write(trace, file);
        String page = Files.readString(file);
        assertFalse(page.contains("<script"), page);
        assertFalse(page.matches("(?s).*(src|href|url|@import)[=( ].*"), page);
        assertTrue(page.contains("<td>GET /&lt;script&gt;&amp;&quot;</td>"), page);
        assertTrue(page.contains("1,234 responses were made on the loop"), page);
        // The second half of the first worker's row is blocked, from 0.5 of the width on.
        assertTrue(
                page.contains(
                        "<path class=\"s4\" d=\"M555.0,16.5H1000.0v12.0H555.0z\">"
                                + "<title>worker-1: Blocked Synch</title>"),
                page);
        assertWellFormed(page.substring(page.indexOf("<h1>")).replace("</html>", ""));
    }

    private static void assertWellFormed(String page) {
        var open = new ArrayDeque<String>();
        Matcher tag = TAG.matcher(page);
        while (tag.find()) {
            if (tag.group(1).isEmpty() && tag.group(3).isEmpty()) {
                open.push(tag.group(2));
            } else if (!tag.group(1).isEmpty()) {
                assertEquals(open.pop(), tag.group(2), page);
            }
        }
        assertTrue(open.isEmpty(), open::toString);
        String text = TAG.matcher(page).replaceAll("");
        assertFalse(text.replaceAll("&[a-z]+;|&#[0-9]+;", "").matches("(?s).*[<>&].*"), text);
    }

    @Test
    void pageOfAnEmptyTraceIsWritten() throws IOException {
        Path file = folder.resolve("empty.html");
        PageWriter.write(new Trace(TRACE.begin(), 0, List.of()), file);
        assertFalse(Files.readString(file).contains("on the loop"));
    }
}
