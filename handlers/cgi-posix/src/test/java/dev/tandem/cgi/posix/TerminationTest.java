package dev.tandem.cgi.posix;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.cgi.CgiOptions;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// How programs end, how they are killed, and how many run.
class TerminationTest {
    private static final String TYPE = "printf 'Content-Type: text/plain\\n\\n'\n";

    /// Starts a child, prints both process ids, and becomes inactive.
    private static final String FAMILY =
            """
            sleep 1000 &
            echo $! > $DIR/child
            echo $$ > $DIR/parent
            """;

    /// So short that programs have hardly started: whatever holds here must hold for programs that
    /// are killed during their start.
    private static final CgiOptions IMPATIENT =
            CgiOptions.DEFAULT
                    .withInactivityTimeout(Duration.ofMillis(300))
                    .withLifetimeMax(Duration.ofMinutes(1));

    /// Sends a request by a client that sends nothing else.
    private static RawClient requestAlone(Programs site) throws IOException {
        return site.client().send("GET /cgi-bin/a HTTP/1.1\nHost: a\nConnection: close\n\n");
    }

    private static void assertFamilyEnds(Programs site) throws IOException {
        Programs.awaitGone(site.awaitNumber("parent"));
        Programs.awaitGone(site.awaitNumber("child"));
        site.awaitIdle();
    }

    @ParameterizedTest
    @EnumSource
    void inactiveProgramIsKilledWithItsGroup(SpawnerKind kind) throws IOException {
        try (var site = new Programs(kind, IMPATIENT).withShell("a", FAMILY + "wait\n")) {
            assertEquals(504, site.get("a").status());
            site.awaitNoProcesses();
            site.awaitLogged("took too long");
            assertEquals(1, site.logged("took too long").size());
        }
    }

    /// The group's leader has exited, and only its child holds the pipe.
    @ParameterizedTest
    @EnumSource
    void childThatHoldsTheOutputIsKilled(SpawnerKind kind) throws IOException {
        try (var site = new Programs(kind, IMPATIENT).withShell("a", TYPE + "echo x\n" + FAMILY)) {
            // The JDK ends the output with the program, the kernel with its last holder.
            requestAlone(site).restOrCut();
            if (kind != SpawnerKind.POSIX) {
                site.awaitIdle();
                site.runningProcesses().forEach(ProcessHandle::destroy);
            }
            site.awaitNoProcesses();
        }
    }

    @ParameterizedTest
    @EnumSource
    void programBeyondItsLifetimeIsKilled(SpawnerKind kind) throws IOException {
        var options =
                CgiOptions.DEFAULT
                        .withInactivityTimeout(Duration.ofMinutes(1))
                        .withLifetimeMax(Duration.ofMillis(600));
        try (var site =
                new Programs(kind, options)
                        .withShell("a", FAMILY + TYPE + "while :; do echo x; sleep 0.01; done\n")) {
            String all = new String(requestAlone(site).restOrCut());
            assertTrue(hasStartedOrIsLate(Integer.parseInt(all.substring(9, 12))), all);
            assertFalse(all.endsWith("0\r\n\r\n"), "the response is truncated");
            site.awaitNoProcesses();
        }
    }

    /// As the kernel ends it for lack of memory.
    @ParameterizedTest
    @EnumSource
    void responseOfAProgramThatASignalEndsIsTruncated(SpawnerKind kind) throws IOException {
        try (var site =
                new Programs(kind)
                        .withShell(
                                "a",
                                TYPE
                                        + "echo a part\n"
                                        + "while [ ! -e $DIR/go ]; do sleep 0.01; done\n"
                                        + "kill -KILL $$\n")) {
            RawClient client = requestAlone(site);
            var received = new StringBuilder();
            while (received.indexOf("a part") < 0) {
                byte[] some = client.bytes(1000);
                assertTrue(some.length > 0, received.toString());
                received.append(new String(some, StandardCharsets.ISO_8859_1));
            }
            Files.createFile(site.folder().resolve("go"));
            String rest = new String(client.restOrCut(), StandardCharsets.ISO_8859_1);
            assertFalse(rest.endsWith("0\r\n\r\n"), "the response is truncated");
            site.awaitLogged(", a: response rejected: signal 9 has ended the program");
            site.awaitIdle();
            assertEquals(1, site.logged("").size());
        }
    }

