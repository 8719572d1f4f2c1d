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

/// How programs end, how they are ended, and how many run.
class TerminationTest {
    private static final String TYPE = "printf 'Content-Type: text/plain\\n\\n'\n";

    /// Starts a child of its own, tells both numbers, and goes silent.
    private static final String FAMILY =
            """
            sleep 1000 &
            echo $! > $DIR/child
            echo $$ > $DIR/parent
            """;

    /// So soon that programs are hardly there: what must hold then must hold of any that are killed
    /// while they start.
    private static final CgiOptions IMPATIENT =
            CgiOptions.DEFAULT.withTimeouts(Duration.ofMillis(300), Duration.ofMinutes(1));

    /// By a client that asks for nothing more.
    private static RawClient askedAlone(Programs site) throws IOException {
        return site.client().send("GET /cgi-bin/a HTTP/1.1\nHost: a\nConnection: close\n\n");
    }

    private static void assertFamilyEnds(Programs site) throws IOException {
        Programs.awaitGone(site.awaitNumber("parent"));
        Programs.awaitGone(site.awaitNumber("child"));
        site.awaitIdle();
    }

    @ParameterizedTest
    @EnumSource
    void silentProgramIsKilledWithItsGroup(SpawnerKind way) throws IOException {
        try (var site = new Programs(way, IMPATIENT).withShell("a", FAMILY + "wait\n")) {
            assertEquals(504, site.get("a").status());
            site.awaitNoneLeft();
            assertEquals(1, site.logged("took too long").size());
        }
    }

    /// Its leader has ended, and only its child holds the pipe.
    @ParameterizedTest
    @EnumSource
    void childThatHoldsTheOutputIsKilled(SpawnerKind way) throws IOException {
        try (var site = new Programs(way, IMPATIENT).withShell("a", TYPE + "echo x\n" + FAMILY)) {
            // The JDK ends the output with the program, the kernel with its last holder.
            askedAlone(site).restOrCut();
            if (way != SpawnerKind.POSIX) {
                site.awaitIdle();
                site.left().forEach(ProcessHandle::destroy);
            }
            site.awaitNoneLeft();
        }
    }

    @ParameterizedTest
    @EnumSource
    void oneThatTalksForTooLongIsKilled(SpawnerKind way) throws IOException {
        var options =
                CgiOptions.DEFAULT.withTimeouts(Duration.ofMinutes(1), Duration.ofMillis(600));
        try (var site =
                new Programs(way, options)
                        .withShell("a", FAMILY + TYPE + "while :; do echo x; sleep 0.01; done\n")) {
            String all = new String(askedAlone(site).restOrCut());
            assertTrue(isBegunOrLate(Integer.parseInt(all.substring(9, 12))), all);
            assertFalse(all.endsWith("0\r\n\r\n"), "the answer is cut");
            site.awaitNoneLeft();
        }
    }

    @ParameterizedTest
    @EnumSource
    void programOfAClientThatIsGoneIsKilled(SpawnerKind way) throws IOException {
        try (var site =
                new Programs(way)
                        .withShell("a", FAMILY + TYPE + "while :; do echo x; sleep 0.01; done\n")) {
            var client = site.asked("a");
            assertTrue(client.bytes(64).length > 0);
            client.reset();
            assertFamilyEnds(site);
        }
    }

    @ParameterizedTest
    @EnumSource
    void silentProgramOfAClientThatIsGoneIsKilled(SpawnerKind way) throws IOException {
        try (var site = new Programs(way).withShell("a", FAMILY + "wait\n")) {
            var client = site.asked("a");
            assertTrue(Programs.isRunning(site.awaitNumber("parent")));
            client.reset();
            assertFamilyEnds(site);
        }
    }

    /// As `nc -N` does, or a script that sends a file and listens. The program takes longer than
    /// two looks are apart, and begins when the end is there: one that comes between two looks is
    /// that of a client that left.
    @ParameterizedTest
    @EnumSource
    void clientThatEndsItsSideGetsTheAnswerOfASlowProgram(SpawnerKind way) throws IOException {
        try (var site = new Programs(way).withShell("a", "sleep 0.8\n" + TYPE + "echo done\n")) {
            site.hold();
            var client = site.asked("a").halfClose();
            site.letGo();
            assertEquals("done\n", client.response().text());
        }
    }

    @ParameterizedTest
    @EnumSource
    void programOfAClientThatStopsSendingIsKilled(SpawnerKind way) throws IOException {
        try (var site = new Programs(way).withShell("a", FAMILY + TYPE + "cat\n")) {
            var client = site.client();
            client.send("POST /cgi-bin/a HTTP/1.1\nHost: a\nContent-Length: 1000000\n\n")
                    .send(new byte[200_000]);
            long parent = site.awaitNumber("parent");
            assertTrue(Programs.isRunning(parent));
            client.reset();
            assertFamilyEnds(site);
        }
    }

