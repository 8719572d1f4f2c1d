package dev.tandem.engine.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Options;
import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.engine.MemoryBudget;
import dev.tandem.engine.Said;
import dev.tandem.engine.TestCertificate;
import dev.tandem.net.IoBuffer;
import dev.tandem.net.Socket;
import dev.tandem.testkit.Patience;
import dev.tandem.tls.TlsAction;
import dev.tandem.tls.TlsConfigException;
import dev.tandem.tls.TlsContext;
import dev.tandem.tls.TlsSettings;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What clients make the server keep by TLS messages that they do not complete: it counts, and it
/// has a time limit.
@Timeout(60)
class IncompleteRecordTest {
    private static final int HEADER = 5;
    private static final int HELLO = 10_000;
    private static final long MUCH = 1L << 40;

    private final MemoryBudget memory = new MemoryBudget(MUCH);
    private byte[] arriving = {};

    private TlsSocket socket() throws TlsConfigException {
        TlsContext context = TlsContext.open(TlsSettings.of(TestCertificate.files()));
        var inner =
                (Socket)
                        Proxy.newProxyInstance(
                                Socket.class.getClassLoader(),
                                new Class<?>[] {Socket.class},
                                (_, method, arguments) ->
                                        method.getName().equals("read")
                                                ? read(((IoBuffer) arguments[0]).bytes())
                                                : null);
        return new TlsSocket(inner, context.newSession(), new AtomicInteger(), memory);
    }

    private int read(ByteBuffer to) {
        to.put(arriving);
        return arriving.length;
    }

    /// The beginning of a ClientHello of 60,000 bytes.
    private static byte[] begunHello() {
        var begun = ByteBuffer.allocate(HEADER + HELLO);
        begun.put((byte) 22).put((byte) 3).put((byte) 1).putShort((short) HELLO);
        begun.put((byte) 1).put((byte) 0).putShort((short) 60_000);
        return begun.array();
    }

    @Test
    void incompleteHelloCountsUntilTheEnd() throws Exception {
        arriving = begunHello();
        TlsSocket socket = socket();
        assertEquals(TlsAction.RECEIVE, socket.receive());
        assertTrue(memory.bytes() >= HELLO, memory.bytes() + " bytes");
        socket.close();
        assertEquals(0, memory.bytes());
    }

    @Test
    void longHelloIsNotReceivedWithoutMemory() throws Exception {
        arriving = begunHello();
        memory.add(MUCH);
        assertEquals(TlsAction.RECEIVE, socket().receive());
        memory.add(MUCH);
        assertEquals(TlsAction.CLOSED, socket().receive());
        arriving = new byte[] {22, 3, 1, 2, 0, 1};
        assertEquals(TlsAction.RECEIVE, socket().receive());
    }

    private static Server start(Duration head) throws IOException {
        return Tandem.listen("127.0.0.1", 0)
                .tls(TlsSettings.of(TestCertificate.files()))
                .options(Options.DEFAULT.withTimeouts(t -> t.withHead(head)))
                .get("/", x -> x.send("hello"))
                .start();
    }

    /// Without the limit the client would be idle, which it may be for ever.
    @ParameterizedTest
    @ValueSource(strings = {"http/1.1", "h2"})
    void clientThatDoesNotCompleteARecordIsDisconnected(String protocol) throws IOException {
        Server server = start(Duration.ofSeconds(2));
        try (Said client = Said.to(server.address(), protocol)) {
            if (protocol.equals("h2")) {
                client.say("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0", "", false);
                client.say("\0\0\0\4\1\0\0\0\0", "", false); // acknowledges settings
            }
            client.sayHalf("x".repeat(10_000));
            Patience.until("it is disconnected", () -> server.connectionCount() == 0);
        } finally {
            server.stop(Duration.ZERO);
        }
    }

    @Test
    void clientThatCompletesItsRecordsMayBeIdle() throws IOException {
        Duration brief = Duration.ofSeconds(1);
        Server server = start(brief);
        String request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
        try (Said idle = Said.to(server.address());
                Said stalled = Said.to(server.address())) {
            idle.say(request, "", false);
            assertTrue(idle.until("hello").startsWith("HTTP/1.1 200 "));
            stalled.sayHalf(request);
            Patience.until("one is left", () -> server.connectionCount() == 1);
            idle.say(request, "", false);
            assertNotEquals("", idle.until("hello"));
            assertThrows(IOException.class, () -> stalled.until("hello"));
        } finally {
            server.stop(Duration.ZERO);
        }
    }
}
