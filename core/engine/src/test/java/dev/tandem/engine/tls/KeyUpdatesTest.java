package dev.tandem.engine.tls;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.engine.MemoryBudget;
import dev.tandem.engine.TestCertificate;
import dev.tandem.net.IoBuffer;
import dev.tandem.net.Socket;
import dev.tandem.tls.EngineChoice;
import dev.tandem.tls.TlsAction;
import dev.tandem.tls.TlsContext;
import dev.tandem.tls.TlsSettings;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Updates of keys between the parts of an upload: each makes a response, which waits until the
/// client reads it.
@Timeout(60)
class KeyUpdatesTest {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final int MANY = 1_000;

    private final ByteBuffer toServer = ByteBuffer.allocate(1 << 17);
    private final ByteBuffer toClient = ByteBuffer.allocate(1 << 18);
    private final ByteBuffer scratch = ByteBuffer.allocate(1 << 16);
    private final IoBuffer received = new IoBuffer(1 << 16);
    private final SSLEngine client = TestCertificate.trust().createSSLEngine();
    private boolean isTaken = true;

    private TlsSocket socket() throws Exception {
        TlsContext context =
                TlsContext.open(
                        TlsSettings.of(TestCertificate.files()).withEngine(EngineChoice.JDK));
        var inner =
                (Socket)
                        Proxy.newProxyInstance(
                                Socket.class.getClassLoader(),
                                new Class<?>[] {Socket.class},
                                (_, method, arguments) ->
                                        switch (method.getName()) {
                                            case "read" -> read((IoBuffer) arguments[0]);
                                            case "write" -> write((IoBuffer) arguments[0]);
                                            default -> null;
                                        });
        var memory = new MemoryBudget(1L << 40);
        return new TlsSocket(inner, context.newSession(), new AtomicInteger(), memory);
    }

    private int read(IoBuffer to) {
        toServer.flip();
        int count = Math.min(toServer.remaining(), to.bytes().remaining());
        to.bytes().put(toServer.slice(toServer.position(), count));
        toServer.position(toServer.position() + count).compact();
        return count;
    }

    private int write(IoBuffer from) {
        int count = isTaken ? from.bytes().remaining() : 0;
        if (isTaken) {
            toClient.put(from.bytes());
        }
        return count;
    }

    private void speak() throws SSLException {
        runTasks();
        while (client.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
            client.wrap(NOTHING, toServer);
            runTasks();
        }
    }

    private void say(String text) throws SSLException {
        client.wrap(ByteBuffer.wrap(text.getBytes()), toServer);
    }

    private void hear() throws SSLException {
        toClient.flip();
        int before = -1;
        while (toClient.hasRemaining() && toClient.remaining() != before) {
            before = toClient.remaining();
            client.unwrap(toClient, scratch.clear());
            runTasks();
        }
        toClient.compact();
    }

    private void runTasks() {
        for (var task = client.getDelegatedTask(); task != null; task = client.getDelegatedTask()) {
            task.run();
        }
    }

    /// @param isRequestWithIt whether the upload begins with the end of the handshake
    private TlsSocket open(boolean isRequestWithIt) throws Exception {
        TlsSocket socket = socket();
        client.setUseClientMode(true);
        client.setEnabledProtocols(new String[] {"TLSv1.3"});
        client.beginHandshake();
        TlsAction next = TlsAction.RECEIVE;
        while (next != TlsAction.OPEN) {
            speak();
            boolean isDone = client.getHandshakeStatus() == HandshakeStatus.NOT_HANDSHAKING;
            if (isRequestWithIt && isDone) {
                say("x");
            }
            next = socket.receive();
            while (next == TlsAction.HANDSHAKE) {
                next = socket.continueHandshake();
            }
            hear();
        }
        return socket;
    }

    private int update(TlsSocket socket) throws IOException {
        client.beginHandshake();
        speak();
        say("x");
        received.bytes().clear();
        return socket.read(received);
    }

    @Test
    void clientThatDoesNotReadResponsesIsDisconnected() throws Exception {
        TlsSocket socket = open(false);
        isTaken = false;
        var updates = new AtomicInteger();
        var e =
                assertThrows(
                        IOException.class,
                        () -> {
                            while (updates.get() < MANY) {
                                update(socket);
                                updates.incrementAndGet();
                            }
                        });
        assertEquals("the client does not read what is sent", e.getMessage());
        assertTrue(updates.get() > 50, "after " + updates);
    }

    @Test
    void clientThatReadsResponsesMayUpdateAsOftenAsItLikes() throws Exception {
        TlsSocket socket = open(false);
        for (int i = 0; i < MANY; i++) {
            assertEquals(1, update(socket));
            hear();
        }
    }

    /// Tickets that wait for the response keep nothing behind them from being sent.
    @Test
    void responsesAreSentWhileTicketsWait() throws Exception {
        TlsSocket socket = open(true);
        received.bytes().clear();
        assertEquals(1, socket.read(received));
        for (int i = 0; i < MANY; i++) {
            assertEquals(1, update(socket));
            assertTrue(toClient.position() > 0, "nothing is sent");
            hear();
        }
    }
}
