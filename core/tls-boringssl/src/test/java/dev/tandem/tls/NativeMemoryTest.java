package dev.tandem.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.handler.ssl.OpenSsl;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// Tests that BoringSSL's memory is freed once, and that Netty may use the same library.
@EnabledOnOs(OS.LINUX)
class NativeMemoryTest {
    /// An engine takes 6 KB, a factory 9: if one kind is not freed, that is more than the noise.
    private static final int ENGINES = 10_000;

    private static final int FACTORIES = 5_000;

    private static final long NOISE = 24L << 20;
    private static final int PAGE = 4096;

    private static TlsContext context() throws TlsConfigException {
        return TlsContext.open(
                TlsSettings.of(Credentials.pem("ec")).withEngine(EngineChoice.BORINGSSL));
    }

    private static EngineSettings settings() throws TlsConfigException {
        TlsSettings settings = TlsSettings.of(Credentials.pem("ec"));
        var identity = Identity.load(Credentials.pem("ec"));
        return EngineSettings.of(identity, List.of(), settings);
    }

    private static long residentBytes() throws IOException {
        System.gc(); // frees direct buffers, too
        String pages = Files.readString(Path.of("/proc/self/statm")).split(" ")[1];
        return Long.parseLong(pages) * PAGE;
    }

    @Test
    void enginesAndFactoriesAreFreed() throws Exception {
        TlsProvider provider = provider();
        EngineSettings settings = settings();
        openAndRelease(provider, settings);
        long least = Long.MAX_VALUE;
        // Other threads of the JVM use memory, too; a leak would be seen each time.
        for (int i = 0; i < 4 && least >= NOISE; i++) {
            long before = residentBytes();
            openAndRelease(provider, settings);
            least = Math.min(least, residentBytes() - before);
        }
        assertTrue(least < NOISE, least + " bytes more");
    }

    private static TlsProvider provider() throws TlsConfigException {
        return Objects.requireNonNull(ChosenEngine.of(EngineChoice.BORINGSSL).provider());
    }

    private static void openAndRelease(TlsProvider provider, EngineSettings settings)
            throws Exception {
        TlsEngineFactory shared = provider.open(settings);
        for (int i = 0; i < ENGINES; i++) {
            TlsEngine engine = shared.newEngine();
            engine.release();
            engine.release(); // has no effect
        }
        shared.close();
        for (int i = 0; i < FACTORIES; i++) {
            TlsEngineFactory own = provider.open(settings);
            TlsEngine engine = own.newEngine();
            own.close();
            engine.release(); // which frees the factory's memory, too
        }
    }

    @Test
    void engineWorksAfterItsFactoryIsClosed() throws Exception {
        TlsEngineFactory factory = provider().open(settings());
        TlsEngine engine = factory.newEngine();
        factory.close();
        engine.closeOutbound();
        assertEquals(Set.of(), Set.copyOf(engine.peerCertificates()));
        engine.release();
    }

    /// Whatever uses an engine too late must not crash the process.
    @Test
    void releasedEngineIsClosed() throws Exception {
        TlsEngineFactory factory = provider().open(settings());
        TlsEngine engine = factory.newEngine();
        engine.release();
        factory.close();
        ByteBuffer network = ByteBuffer.allocateDirect(32_768);
        ByteBuffer plain = ByteBuffer.allocateDirect(16_384);
        assertEquals(Status.CLOSED, engine.unwrap(network, plain).getStatus());
        assertEquals(Status.CLOSED, engine.wrap(plain, network).getStatus());
        engine.closeOutbound();
        assertThrows(IllegalStateException.class, engine::protocol);
    }

    @Test
    void nettyMayLoadTheLibraryAfterwards() throws Exception {
        TlsContext before = context();
        try (TlsDialogue open = talk(before)) {
            assertTrue(OpenSsl.isAvailable());
            assertDataIsExchanged(open);
            try (TlsDialogue later = talk(before)) {
                assertDataIsExchanged(later);
            }
        }
        try (TlsDialogue other = talk(context())) {
            assertDataIsExchanged(other);
        }
    }

    private static TlsDialogue talk(TlsContext context) throws SSLException {
        SSLEngine client = TlsClient.plain().engine("TLSv1.3");
        client.beginHandshake();
        return new TlsDialogue(client, context.newSession()).settle();
    }

    private static void assertDataIsExchanged(TlsDialogue dialogue) throws SSLException {
        dialogue.clientSays("ping");
        dialogue.settle();
        dialogue.serverSays("pong".getBytes(StandardCharsets.US_ASCII));
        dialogue.settle();
        assertEquals("ping", dialogue.heardByServer.toString());
        assertEquals("pong", dialogue.heardByClient.toString());
    }
}