    @ParameterizedTest
    @EnumSource
    void programWithAnotherExitStatusKeepsItsResponse(SpawnerKind kind) throws IOException {
        try (var site =
                new Programs(kind)
                        .withShell("a", TYPE + "echo done\nexit 1\n")
                        .withShell("b", TYPE + "echo done\nexit 141\n")) {
            assertEquals("done\n", site.get("a").text());
            assertEquals("done\n", site.get("b").text());
            assertEquals(List.of(), site.logged(""));
        }
    }

    /// All that it has announced has come.
    @ParameterizedTest
    @EnumSource
    void announcedResponseIsCompleteThoughASignalEndsItsProgram(SpawnerKind kind)
            throws IOException {
        String head = "printf 'Content-Type: text/plain\\nContent-Length: 5\\n\\n'\n";
        try (var site =
                new Programs(kind).withShell("a", head + "echo done\n" + "kill -KILL $$\n")) {
            assertEquals("done\n", site.get("a").text());
        }
    }

    @ParameterizedTest
    @EnumSource
    void programOfADisconnectedClientIsKilled(SpawnerKind kind) throws IOException {
        try (var site =
                new Programs(kind)
                        .withShell("a", FAMILY + TYPE + "while :; do echo x; sleep 0.01; done\n")) {
            var client = site.request("a");
            assertTrue(client.bytes(64).length > 0);
            client.reset();
            assertFamilyEnds(site);
        }
    }

    @ParameterizedTest
    @EnumSource
    void inactiveProgramOfADisconnectedClientIsKilled(SpawnerKind kind) throws IOException {
        try (var site = new Programs(kind).withShell("a", FAMILY + "wait\n")) {
            var client = site.request("a");
            assertTrue(Programs.isRunning(site.awaitNumber("parent")));
            client.reset();
            assertFamilyEnds(site);
        }
    }

    /// As `nc -N` does, or a script that sends a file and then listens. The program takes longer
    /// than the interval of two checks, and begins after the end of input: an end that comes
    /// between two checks means that the client has disconnected.
    @ParameterizedTest
    @EnumSource
    void halfClosedClientGetsTheResponseOfASlowProgram(SpawnerKind kind) throws IOException {
        try (var site = new Programs(kind).withShell("a", "sleep 0.8\n" + TYPE + "echo done\n")) {
            site.hold();
            var client = site.request("a").halfClose();
            site.releaseHeld();
            assertEquals("done\n", client.response().text());
        }
    }

    /// Its body is read before the program starts, so that it holds no slot.
    @ParameterizedTest
    @EnumSource
    void uploadThatPausesHoldsNoSlot(SpawnerKind kind) throws IOException {
        var options =
                CgiOptions.DEFAULT
                        .withProcessesMax(1)
                        .withQueueMax(9)
                        .withQueueWait(Duration.ofSeconds(15));
        try (var site =
                new Programs(kind, options)
                        .withShell("a", "echo $$ > $DIR/parent\n" + TYPE + "exec wc -c\n")
                        .withShell("b", TYPE + "echo done\n")) {
            var client = site.client();
            client.send("POST /cgi-bin/a HTTP/1.1\nHost: a\nContent-Length: 200000\n\n")
                    .send(new byte[100_000]);
            for (int i = 0; i < 20; i++) {
                assertEquals("done\n", site.get("b").text());
            }
            assertFalse(Files.exists(site.folder().resolve("parent")));
            client.send(new byte[100_000]);
            assertEquals("200000", client.response().text().strip());
        }
    }

    @ParameterizedTest
    @EnumSource
    void programOfAClientThatStopsSendingIsNotStarted(SpawnerKind kind) throws IOException {
        try (var site =
                new Programs(kind)
                        .withShell("a", "echo $$ > $DIR/parent\n" + TYPE)
                        .withShell("b", TYPE + "echo done\n")) {
            var client = site.client();
            client.send("POST /cgi-bin/a HTTP/1.1\nHost: a\nContent-Length: 1000000\n\n")
                    .send(new byte[200_000]);
            assertEquals("done\n", site.get("b").text());
            client.reset();
            assertEquals("done\n", site.get("b").text());
            site.awaitIdle();
            assertFalse(Files.exists(site.folder().resolve("parent")));
        }
    }

