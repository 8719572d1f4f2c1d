package dev.tandem.engine;

import static dev.tandem.engine.http1.WireCases.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.AccessLog;
import dev.tandem.ErrorPage;
import dev.tandem.Options;
import dev.tandem.engine.http1.WireSite;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.MemoryPipe;
import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Entries of the access log, for exchanges on loops and workers.
class AccessLogTest {
    private final Queue<AccessLog.Entry> entries = new ConcurrentLinkedQueue<>();
    private final MemoryServer server =
            new MemoryServer(Options.DEFAULT, WireSite.routes(), ErrorPage.PLAIN, entries::add);
    private final LogCapture log = LogCapture.of("dev.tandem.engine");

    @AfterEach
    void stop() {
        server.close();
        log.close();
    }

    private AccessLog.Entry entryOf(String request) throws IOException {
        MemoryPipe pipe = server.connect();
        byte[] bytes = dev.tandem.testkit.WireText.bytes(request);
        pipe.toServer().offer(bytes, 0, bytes.length);
        server.iterateUntil("an entry", () -> !entries.isEmpty());
        return entries.remove();
    }

    @ParameterizedTest
    @CsvSource({
        "/hello, 200, 13",
        "/now, 200, 3",
        "/ready, 200, 5",
        "/brief, 200, 6",
        "/pieces, 200, 19",
        "/empty, 204, 0",
        "/hello/a?b=c, 200, 8",
    })
    void exchangeHasOneEntry(String target, int status, long bodyBytes) throws IOException {
        AccessLog.Entry entry = entryOf(get(target));
        assertEquals("GET", entry.method());
        assertEquals(target, entry.target());
        assertEquals(status, entry.status());
        assertEquals(bodyBytes, entry.bodyBytes());
        assertTrue(entry.durationNanos() >= 0);
        assertEquals(List.of(), List.copyOf(entries));
    }

    @Test
    void responseToHeadHasNoBodyBytes() throws IOException {
        AccessLog.Entry entry = entryOf("HEAD /ready HTTP/1.1\nHost: a\n\n");
        assertEquals("HEAD", entry.method());
        assertEquals(0, entry.bodyBytes());
    }

    @Test
    void malformedRequestHasNeitherMethodNorTarget() throws IOException {
        AccessLog.Entry entry = entryOf("GET\n\n");
        assertEquals("", entry.method());
        assertEquals("", entry.target());
        assertEquals(400, entry.status());
    }

    @ParameterizedTest
    @CsvSource({"/lost, 404", "/throws, 500", "/throws-now, 500", "/rejects, 403"})
    void failuresAreLogged(String target, int status) throws IOException {
        assertEquals(status, entryOf(get(target)).status());
    }
}
