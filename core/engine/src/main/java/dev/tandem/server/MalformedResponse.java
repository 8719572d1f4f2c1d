package dev.tandem.server;

import dev.tandem.http.Bad;
import dev.tandem.http.Status;
import dev.tandem.http.h1.HeadWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// Answers what is no request: in plain text, with none of its bytes, and the last on its
/// connection.
final class MalformedResponse {
    private MalformedResponse() {}

    static void write(IoContext kit, Http1Connection http, Bad bad) throws IOException {
        String text = bad.status() + " " + Status.reason(bad.status()) + "\n" + bad.reason() + "\n";
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        HeadWriter writer = kit.headWriter().reset();
        writer.status(bad.status())
                .date(kit.dateLine())
                .field("Content-Type", "text/plain; charset=utf-8")
                .contentLength(body.length)
                .field("Connection", "close")
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
