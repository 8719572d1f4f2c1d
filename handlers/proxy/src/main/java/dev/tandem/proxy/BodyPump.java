package dev.tandem.proxy;

import dev.tandem.http.Request;
import dev.tandem.upstream.UpstreamConnection;
import dev.tandem.upstream.UpstreamException;
import dev.tandem.upstream.UpstreamOptions;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/// Forwards a request's content as it arrives. Confined to the thread that runs the handler.
final class BodyPump {
    /// Content up to 64 KiB was buffered before the handler started, and fits socket buffers: it is
    /// sent without reading at the same time.
    private static final long SMALL_MAX = 64 << 10;

    private static final int BUFFER = 8 << 10;
    private static final byte[] LAST_CHUNK = "0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CRLF = {'\r', '\n'};

    private final Request request;
    private final Start start;
    private final UpstreamConnection connection;
    private final UpstreamResponse response;
    private final UpstreamOptions options;

    /// The first bytes of a request's content; all of it if it is small. They are read before a
    /// connection is borrowed: data that arrives on it while this waits for the client would be
    /// read as the response.
    ///
    /// @param count number of bytes, -1 if there is no content
    record Start(byte[] bytes, int count) {
        /// @throws IOException if the client has disconnected
        static Start of(Request request) throws IOException {
            long length = request.contentLength();
            if (length >= 0 && length <= SMALL_MAX) {
                byte[] all = length == 0 ? new byte[0] : request.body().readAllBytes();
                return new Start(all, all.length);
            }
            var buffer = new byte[BUFFER];
            return new Start(buffer, request.body().read(buffer));
        }
    }

    BodyPump(
            Request request,
            Start start,
            UpstreamConnection connection,
            UpstreamResponse response,
            UpstreamOptions options) {
        this.request = request;
        this.start = start;
        this.connection = connection;
        this.response = response;
        this.options = options;
    }

    /// Sends the connection's output, and the content.
    ///
    /// @return whether all was sent; an upstream that responds before it has read everything gets
    ///     no more
    /// @throws UpstreamException if the upstream closed the connection without a response
    /// @throws IOException if the client has disconnected
    boolean send() throws IOException {
        long length = request.contentLength();
        if (length == 0) {
            connection.flush();
            return true;
        }
        return length > 0 && length <= SMALL_MAX ? sendSmall() : sendStreamed(length < 0);
    }

    private boolean sendSmall() throws IOException {
        try {
            connection.write(start.bytes(), 0, start.count());
            connection.flush();
            return true;
        } catch (UpstreamException e) {
            return requireResponse(e);
        }
    }

    private boolean sendStreamed(boolean isChunked) throws IOException {
        byte[] buffer = start.bytes();
        InputStream body = request.body();
        boolean isWanted = true;
        try {
            for (int count = start.count(); isWanted && count >= 0; count = body.read(buffer)) {
                if (isChunked) {
                    byte[] size =
                            (Integer.toHexString(count) + "\r\n")
                                    .getBytes(StandardCharsets.US_ASCII);
                    connection.write(size, 0, size.length);
                }
                connection.write(buffer, 0, count);
                if (isChunked) {
                    connection.write(CRLF, 0, CRLF.length);
                }
                isWanted = flush();
                if (!isWanted) {
                    break;
                }
            }
            if (isWanted && isChunked) {
                connection.write(LAST_CHUNK, 0, LAST_CHUNK.length);
                isWanted = flush();
            }
        } catch (UpstreamException e) {
            isWanted = requireResponse(e);
        }
        connection.setBlocking();
        return isWanted;
    }

    private boolean flush() throws IOException {
        connection.setTimeout(options.inactivityTimeout());
        return connection.flush(this::receive);
    }

    private boolean receive(boolean isEnd) throws IOException {
        response.receive(connection.input(), isEnd);
        if (!response.isDone()) {
            response.flush();
        }
        return !response.isDone();
    }

    /// Returns false if the upstream, which accepts no more content, has responded; otherwise
    /// throws.
    private boolean requireResponse(UpstreamException e) throws IOException {
        if (response.isDone()) {
            return false;
        }
        if (connection.input().hasRemaining() || response.hasStarted()) {
            return false;
        }
        try {
            connection.setBlocking();
            boolean isEnd = !connection.read();
            if (isEnd) {
                throw e;
            }
        } catch (UpstreamException _) {
            throw e;
        }
        response.receive(connection.input(), false);
        return false;
    }
}
