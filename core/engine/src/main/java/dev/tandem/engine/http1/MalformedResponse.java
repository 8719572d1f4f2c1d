package dev.tandem.engine.http1;

import dev.tandem.AccessLog;
import dev.tandem.engine.Engine;
import dev.tandem.engine.IoContext;
import dev.tandem.engine.LoggedResponse;
import dev.tandem.engine.WriteQueue;
import dev.tandem.engine.tls.TlsSocket;
import dev.tandem.http.HttpVersion;
import dev.tandem.http.MalformedMessage;
import dev.tandem.http.Status;
import dev.tandem.http.h1.ResponseHeadWriter;
import dev.tandem.net.Connection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// Responds to a malformed request: in plain text, without any of the request's bytes, and as the
/// last response on its connection. No cache may store it: a proxy in front may take heads that are
/// too long here, and would send it to other clients.
final class MalformedResponse {
    private MalformedResponse() {}

    static void write(Http1Loop loop, Connection connection, WriteQueue queue, MalformedMessage bad)
            throws IOException {
        IoContext context = loop.context();
        Engine engine = loop.engine();
        String text =
                bad.status() + " " + Status.reasonPhrase(bad.status()) + "\n" + bad.reason() + "\n";
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        ResponseHeadWriter writer = loop.codec().headWriter().reset();
        writer.status(bad.status())
                .date(context.dateLine())
                .header("Cache-Control", "no-store")
                .header("Content-Type", "text/plain; charset=utf-8")
                .contentLength(body.length)
                .header("Connection", "close")
                .end();
        queue.put(context, writer.bytes(), writer.length(), false);
        queue.put(context, body, body.length, true);
        boolean isSecure = TlsSocket.isOf(connection);
        engine.traffic().withoutRoute().respondedMalformed(null, isSecure, bad.status());
        AccessLog log = engine.accessLog();
        if (log != null) {
            new LoggedResponse("", bad.status(), body.length, 0)
                    .writeTo(
                            log,
                            connection.socket().remoteAddress(),
                            isSecure,
                            HttpVersion.HTTP_1_1);
        }
    }
}
