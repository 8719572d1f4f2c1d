package dev.tandem.engine.tls;

import static dev.tandem.engine.http1.WireCases.get;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.Server;
import dev.tandem.engine.Engine;
import dev.tandem.engine.MemoryBudget;
import dev.tandem.engine.Served;
import dev.tandem.http.Body;
import dev.tandem.http.FileStamp;
import dev.tandem.net.Network;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What clients over TLS do not take of a file is encrypted already, and so in memory: it counts in
/// the budget for output.
@Timeout(60)
class UntakenOverTlsTest {
    private static final int LENGTH = 20_000_000;
    private static final int RECEIVE_BUFFER = 4_096;
    private static final int PIECE = 8_192;
    private static final int PIECES = 10;
    private static final int PAUSES = 200;
    private static final int PAUSE_MILLIS = 5;
    private static final long MOST = Runtime.getRuntime().maxMemory() / 16;
    private static final String SECURED = "dev.tandem.engine.tls.TlsOverSocketsTest#secured";

    private Body.FileRegion content;

    @BeforeEach
    void write(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("file");
        Files.write(file, new byte[LENGTH]);
        content = new Body.FileRegion(file, 0, LENGTH, FileStamp.of(file));
    }

    private Served serve(Network network) {
        return Served.on(network, Options.DEFAULT, t -> t.get("/file", x -> x.send(content)));
    }

    private static MemoryBudget budget(Served served) throws ReflectiveOperationException {
        var engine = Server.class.getDeclaredField("engine");
        engine.setAccessible(true);
        return ((Engine) engine.get(served.server())).outputMemory();
    }

    /// A client that has asked for the file, and takes some of it.
    private static final class Client {
        final RawClient raw;
        final MemoryBudget budget;
        long taken;

        Client(Served served, MemoryBudget budget) throws IOException {
            this.raw = served.client(RECEIVE_BUFFER);
            this.budget = budget;
            raw.send(get("/file"));
        }

        private void take() throws IOException {
            taken += raw.bytes(PIECE).length;
        }

        /// Takes some of the file, now and then, until the kernel takes less than is sent: mostly
        /// it takes the whole of a part.
        void takeUntilSomeWaits(long before) throws IOException, InterruptedException {
            for (int i = 0; i < PAUSES && budget.bytes() == before; i++) {
                for (int of = 0; of < PIECES; of++) {
                    take();
                }
                Thread.sleep(PAUSE_MILLIS);
            }
            assertTrue(budget.bytes() > before, "nothing counts");
        }

        void takeAll() throws IOException {
            while (taken < LENGTH) {
                take();
            }
        }
    }

    private static void awaitCount(MemoryBudget budget, long count) {
        Patience.until("all but " + count + " is let go", () -> budget.bytes() == count);
    }

    @ParameterizedTest
    @MethodSource(SECURED)
    void fileCountsUntilItIsTaken(Network network) throws Exception {
        try (Served served = serve(network)) {
            MemoryBudget budget = budget(served);
            var client = new Client(served, budget);
            client.takeUntilSomeWaits(0);
            client.takeAll();
            awaitCount(budget, 0);
            assertEquals(1, served.server().connectionCount());
        }
    }

    @ParameterizedTest
    @MethodSource(SECURED)
    void fileCountsUntilTheConnectionCloses(Network network) throws Exception {
        try (Served served = serve(network)) {
            MemoryBudget budget = budget(served);
            var client = new Client(served, budget);
            client.takeUntilSomeWaits(0);
            client.raw.reset();
            awaitCount(budget, 0);
        }
    }

    @ParameterizedTest
    @MethodSource(SECURED)
    void littleIsEncryptedAheadWithoutRoom(Network network) throws Exception {
        try (Served served = serve(network)) {
            MemoryBudget budget = budget(served);
            budget.add(MOST);
            var client = new Client(served, budget);
            client.takeUntilSomeWaits(MOST);
            assertTrue(budget.bytes() - MOST < 5_000, budget.bytes() - MOST + " bytes");
            client.takeAll();
            awaitCount(budget, MOST);
        }
    }
}
