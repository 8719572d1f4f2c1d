package dev.tandem.engine;

import dev.tandem.testkit.RawClient;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLParameters;

/// A client that says what records there are, and sends several at once: a request with the end
/// right behind it.
public final class Said implements AutoCloseable {
    private static final int ROOM = 70_000;
    private static final int STEPS_MAX = 200;

    private final Socket socket = new Socket();
    private final SSLEngine engine;
    private final ByteBuffer in = ByteBuffer.allocate(ROOM).limit(0);
    private final ByteBuffer plain = ByteBuffer.allocate(ROOM);

    private Said(SSLEngine engine) {
        this.engine = engine;
    }

    public static Said to(Served served) throws IOException {
        return to(served.server().address());
    }

    public static Said to(InetSocketAddress server) throws IOException {
        return to(server, "http/1.1");
    }

    /// @param protocol what it offers to speak
    public static Said to(InetSocketAddress server, String protocol) throws IOException {
        SSLEngine made = TestCertificate.trust().createSSLEngine("localhost", 443);
        SSLParameters parameters = made.getSSLParameters();
        parameters.setApplicationProtocols(new String[] {protocol});
        made.setSSLParameters(parameters);
        var client = new Said(made);
        client.socket.setSoTimeout(RawClient.PATIENCE_MILLIS);
        client.socket.connect(server);
        client.engine.setUseClientMode(true);
        client.engine.beginHandshake();
        client.shakeHands();
        return client;
    }

    private void shakeHands() throws IOException {
        for (int i = 0; i < STEPS_MAX; i++) {
            switch (engine.getHandshakeStatus()) {
                case NEED_TASK -> engine.getDelegatedTask().run();
                case NEED_WRAP -> send(wrapped(new byte[0]));
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> unwrap();
                case FINISHED, NOT_HANDSHAKING -> {
                    return;
                }
            }
        }
        throw new IOException("the handshake does not end");
    }

    private byte[] wrapped(byte[] text) throws IOException {
        var out = ByteBuffer.allocate(ROOM);
        if (engine.wrap(ByteBuffer.wrap(text), out).bytesConsumed() < text.length) {
            throw new IOException("more than a record: " + text.length);
        }
        var bytes = new byte[out.position()];
        out.flip().get(bytes);
        return bytes;
    }

    private void send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
    }

    /// Sends two texts in a record each, and perhaps close_notify, by one write.
    public void say(String first, String second, boolean isEnd) throws IOException {
        var all = ByteBuffer.allocate(ROOM);
        for (String text : new String[] {first, second}) {
            if (!text.isEmpty()) {
                all.put(wrapped(text.getBytes(StandardCharsets.US_ASCII)));
            }
        }
        if (isEnd) {
            engine.closeOutbound();
            all.put(wrapped(new byte[0]));
        }
        var bytes = new byte[all.position()];
        all.flip().get(bytes);
        send(bytes);
    }

    /// Sends a record without its last byte.
    public void sayHalf(String text) throws IOException {
        byte[] record = wrapped(text.getBytes(StandardCharsets.US_ASCII));
        send(Arrays.copyOf(record, record.length - 1));
    }

    /// Reads until some text has come.
    public String until(String end) throws IOException {
        while (!text().endsWith(end)) {
            unwrap();
        }
        return text();
    }

    /// Reads to the server's end.
    public String rest() throws IOException {
        while (!engine.isInboundDone()) {
            try {
                unwrap();
            } catch (EOFException e) {
                return text();
            }
        }
        return text();
    }

    private String text() {
        return new String(plain.array(), 0, plain.position(), StandardCharsets.US_ASCII);
    }

    private void unwrap() throws IOException {
        if (engine.unwrap(in, plain).bytesConsumed() > 0
                || engine.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
            return;
        }
        in.compact();
        int count;
        try {
            count = socket.getInputStream().read(in.array(), in.position(), in.remaining());
        } catch (SocketTimeoutException e) {
            throw new IOException("nothing more comes after: " + text(), e);
        }
        in.position(in.position() + Math.max(0, count)).flip();
        if (count < 0) {
            throw new EOFException("the server has closed after: " + text());
        }
    }

    /// Disconnects so that the server receives a reset.
    public void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
