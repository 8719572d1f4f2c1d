package dev.tandem.engine.http1;

import dev.tandem.AccessLog;
import dev.tandem.engine.Engine;
import dev.tandem.engine.IoContext;
import dev.tandem.engine.LoggedResponse;
import dev.tandem.engine.WriteQueue;
import dev.tandem.engine.tls.TlsSocket;
import dev.tandem.http.PreparedResponse;
import dev.tandem.http.h1.Http1RequestHead;
import dev.tandem.http.h1.ResponseHeadWriter;
import dev.tandem.net.Connection;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// Sends prepared responses: on the loop, and without allocating.
final class PreparedWriter {
    /// Content up to 16 KiB is copied behind its head: cheaper than a second buffer in the call.
    private static final int COPIED_MAX = 16_384;

    private static final byte[] CLOSE = "Connection: close\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] KEEP =
            "Connection: keep-alive\r\n".getBytes(StandardCharsets.US_ASCII);

    private PreparedWriter() {}

    /// Gathers a prepared response.
    ///
    /// @return whether another request may follow on the connection
    static boolean write(
            Http1Loop loop,
            Connection connection,
            WriteQueue queue,
            Http1RequestHead head,
            PreparedResponse response)
            throws IOException {
        IoContext context = loop.context();
        Engine engine = loop.engine();
        AccessLog log = engine.accessLog();
        long begin = log == null ? 0 : System.nanoTime();
        boolean isKept = head.isKeepAlive() && !engine.isDraining();
        ResponseHeadWriter writer = loop.codec().headWriter().reset();
        writer.status(response.status()).date(context.dateLine()).header(response.headerLines());
        connection(writer, head, isKept);
        writer.end();
        queue.put(context, writer.bytes(), writer.length(), false);
        ByteBuffer body = response.body();
        int size = head.method().equals("HEAD") ? 0 : body.remaining();
        if (size > 0) {
            queue.put(context, body, COPIED_MAX);
        }
        if (log != null) {
            long nanos = System.nanoTime() - begin;
            new LoggedResponse("", response.status(), size, nanos)
                    .writeTo(
                            log,
                            connection.socket().remoteAddress(),
                            TlsSocket.isOf(connection),
                            head);
        }
        return isKept;
    }

    /// Writes the `Connection` header, where the client would assume otherwise (RFC 9112, section
    /// 9.3).
    static void connection(ResponseHeadWriter writer, Http1RequestHead head, boolean isKept) {
        if (!isKept) {
            writer.header(CLOSE);
        } else if (head.minorVersion() == 0) {
            writer.header(KEEP);
        }
    }

    /// Writes how the content's end is found (RFC 9112, section 6).
    ///
    /// @param length in bytes; -1 if it is sent in chunks or ends with the connection
    static void framing(ResponseHeadWriter writer, Http1RequestHead head, long length) {
        if (length >= 0) {
            writer.contentLength(length);
        } else if (head.minorVersion() > 0) {
            writer.header("Transfer-Encoding", "chunked");
        }
    }
}
