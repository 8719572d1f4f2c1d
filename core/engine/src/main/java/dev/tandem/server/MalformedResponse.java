package dev.tandem.server;

import dev.tandem.http.MalformedMessage;
import dev.tandem.http.Status;
import dev.tandem.http.h1.ResponseHeadWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// Answers what is no request: in plain text, with none of its bytes, and the last on its
/// connection.
final class MalformedResponse {
    private MalformedResponse() {}

    static void write(IoContext kit, Http1Connection http, MalformedMessage bad)
            throws IOException {
        String text =
                bad.status() + " " + Status.reasonPhrase(bad.status()) + "\n" + bad.reason() + "\n";
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        ResponseHeadWriter writer = kit.headWriter().reset();
        writer.status(bad.status())
                .date(kit.dateLine())
                .header("Content-Type", "text/plain; charset=utf-8")
                .contentLength(body.length)
                .header("Connection", "close")
                .end();
        http.outbox().put(kit, writer.bytes(), writer.length(), false);
        http.outbox().put(kit, body, body.length, true);
        kit.engine().traffic().withoutRoute().answered(bad.status(), 0);
        AccessLog log = kit.engine().accessLog();
        if (log != null) {
            new LoggedResponse("", bad.status(), body.length, 0).tell(log, http);
        }
    }
}