    @ParameterizedTest
    @EnumSource
    void programThatClosesItsOutputMayContinue(SpawnerKind kind) throws IOException {
        try (var site =
                new Programs(kind)
                        .withShell(
                                "a",
                                TYPE
                                        + "echo done\n"
                                        + "exec >&-\n"
                                        + "while [ ! -e $DIR/go ]; do sleep 0.01; done\n"
                                        + "echo late words >&2\n"
                                        + "echo x > $DIR/went\n")) {
            assertEquals("done\n", site.get("a").text());
            assertEquals(1, site.cgi().processCount());
            Files.createFile(site.folder().resolve("go"));
            site.awaitFile("went");
            site.awaitIdle();
            site.awaitLogged("late words");
        }
    }

    @ParameterizedTest
    @EnumSource
    void inactiveProgramThatClosedItsOutputIsKilled(SpawnerKind kind) throws IOException {
        try (var site =
                new Programs(kind, IMPATIENT)
                        .withShell("a", TYPE + "exec >&- 2>&-\n" + FAMILY + "wait\n")) {
            assertTrue(hasStartedOrIsLate(site.get("a").status()));
            site.awaitNoProcesses();
        }
    }

    /// A slow machine may not reach the program's first line in time.
    private static boolean hasStartedOrIsLate(int status) {
        return status == 200 || status == 504;
    }

    @ParameterizedTest
    @EnumSource
    void closeKillsRunningPrograms(SpawnerKind kind) throws IOException {
        try (var site = new Programs(kind).withShell("a", FAMILY + "wait\n")) {
            var client = site.request("a");
            site.awaitNumber("parent");
            Patience.until("it is known", () -> site.cgi().processCount() == 1);
            site.cgi().close();
            assertEquals(502, client.response().status());
            assertFamilyEnds(site);
        }
    }

    @ParameterizedTest
    @EnumSource
    void stopOfTheServerKillsRunningPrograms(SpawnerKind kind) throws IOException {
        try (var site = new Programs(kind).withShell("a", FAMILY + "wait\n")) {
            site.request("a");
            site.awaitNumber("parent");
            site.stop(Duration.ofMillis(10));
            assertFamilyEnds(site);
        }
    }

    @ParameterizedTest
    @EnumSource
    void slowOutputIsSentAsItArrives(SpawnerKind kind) throws IOException {
        String trickle = "while [ ! -e $DIR/go ]; do echo x; sleep 0.002; done\n";
        try (var site = new Programs(kind).withShell("a", TYPE + trickle)) {
            var client = site.request("a");
            var seen = new StringBuilder();
            while (seen.indexOf("x\n") < 0) {
                byte[] more = client.bytes(512);
                assertTrue(more.length > 0);
                seen.append(new String(more, StandardCharsets.US_ASCII));
            }
            assertTrue(seen.length() < 4_096, "not only when a buffer is full");
            Files.createFile(site.folder().resolve("go"));
            site.awaitIdle();
        }
    }

