package dev.tandem.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.LogCapture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResumptionTest {
    /// Within the validity of certificates that were just created.
    private Instant now = Instant.now().plusSeconds(3600);
    private final InstantSource clock = () -> now;

    /// In the directory of the file, so that each test has its own.
    private final Path keys;

    ResumptionTest(@TempDir Path folder) {
        keys = folder.resolve("tickets");
    }

    private static TlsSettings settings(EngineChoice engine) {
        return TlsSettings.of(Credentials.pem("ec")).withEngine(engine);
    }

    private TlsContext boring() throws TlsConfigException {
        return TlsContext.open(settings(EngineChoice.BORINGSSL).withTicketKeys(keys), clock);
    }

    /// A connection that ends properly, so that its session may be resumed.
    private static boolean isResumed(TlsContext context, TlsClient client, String version)
            throws SSLException {
        SSLEngine engine = client.engine(version, "localhost", List.of());
        engine.beginHandshake();
        try (TlsDialogue talk = new TlsDialogue(engine, context.newSession())) {
            talk.settle();
            // Its tickets are sent with the first response.
            talk.serverSays(new byte[1]);
            talk.settle();
            assertEquals(TlsAction.RECEIVE, talk.next, talk.server.failureMessage());
            assertEquals(1, talk.heardByClient.size());
            talk.endOfServer();
            talk.client.closeOutbound();
            talk.settle();
            return talk.server.isResumed();
        }
    }

    @ParameterizedTest
    @CsvSource({"BORINGSSL, TLSv1.2", "BORINGSSL, TLSv1.3", "JDK, TLSv1.2", "JDK, TLSv1.3"})
    void sessionIsResumed(EngineChoice engine, String version) throws Exception {
        TlsContext context = TlsContext.open(settings(engine));
        TlsClient client = TlsClient.plain();
        assertFalse(isResumed(context, client, version));
        assertTrue(isResumed(context, client, version));
        assertFalse(isResumed(context, TlsClient.plain(), version));
        assertEquals(2, context.counters().fullHandshakes());
        assertEquals(1, context.counters().resumedHandshakes());
        assertTrue(context.counters().fullNanos() > 0);
        assertTrue(context.counters().resumedNanos() > 0);
        assertEquals(0, context.counters().falseClaims());
    }

    @ParameterizedTest
    @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
    void sessionIsResumedAfterRestart(String version) throws Exception {
        TlsClient client = TlsClient.plain();
        assertFalse(isResumed(boring(), client, version));
        assertTrue(isResumed(boring(), client, version));
    }

    @ParameterizedTest
    @CsvSource({"BORINGSSL, TLSv1.2", "BORINGSSL, TLSv1.3", "JDK, TLSv1.2", "JDK, TLSv1.3"})
    void falseClaimIsCounted(EngineChoice engine, String version) throws Exception {
        TlsClient client = TlsClient.plain();
        assertFalse(isResumed(TlsContext.open(settings(engine)), client, version));
        TlsContext other = TlsContext.open(settings(engine));
        assertFalse(isResumed(other, client, version));
        assertEquals(1, other.counters().falseClaims());
    }

    @Test
    void ticketsOfPreviousKeyAreAcceptedForADay() throws Exception {
        TlsClient client = TlsClient.plain();
        TlsContext context = boring();
        assertFalse(isResumed(context, client, "TLSv1.2"));
        SSLEngine kept = client.engine("TLSv1.2", "localhost", List.of());
        assertTrue(isResumed(context, client, "TLSv1.2"));
        for (int hours = 0; hours < 38; hours++) {
            now = now.plus(Duration.ofHours(1));
            context.refresh();
        }
        kept.beginHandshake();
        try (TlsDialogue talk = new TlsDialogue(kept, context.newSession()).settle()) {
            assertEquals(TlsAction.RECEIVE, talk.next);
            assertFalse(talk.server.isResumed(), "its key is forgotten");
        }
    }

    @Test
    void ticketsOfRotatedKeyAreAccepted() throws Exception {
        TlsClient client = TlsClient.plain();
        TlsContext context = boring();
        assertFalse(isResumed(context, client, "TLSv1.2"));
        now = now.plus(Duration.ofHours(13));
        context.refresh();
        assertTrue(isResumed(context, client, "TLSv1.2"));
    }

    /// As on a full disk: the server starts, reloads and rotates its keys.
    @Test
    void keysThatCannotBeWrittenAreInMemoryUntilTheyCan() throws Exception {
        Path lock = Files.createDirectory(keys.resolveSibling("tickets.lock"));
        TlsClient client = TlsClient.plain();
        try (var log = LogCapture.of("dev.tandem.tls")) {
            TlsContext context = boring();
            assertFalse(isResumed(context, client, "TLSv1.2"));
            context.reload();
            now = now.plus(Duration.ofHours(13));
            context.refresh();
            context.refresh();
            assertTrue(isResumed(context, client, "TLSv1.2"), "by a key that was rotated");
            List<String> lines = log.messages(each -> each.startsWith(keys + ": ticket keys"));
            assertEquals(1, lines.size(), log.lines()::toString);
            assertFalse(Files.exists(keys));
            Files.delete(lock);
            context.refresh();
            assertTrue(isResumed(boring(), client, "TLSv1.2"), "after a restart");
        }
    }

    @Test
    void serversThatOnlyReadAFolderResumeEachOthersSessionsThroughoutARotation() throws Exception {
        Files.createDirectory(keys);
        String first = secret(1);
        String second = secret(2);
        Files.writeString(keys.resolve("keys"), first + "\n");
        TlsContext one = boring();
        TlsContext other = boring();
        TlsClient client = TlsClient.plain();
        assertFalse(isResumed(one, client, "TLSv1.3"));
        assertTrue(isResumed(other, client, "TLSv1.3"));
        Files.writeString(keys.resolve("keys"), first.substring(0, 21) + "\n"); // half of it
        assertThrows(TlsConfigException.class, other::refresh);
        assertTrue(isResumed(other, client, "TLSv1.3"), "the old key stays");
        Files.writeString(keys.resolve("keys"), first + "\n" + second + "\n");
        one.refresh();
        assertTrue(isResumed(one, client, "TLSv1.3"));
        assertTrue(isResumed(other, client, "TLSv1.3"), "it has not read the new key yet");
        other.refresh();
        Files.writeString(keys.resolve("keys"), second + "\n" + first + "\n");
        one.refresh();
        assertTrue(isResumed(one, client, "TLSv1.3"), "a ticket of the old key");
        assertTrue(isResumed(other, client, "TLSv1.3"), "a ticket of the new one");
        Files.delete(keys.resolve("keys"));
        assertThrows(TlsConfigException.class, one::refresh);
        assertTrue(isResumed(one, client, "TLSv1.3"));
        assertThrows(TlsConfigException.class, this::boring, "nothing to start with");
        assertEquals(1, filesIn(keys.resolve("..")), "nothing was written");
    }

    /// As while it is mounted again, or the link to it is replaced.
    @Test
    void folderThatIsMissingForAMomentIsNotReplacedByAFile() throws Exception {
        Path mounted = Files.createDirectory(keys.resolveSibling("mounted"));
        Files.writeString(mounted.resolve("keys"), secret(1));
        Files.createSymbolicLink(keys, mounted);
        TlsContext context = boring();
        TlsClient client = TlsClient.plain();
        assertFalse(isResumed(context, client, "TLSv1.3"));
        Files.delete(keys);
        assertThrows(TlsConfigException.class, context::refresh);
        assertFalse(Files.exists(keys), "nothing was written");
        assertTrue(isResumed(context, client, "TLSv1.3"));
        Files.createSymbolicLink(keys, mounted);
        context.refresh();
        assertTrue(isResumed(context, client, "TLSv1.3"));
    }

    private static String secret(int fill) {
        var bytes = new byte[32];
        Arrays.fill(bytes, (byte) fill);
        return Base64.getEncoder().encodeToString(bytes);
    }

    private static long filesIn(Path folder) throws IOException {
        try (var files = Files.list(folder)) {
            return files.count();
        }
    }

    @Test
    void sessionWithoutCertificateIsNotResumedWhereRequired() throws Exception {
        TlsClient client = TlsClient.of("client.p12");
        assertFalse(isResumed(boring(), client, "TLSv1.3"));
        var strict =
                settings(EngineChoice.BORINGSSL)
                        .withTicketKeys(keys)
                        .withClientCertificates(
                                ClientCertificateMode.REQUIRED, Credentials.file("ca.pem"));
        assertFalse(isResumed(TlsContext.open(strict, clock), client, "TLSv1.3"));
    }

    @Test
    void reloadKeepsSessionsAndTickets() throws Exception {
        TlsClient client = TlsClient.plain();
        TlsContext context = TlsContext.open(settings(EngineChoice.BORINGSSL), clock);
        assertFalse(isResumed(context, client, "TLSv1.3"));
        SSLEngine open = client.engine("TLSv1.3", "localhost", List.of());
        open.beginHandshake();
        try (TlsDialogue talk = new TlsDialogue(open, context.newSession()).settle()) {
            context.reload();
            talk.clientSays("still here");
            talk.settle();
            assertEquals("still here", talk.heardByServer.toString());
        }
        assertTrue(isResumed(context, client, "TLSv1.3"));
    }
}
