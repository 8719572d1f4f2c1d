package dev.tandem.tls;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/// A client engine and a server session, connected in memory.
final class TlsDialogue implements AutoCloseable {
    private static final int STEPS_MAX = 50;

    final SSLEngine client;
    final TlsSession server;

    /// The data decrypted by the server and by the client.
    final ByteArrayOutputStream heardByServer = new ByteArrayOutputStream();

    final ByteArrayOutputStream heardByClient = new ByteArrayOutputStream();

    /// The maximum number of bytes passed to the server at once.
    int piece = Integer.MAX_VALUE;

    /// The last action requested by the server.
    TlsAction next = TlsAction.RECEIVE;

    /// How often the server required a worker, and how often it did not.
    int costly;

    int cheap;

    private final ByteBuffer toServer = ByteBuffer.allocateDirect(1 << 21);
    private final ByteBuffer toClient = ByteBuffer.allocateDirect(1 << 21);
    private final ByteBuffer plain = ByteBuffer.allocateDirect(32_768);

    TlsDialogue(SSLEngine client, TlsSession server) {
        this.client = client;
        this.server = server;
        toServer.flip();
        toClient.flip();
    }

    /// Exchanges data until neither side has output.
    TlsDialogue settle() throws SSLException {
        for (int step = 0; step < STEPS_MAX; step++) {
            boolean isClientBusy = clientSpeaks() | clientHears();
            boolean isServerBusy = serverHears();
            if (!isClientBusy && !isServerBusy) {
                return this;
            }
        }
        throw new AssertionError("they do not come to an end");
    }

    void clientSays(String text) throws SSLException {
        clientSays(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    void clientSays(byte[] bytes) throws SSLException {
        var from = ByteBuffer.wrap(bytes);
        toServer.compact();
        while (from.hasRemaining()) {
            SSLEngineResult result = client.wrap(from, toServer);
            if (result.getStatus() != SSLEngineResult.Status.OK) {
                throw new AssertionError(result.toString());
            }
        }
        toServer.flip();
    }

    void serverSays(byte[] bytes) throws SSLException {
        var from = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
        toClient.compact();
        if (!server.send(from, toClient)) {
            throw new AssertionError("too much");
        }
        toClient.flip();
    }

    /// Returns the bytes in transit to the server, which a test may corrupt.
    ByteBuffer onTheWay() {
        return toServer;
    }

    /// Returns the unread bytes for the client.
    byte[] forClient() {
        var bytes = new byte[toClient.remaining()];
        toClient.duplicate().get(bytes);
        return bytes;
    }

    void putToServer(byte[] bytes) {
        toServer.compact().put(bytes).flip();
    }

    void endOfServer() {
        toClient.compact();
        server.closeNotify(toClient);
        toClient.flip();
    }

    private boolean clientSpeaks() throws SSLException {
        boolean hasSpoken = false;
        toServer.compact();
        while (client.getHandshakeStatus() == HandshakeStatus.NEED_WRAP
                || client.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
            runTasks(client);
            if (client.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
                SSLEngineResult result = client.wrap(ByteBuffer.allocate(0), toServer);
                hasSpoken |= result.bytesProduced() > 0;
                if (result.getStatus() == SSLEngineResult.Status.CLOSED) {
                    break;
                }
            }
        }
        toServer.flip();
        return hasSpoken;
    }

    private boolean clientHears() throws SSLException {
        var heard = ByteBuffer.allocate(32_768);
        boolean isAny = false;
        while (toClient.hasRemaining()) {
            runTasks(client);
            int before = toClient.remaining();
            SSLEngineResult result = client.unwrap(toClient, heard.clear());
            heardByClient.write(heard.array(), 0, heard.position());
            isAny |= toClient.remaining() < before;
            if (toClient.remaining() == before) {
                break;
            }
        }
        runTasks(client);
        return isAny;
    }

    private boolean serverHears() {
        boolean isAny = false;
        while (toServer.hasRemaining() && next != TlsAction.FAILED) {
            int size = Math.min(piece, toServer.remaining());
            ByteBuffer part = toServer.slice(toServer.position(), size);
            toServer.position(toServer.position() + size);
            receive(part);
            isAny = true;
        }
        toClient.compact();
        if (server.hasOutput()) {
            server.flush(toClient);
        }
        toClient.flip();
        return isAny;
    }

    private void receive(ByteBuffer part) {
        do {
            next = next == TlsAction.HANDSHAKE ? handshake() : server.receive(part, plain);
            drainPlain();
        } while (next == TlsAction.HANDSHAKE
                || next == TlsAction.OPEN
                || next == TlsAction.BUFFER_FULL);
    }

    private TlsAction handshake() {
        if (server.isHandshakeCheap()) {
            cheap++;
        } else {
            costly++;
        }
        // As small as allowed, so that it is often full.
        var out = ByteBuffer.allocateDirect(TlsSession.BUFFER_MIN);
        TlsAction after = server.handshake(plain, out);
        toClient.compact().put(out.flip()).flip();
        while (after == TlsAction.BUFFER_FULL) {
            after = server.handshake(plain, out.clear());
            toClient.compact().put(out.flip()).flip();
        }
        if (plain.position() > 0) {
            throw new AssertionError("what is scratch room came back with data in it");
        }
        return after;
    }

    private void drainPlain() {
        plain.flip();
        while (plain.hasRemaining()) {
            heardByServer.write(plain.get());
        }
        plain.clear();
    }

    private static void runTasks(SSLEngine engine) {
        for (Runnable task = engine.getDelegatedTask();
                task != null;
                task = engine.getDelegatedTask()) {
            task.run();
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