    @ParameterizedTest
    @EnumSource
    void standardErrorIsLoggedWithTheExchange(SpawnerKind kind) throws IOException {
        try (var site =
                new Programs(kind)
                        .withShell(
                                "a",
                                "echo first >&2\n"
                                        + TYPE
                                        + "echo done\nprintf 'esc\\033[2J\\nlast' >&2\n")) {
            assertEquals("done\n", site.get("a").text());
            site.awaitLogged("last");
            List<String> lines = site.logged("stderr: ");
            assertEquals(3, lines.size());
            assertTrue(
                    lines.getFirst().matches("exchange \\S+, a stderr: first"), lines.toString());
            assertTrue(lines.get(1).endsWith("stderr: esc?[2J"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void floodOfErrorLinesIsTruncated(SpawnerKind kind) throws IOException {
        try (var site =
                new Programs(kind)
                        .withShell(
                                "a", "yes error | head -n 100000 >&2\n" + TYPE + "echo done\n")) {
            assertEquals("done\n", site.get("a").text());
            site.awaitLogged("the rest is dropped");
            assertEquals(101, site.logged("stderr: ").size());
        }
    }

    @ParameterizedTest
    @EnumSource
    void endlessErrorsDoNotCountAsOutput(SpawnerKind kind) throws IOException {
        try (var site = new Programs(kind, IMPATIENT).withShell("a", "yes >&2\n")) {
            assertEquals(504, site.get("a").status());
            site.awaitIdle();
        }
    }

    @ParameterizedTest
    @EnumSource
    void requestBeyondTheProcessLimitIs503(SpawnerKind kind) throws IOException {
        var options =
                CgiOptions.DEFAULT
                        .withProcessesMax(1)
                        .withQueueMax(0)
                        .withQueueWait(Duration.ofSeconds(10));
        try (var site = new Programs(kind, options).withShell("a", FAMILY + "wait\n")) {
            site.request("a");
            site.awaitNumber("parent");
            var rejected = site.get("a");
            assertEquals(503, rejected.status());
            assertEquals("1", rejected.field("Retry-After"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void waitForASlotTimesOut(SpawnerKind kind) throws IOException {
        var options =
                CgiOptions.DEFAULT
                        .withProcessesMax(1)
                        .withQueueMax(9)
                        .withQueueWait(Duration.ofMillis(50));
        try (var site = new Programs(kind, options).withShell("a", FAMILY + "wait\n")) {
            site.request("a");
            site.awaitNumber("parent");
            assertEquals(503, site.get("a").status());
        }
    }

    @ParameterizedTest
    @EnumSource
    void waitingRequestsRunNext(SpawnerKind kind) throws IOException {
        var options =
                CgiOptions.DEFAULT
                        .withProcessesMax(1)
                        .withQueueMax(9)
                        .withQueueWait(Duration.ofSeconds(20));
        String text =
                "mkdir $DIR/alone || exit 1\nsleep 0.05\nrmdir $DIR/alone\n" + TYPE + "echo done\n";
        try (var site = new Programs(kind, options).withShell("a", text)) {
            var clients = List.of(site.request("a"), site.request("a"), site.request("a"));
            for (var client : clients) {
                assertEquals("done\n", client.response().text());
            }
        }
    }

    /// The first program runs throughout, so that the request can only end by its client's
    /// disconnect.
    @ParameterizedTest
    @EnumSource
    void queuedRequestOfADisconnectedClientIsDropped(SpawnerKind kind) throws IOException {
        var options =
                CgiOptions.DEFAULT
                        .withProcessesMax(1)
                        .withQueueMax(9)
                        .withQueueWait(Duration.ofSeconds(60));
        try (var site =
                new Programs(kind, options)
                        .withShell("a", FAMILY + "wait\n")
                        .withShell("b", "echo x > $DIR/started\n" + TYPE)) {
            site.request("a");
            long first = site.awaitNumber("parent");
            var client = site.request("b");
            Patience.until("the request waits", () -> site.cgi().waitingCount() == 1);
            Patience.until("the client is checked", () -> site.disconnectChecks("b") > 0);
            client.close();
            Patience.until("the wait ends", () -> site.cgi().waitingCount() == 0);
            assertTrue(Programs.isRunning(first));
            assertEquals(1, site.cgi().processCount());
            assertFalse(Files.exists(site.folder().resolve("started")));
        }
    }

    /// The client's end of input arrives before the request begins to wait.
    @ParameterizedTest
    @EnumSource
    void halfClosedClientKeepsItsPlaceInTheQueue(SpawnerKind kind) throws IOException {
        var options =
                CgiOptions.DEFAULT
                        .withProcessesMax(1)
                        .withQueueMax(9)
                        .withQueueWait(Duration.ofSeconds(60));
        String text = "while [ ! -e $DIR/go ]; do sleep 0.01; done\n" + TYPE + "echo done\n";
        try (var site = new Programs(kind, options).withShell("a", text).withShell("b", text)) {
            var first = site.request("a");
            Patience.until("the program runs", () -> site.cgi().processCount() == 1);
            site.hold();
            var second = site.request("b").halfClose();
            site.releaseHeld();
            Patience.until("the request waits", () -> site.cgi().waitingCount() == 1);
            Patience.until("the client is checked", () -> site.disconnectChecks("b") > 2);
            Files.createFile(site.folder().resolve("go"));
            assertEquals("done\n", first.response().text());
            assertEquals("done\n", second.response().text());
        }
    }

    @ParameterizedTest
    @EnumSource
    void resetBehindPipelinedInputIsDetected(SpawnerKind kind) throws IOException {
        try (var site = new Programs(kind).withShell("a", FAMILY + "wait\n")) {
            var client = site.request("a");
            site.awaitNumber("parent");
            client.send(new byte[100 << 10]);
            client.reset();
            assertFamilyEnds(site);
        }
    }

    @ParameterizedTest
    @EnumSource
    void disconnectBehindPipelinedInputIsDetected(SpawnerKind kind) throws IOException {
        try (var site = new Programs(kind).withShell("a", FAMILY + "wait\n")) {
            var client = site.request("a");
            site.awaitNumber("parent");
            Patience.until("the client is checked", () -> site.disconnectChecks("a") > 0);
            client.send(new byte[100 << 10]);
            client.close();
            assertFamilyEnds(site);
        }
    }

    /// The program does not read the body.
    @ParameterizedTest
    @EnumSource
    void resetBehindAnUnreadBodyIsDetected(SpawnerKind kind) throws IOException {
        try (var site = new Programs(kind).withShell("a", FAMILY + "wait\n")) {
            var client = site.client();
            client.send("POST /cgi-bin/a HTTP/1.1\nHost: a\nContent-Length: 200000\n\n")
                    .send(new byte[200_000]);
            assertTrue(Programs.isRunning(site.awaitNumber("parent")));
            Patience.until("the client is checked", () -> site.disconnectChecks("a") > 0);
            client.reset();
            assertFamilyEnds(site);
        }
    }

    @ParameterizedTest
    @EnumSource
    void programInheritsNoDescriptors(SpawnerKind kind) throws IOException {
        // 10 is the shell's own descriptor, for its script.
        String probe =
                "for i in $(seq 0 99); do [ $i = 10 ] || [ ! -e /proc/$$/fd/$i ] || echo $i;"
                        + " done\n";
        try (var site = new Programs(kind).withShell("a", TYPE + probe)) {
            assertEquals("0\n1\n2\n", site.get("a").text());
        }
    }

    @ParameterizedTest
    @EnumSource
    void programLeadsAGroupWithDefaultSignals(SpawnerKind kind) throws IOException {
        // Not the shell's own state, which changes while it starts other programs.
        String probe = "exec grep -E '^(Pid|NSpgid|NSsid|SigBlk|SigIgn):' /proc/self/status\n";
        try (var site = new Programs(kind).withShell("a", TYPE + probe)) {
            var seen = new TreeMap<String, String>();
            for (String line : site.get("a").text().split("\n")) {
                String[] parts = line.split(":\t");
                seen.put(parts[0], parts[1]);
            }
            assertEquals(seen.get("Pid"), seen.get("NSpgid"), "process group");
            assertEquals(seen.get("Pid"), seen.get("NSsid"), "session");
            assertEquals("0000000000000000", seen.get("SigBlk"));
            // 32 and 33 belong to the C library, which leaves them ignored. The JDK passes on
            // signals that it inherited as ignored, for example from nohup.
            long ignored = Long.parseUnsignedLong(String.valueOf(seen.get("SigIgn")), 16);
            long inherited = kind == SpawnerKind.JDK ? ignoredHere() : 0;
            long wrong = ignored & ~(3L << 31) & ~inherited;
            assertEquals(0, wrong, "ignored: " + Long.toHexString(ignored));
        }
    }

    private static long ignoredHere() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("SigIgn:")) {
                return Long.parseUnsignedLong(line.substring(7).strip(), 16);
            }
        }
        return 0;
    }
}
