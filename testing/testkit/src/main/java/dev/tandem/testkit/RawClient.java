package dev.tandem.testkit;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.List;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/// A client that sends given bytes and parses responses strictly. Every wait ends after
/// [#PATIENCE_MILLIS] with a [SocketTimeoutException].
public final class RawClient implements AutoCloseable {
    /// 20 s: for a busy machine, not for a slow server.
    public static final int PATIENCE_MILLIS = 20_000;

    /// The TCP socket.
    private final Socket raw;

    /// The same, or TLS over it.
    private final Socket socket;

    private final InputStream in;
    private final ResponseReader reader;

    private RawClient(Socket raw, Socket socket) throws IOException {
        this.raw = raw;
        this.socket = socket;
        this.in = new BufferedInputStream(socket.getInputStream());
        this.reader = new ResponseReader(in);
    }

    public static RawClient connect(InetSocketAddress server) throws IOException {
        return connect(server, 0);
    }

    /// @param receiveBuffer the socket's, in bytes: a small one blocks the server early; 0 is the
    ///     system's default
    public static RawClient connect(InetSocketAddress server, int receiveBuffer)
            throws IOException {
        return connect(server, receiveBuffer, null);
    }

    /// @param tls its trusted and own certificates; null for a client without TLS
    public static RawClient connect(
            InetSocketAddress server, int receiveBuffer, @Nullable SSLContext tls)
            throws IOException {
        var socket = new Socket();
        if (receiveBuffer > 0) {
            socket.setReceiveBufferSize(receiveBuffer);
        }
        return connect(socket, server, tls);
    }

    /// @param local the address that the server sees, such as 127.0.0.2
    public static RawClient connectFrom(InetAddress local, InetSocketAddress server)
            throws IOException {
        var socket = new Socket();
        socket.bind(new InetSocketAddress(local, 0));
        return connect(socket, server, null);
    }

    private static RawClient connect(
            Socket socket, InetSocketAddress server, @Nullable SSLContext tls) throws IOException {
        try {
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.connect(server, PATIENCE_MILLIS);
            return new RawClient(socket, tls == null ? socket : secured(socket, server, tls));
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private static Socket secured(Socket socket, InetSocketAddress server, SSLContext tls)
            throws IOException {
        var secured =
                (SSLSocket)
                        tls.getSocketFactory()
                                .createSocket(socket, "localhost", server.getPort(), true);
        SSLParameters parameters = secured.getSSLParameters();
        parameters.setServerNames(List.of(new SNIHostName("localhost")));
        secured.setSSLParameters(parameters);
        secured.startHandshake();
        return secured;
    }

    /// Sends a text block, see [WireText#bytes].
    public RawClient send(String block) throws IOException {
        return send(WireText.bytes(block));
    }

    public RawClient send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    /// Sends each byte by a separate write.
    public RawClient sendBytewise(byte[] bytes) throws IOException {
        for (byte b : bytes) {
            socket.getOutputStream().write(b);
        }
        return this;
    }

    /// Reads the response to a request other than HEAD.
    public RawResponse response() throws IOException {
        return reader.read(false);
    }

    public RawResponse responseToHead() throws IOException {
        return reader.read(true);
    }

    /// Reads at most `count` bytes, at least one unless the stream has ended.
    public byte[] bytes(int count) throws IOException {
        var bytes = new byte[count];
        int read = in.read(bytes);
        return java.util.Arrays.copyOf(bytes, Math.max(0, read));
    }

    /// Reads to the stream's end.
    public byte[] rest() throws IOException {
        return in.readAllBytes();
    }

    /// Reads to the end of the stream or to the reset that interrupts it.
    public byte[] restOrCut() throws IOException {
        var all = new ByteArrayOutputStream();
        try {
            for (byte[] some = bytes(8192); some.length > 0; some = bytes(8192)) {
                all.write(some);
            }
        } catch (SocketException | SSLException e) {
            return all.toByteArray(); // cut
        }
        return all.toByteArray();
    }

    /// Waits for the server to close or reset the connection.
    ///
    /// @return false if it sends something instead, or nothing
    public boolean isClosedByServer() throws IOException {
        try {
            return in.read() < 0;
        } catch (SocketTimeoutException e) {
            return false;
        } catch (SocketException | SSLException e) {
            return true;
        }
    }

    /// Ends this side of the stream; the server may still send.
    public RawClient halfClose() throws IOException {
        socket.shutdownOutput();
        return this;
    }

    /// Ends the TCP stream: over TLS, without close_notify.
    public void cut() throws IOException {
        raw.close();
    }

    /// Closes by a reset.
    public void reset() throws IOException {
        raw.setSoLinger(true, 0);
        raw.close();
    }

    public int localPort() {
        return socket.getLocalPort();
    }

    /// Closes at once: over TLS with close_notify. With a limit for reads, a JDK's client would
    /// first wait as long for a byte from the server.
    @Override
    public void close() throws IOException {
        if (!raw.isClosed()) {
            raw.setSoTimeout(0);
        }
        socket.close();
    }
}