    @ParameterizedTest
    @EnumSource
    void oneThatClosesItsOutputMayGoOn(SpawnerKind way) throws IOException {
        try (var site =
                new Programs(way)
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
    void oneThatClosesItsOutputAndStaysIsKilled(SpawnerKind way) throws IOException {
        try (var site =
                new Programs(way, IMPATIENT)
                        .withShell("a", TYPE + "exec >&- 2>&-\n" + FAMILY + "wait\n")) {
            assertTrue(isBegunOrLate(site.get("a").status()));
            site.awaitNoneLeft();
        }
    }

    /// A slow machine may not get to its beginning in time.
    private static boolean isBegunOrLate(int status) {
        return status == 200 || status == 504;
    }

    @ParameterizedTest
    @EnumSource
    void closingKillsWhatRuns(SpawnerKind way) throws IOException {
        try (var site = new Programs(way).withShell("a", FAMILY + "wait\n")) {
            var client = site.asked("a");
            site.awaitNumber("parent");
            Patience.until("it is known", () -> site.cgi().processCount() == 1);
            site.cgi().close();
            assertEquals(502, client.response().status());
            assertFamilyEnds(site);
        }
    }

    @ParameterizedTest
    @EnumSource
    void stopOfTheServerKillsWhatRuns(SpawnerKind way) throws IOException {
        try (var site = new Programs(way).withShell("a", FAMILY + "wait\n")) {
            site.asked("a");
            site.awaitNumber("parent");
            site.stop(Duration.ofMillis(10));
            assertFamilyEnds(site);
        }
    }

    @ParameterizedTest
    @EnumSource
    void steadyTrickleIsSentAsItComes(SpawnerKind way) throws IOException {
        String trickle = "while [ ! -e $DIR/go ]; do echo x; sleep 0.002; done\n";
        try (var site = new Programs(way).withShell("a", TYPE + trickle)) {
            var client = site.asked("a");
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
    void standardErrorIsLoggedWithTheExchange(SpawnerKind way) throws IOException {
        try (var site =
                new Programs(way)
                        .withShell(
                                "a",
                                "echo first >&2\n"
                                        + TYPE
                                        + "echo done\nprintf 'esc\\033[2J\\nlast' >&2\n")) {
            assertEquals("done\n", site.get("a").text());
            site.awaitLogged("last");
            List<String> lines = site.logged("says: ");
            assertEquals(3, lines.size());
            assertTrue(lines.getFirst().matches("exchange \\S+, a says: first"), lines.toString());
            assertTrue(lines.get(1).endsWith("says: esc?[2J"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void floodOfErrorsIsCut(SpawnerKind way) throws IOException {
        try (var site =
                new Programs(way)
                        .withShell(
                                "a", "yes error | head -n 100000 >&2\n" + TYPE + "echo done\n")) {
            assertEquals("done\n", site.get("a").text());
            site.awaitLogged("the rest is dropped");
            assertEquals(101, site.logged("says: ").size());
        }
    }

    @ParameterizedTest
    @EnumSource
    void endlessErrorsAreNoOutput(SpawnerKind way) throws IOException {
        try (var site = new Programs(way, IMPATIENT).withShell("a", "yes >&2\n")) {
            assertEquals(504, site.get("a").status());
            site.awaitIdle();
        }
    }

    @ParameterizedTest
    @EnumSource
    void beyondTheLimitIs503(SpawnerKind way) throws IOException {
        var options = CgiOptions.DEFAULT.withProcessesMax(1).withQueue(0, Duration.ofSeconds(10));
        try (var site = new Programs(way, options).withShell("a", FAMILY + "wait\n")) {
            site.asked("a");
            site.awaitNumber("parent");
            var refused = site.get("a");
            assertEquals(503, refused.status());
            assertEquals("1", refused.field("Retry-After"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void waitForAPlaceHasAnEnd(SpawnerKind way) throws IOException {
        var options = CgiOptions.DEFAULT.withProcessesMax(1).withQueue(9, Duration.ofMillis(50));
        try (var site = new Programs(way, options).withShell("a", FAMILY + "wait\n")) {
            site.asked("a");
            site.awaitNumber("parent");
            assertEquals(503, site.get("a").status());
        }
    }

    @ParameterizedTest
    @EnumSource
    void thoseThatWaitFollow(SpawnerKind way) throws IOException {
        var options = CgiOptions.DEFAULT.withProcessesMax(1).withQueue(9, Duration.ofSeconds(20));
        String text =
                "mkdir $DIR/alone || exit 1\nsleep 0.05\nrmdir $DIR/alone\n" + TYPE + "echo done\n";
        try (var site = new Programs(way, options).withShell("a", text)) {
            var clients = List.of(site.asked("a"), site.asked("a"), site.asked("a"));
            for (var client : clients) {
                assertEquals("done\n", client.response().text());
            }
        }
    }

    /// The first program runs throughout, so that the request can only end by its client's
    /// disconnect.
    @ParameterizedTest
    @EnumSource
    void requestOfAClientThatDisconnectsWhileItWaitsForAPlaceIsDropped(SpawnerKind way)
            throws IOException {
        var options = CgiOptions.DEFAULT.withProcessesMax(1).withQueue(9, Duration.ofSeconds(60));
        try (var site =
                new Programs(way, options)
                        .withShell("a", FAMILY + "wait\n")
                        .withShell("b", "echo x > $DIR/started\n" + TYPE)) {
            site.asked("a");
            long first = site.awaitNumber("parent");
            var client = site.asked("b");
            Patience.until("it waits", () -> site.cgi().waitingCount() == 1);
            Patience.until("it is looked at", () -> site.looks("b") > 0);
            client.close();
            Patience.until("it waits no more", () -> site.cgi().waitingCount() == 0);
            assertTrue(Programs.isRunning(first));
            assertEquals(1, site.cgi().processCount());
            assertFalse(Files.exists(site.folder().resolve("started")));
        }
    }

    /// The end is there before the request begins to wait.
    @ParameterizedTest
    @EnumSource
    void clientThatEndsItsSideKeepsItsTurnForAPlace(SpawnerKind way) throws IOException {
        var options = CgiOptions.DEFAULT.withProcessesMax(1).withQueue(9, Duration.ofSeconds(60));
        String text = "while [ ! -e $DIR/go ]; do sleep 0.01; done\n" + TYPE + "echo done\n";
        try (var site = new Programs(way, options).withShell("a", text).withShell("b", text)) {
            var first = site.asked("a");
            Patience.until("it runs", () -> site.cgi().processCount() == 1);
            site.hold();
            var second = site.asked("b").halfClose();
            site.letGo();
            Patience.until("it waits", () -> site.cgi().waitingCount() == 1);
            Patience.until("it is looked at", () -> site.looks("b") > 2);
            Files.createFile(site.folder().resolve("go"));
            assertEquals("done\n", first.response().text());
            assertEquals("done\n", second.response().text());
        }
    }

    @ParameterizedTest
    @EnumSource
    void clientThatResetsBehindMuchPipelinedInputIsNoticed(SpawnerKind way) throws IOException {
        try (var site = new Programs(way).withShell("a", FAMILY + "wait\n")) {
            var client = site.asked("a");
            site.awaitNumber("parent");
            client.send(new byte[100 << 10]);
            client.reset();
            assertFamilyEnds(site);
        }
    }

    @ParameterizedTest
    @EnumSource
    void clientThatDisconnectsBehindMuchPipelinedInputIsNoticed(SpawnerKind way)
            throws IOException {
        try (var site = new Programs(way).withShell("a", FAMILY + "wait\n")) {
            var client = site.asked("a");
            site.awaitNumber("parent");
            Patience.until("it is looked at", () -> site.looks("a") > 0);
            client.send(new byte[100 << 10]);
            client.close();
            assertFamilyEnds(site);
        }
    }

    /// The body is not read to its end, so that nothing may be read to find the reset.
    @ParameterizedTest
    @EnumSource
    void clientThatResetsWhileItsBodyIsNotReadIsNoticed(SpawnerKind way) throws IOException {
        try (var site = new Programs(way).withShell("a", FAMILY + "wait\n")) {
            var client = site.client();
            client.send("POST /cgi-bin/a HTTP/1.1\nHost: a\nContent-Length: 10000000\n\n")
                    .send(new byte[200_000]);
            assertTrue(Programs.isRunning(site.awaitNumber("parent")));
            Patience.until("it is looked at", () -> site.looks("a") > 0);
            client.reset();
            assertFamilyEnds(site);
        }
    }

    @ParameterizedTest
    @EnumSource
    void nothingOfTheServerIsOpenInAProgram(SpawnerKind way) throws IOException {
        // 10 is the shell's own, for what it reads.
        String look =
                "for i in $(seq 0 99); do [ $i = 10 ] || [ ! -e /proc/$$/fd/$i ] || echo $i;"
                        + " done\n";
        try (var site = new Programs(way).withShell("a", TYPE + look)) {
            assertEquals("0\n1\n2\n", site.get("a").text());
        }
    }

    @ParameterizedTest
    @EnumSource
    void programLeadsAGroupAndNoSignalIsIgnored(SpawnerKind way) throws IOException {
        // Not the shell's own state, which changes while it starts others.
        String look = "exec grep -E '^(Pid|NSpgid|NSsid|SigBlk|SigIgn):' /proc/self/status\n";
        try (var site = new Programs(way).withShell("a", TYPE + look)) {
            var seen = new TreeMap<String, String>();
            for (String line : site.get("a").text().split("\n")) {
                String[] parts = line.split(":\t");
                seen.put(parts[0], parts[1]);
            }
            assertEquals(seen.get("Pid"), seen.get("NSpgid"), "process group");
            assertEquals(seen.get("Pid"), seen.get("NSsid"), "session");
            assertEquals("0000000000000000", seen.get("SigBlk"));
            // 32 and 33 are the C library's own, which it leaves ignored. The JDK hands on what it
            // was started with, by nohup for example.
            long ignored = Long.parseUnsignedLong(String.valueOf(seen.get("SigIgn")), 16);
            long inherited = way == SpawnerKind.JDK ? ignoredHere() : 0;
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
