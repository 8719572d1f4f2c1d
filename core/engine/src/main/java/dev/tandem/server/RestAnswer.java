package dev.tandem.server;

import dev.tandem.http.h1.ResponseHeadWriter;
import java.io.IOException;

/// An answer of a head and a rest, which is sent as often as the client takes more of it, whoever
/// the handler's worker serves by then.
final class RestAnswer {
    private static final byte[] NOTHING = {};

    private RestAnswer() {}

    /// @param rest closed by the connection, or here if it is not to be sent
    /// @throws ClientGoneException if the client is gone, or the rest is not to be had
    static void send(Http1Exchange x, Http1Connection http, ResponseTail rest) throws IOException {
        long length = rest.left();
        ResponseHeadWriter head = null;
        try {
            x.checkWorker();
            if (!x.hasContent()) {
                x.fields().set("Content-Length", Long.toString(length));
                x.sendBytes(NOTHING, 0);
                return;
            }
            head = x.writeHead(length);
        } finally {
            if (head == null) {
                rest.close();
            }
        }
        x.sent(length);
        try {
            http.outbox().sendRest(x.kit(), head, rest);
        } catch (IOException e) {
            throw x.gone(e);
        }
    }
}
