package dev.tandem.cli;

import dev.tandem.cli.command.Failure;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Locale;

/// Sends commands to a running server over one connection to its [Control] socket.
final class ControlClient implements AutoCloseable {
    /// 1 MiB: more than any list of problems.
    private static final int RESPONSE_MAX = 1 << 20;

    private final SocketChannel channel;
    private final InputStream in;

    /// A server's response.
    record Response(int status, String text) {}

    private ControlClient(SocketChannel channel) {
        this.channel = channel;
        this.in = new BufferedInputStream(Channels.newInputStream(channel));
    }

    /// @throws Failure if the connection is refused
    static ControlClient connect(Path socket) {
        try {
            return new ControlClient(SocketChannel.open(UnixDomainSocketAddress.of(socket)));
        } catch (IOException e) {
            throw Failure.failed(
                    "no server listens at "
                            + socket
                            + " ("
                            + e.getMessage()
                            + "); start it with this control socket");
        }
    }

    /// @throws Failure if the server closes the connection, or it is no server's
    Response post(String target) {
        try {
            String request =
                    "POST " + target + " HTTP/1.1\r\nHost: control\r\nContent-Length: 0\r\n\r\n";
            ByteBuffer bytes = ByteBuffer.wrap(request.getBytes(StandardCharsets.US_ASCII));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            return readResponse();
        } catch (IOException e) {
            throw Failure.failed("the server does not respond as expected: " + e.getMessage());
        }
    }

    private Response readResponse() throws IOException {
        String[] statusLine = readLine().split(" ", 3);
        if (statusLine.length < 2 || !statusLine[1].matches("\\d{3}")) {
            throw new IOException("its response is not HTTP");
        }
        int length = 0;
        for (String line = readLine(); !line.isEmpty(); line = readLine()) {
            int colon = line.indexOf(':');
            String value = line.substring(colon + 1).strip();
            if (colon > 0
                    && line.substring(0, colon).toLowerCase(Locale.ROOT).equals("content-length")
                    && value.matches("\\d{1,9}")) {
                length = Integer.parseInt(value);
            }
        }
        byte[] content = in.readNBytes(Math.min(length, RESPONSE_MAX));
        String text = new String(content, StandardCharsets.UTF_8).strip();
        return new Response(Integer.parseInt(statusLine[1]), text);
    }

    private String readLine() throws IOException {
        var line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0 || line.length() > RESPONSE_MAX) {
                throw new IOException("incomplete response");
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException _) {
            // The response has been read.
        }
    }
}
