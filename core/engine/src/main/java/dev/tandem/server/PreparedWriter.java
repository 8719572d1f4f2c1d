package dev.tandem.server;

import dev.tandem.http.PreparedResponse;
import dev.tandem.http.h1.Http1RequestHead;
import dev.tandem.http.h1.ResponseHeadWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/// Sends answers that lie ready: on the loop, and without allocating.
final class PreparedWriter {
    /// Content up to 16 KiB is copied beside its head: cheaper than a second piece in the call.
    private static final int COPIED_MAX = 16_384;

    private static final byte[] CLOSE = "Connection: close\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] KEEP =
            "Connection: keep-alive\r\n".getBytes(StandardCharsets.US_ASCII);

    private PreparedWriter() {}

    static void write(
            IoContext kit, Http1Connection http, Http1RequestHead head, PreparedResponse answer)
            throws IOException {
        AccessLog log = kit.engine().accessLog();
        long begin = log == null ? 0 : System.nanoTime();
        boolean isKept = head.isKeepAlive() && !kit.engine().isLeaving();
        ResponseHeadWriter writer = kit.headWriter().reset();
        writer.status(answer.status()).date(kit.dateLine()).header(answer.headerLines());
        connection(writer, head, isKept);
        writer.end();
        http.outbox().put(kit, writer.bytes(), writer.length(), false);
        ByteBuffer body = answer.body();
        int size = head.method().equals("HEAD") ? 0 : body.remaining();
        if (size > 0) {
            http.outbox().put(kit, body, COPIED_MAX);
        }
        if (!isKept) {
            http.closeAfterwards(false);
        }
        if (log != null) {
            long nanos = System.nanoTime() - begin;
            new LoggedResponse("", answer.status(), size, nanos).tell(log, http, head);
        }
    }

    /// Says what becomes of the connection where the client would think otherwise (RFC 9112,
    /// section 9.3).
    static void connection(ResponseHeadWriter writer, Http1RequestHead head, boolean isKept) {
        if (!isKept) {
            writer.header(CLOSE);
        } else if (head.minorVersion() == 0) {
            writer.header(KEEP);
        }
    }

    /// Says where the content ends (RFC 9112, section 6).
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
