package dev.tandem.proxy;

import dev.tandem.testkit.TestServer;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/// An upstream that sends announced content at the worst moment: after the next request has arrived
/// on the connection, before its response. Each request selects the behaviour by its [Script], and
/// has a token, which its response repeats.
final class LateUpstream implements AutoCloseable {
    /// How long content that belongs to the message is held back, to give a next request, which
    /// must not arrive, the chance to come first: 2 ms.
    private static final int HELD_MILLIS = 2;

    private static final int HEAD_MAX = 64 << 10;

    private final TestServer server;

    /// Released once for each response whose surplus came after it.
    final Semaphore surplusSent = new Semaphore(0);

    enum Announced {
        NOTHING,
        LENGTH,
        CHUNKS,
        /// A length, by HTTP/1.0 with `keep-alive`.
        OLD_LENGTH
    }

    enum Interim {
        NONE,
        CONTINUE,
        HINTS,
        /// Announces content, which comes late; no interim response has any.
        HINTS_WITH_LENGTH,
        HINTS_WITH_CHUNKS
    }

    enum Surplus {
        NONE,
        /// In the same piece as the end of the response.
        AT_ONCE,
        /// When the response is out.
        AFTERWARDS
    }

    /// The behaviour for one request.
    ///
    /// @param isEarly whether the response begins before the request's content is read
    record Script(
            int status, Announced announced, Interim interim, Surplus surplus, boolean isEarly) {

        String path(String token) {
            return "/%d/%s/%s/%s/%s/%s"
                    .formatted(status, announced, interim, surplus, isEarly, token);
        }

        static Script of(String[] path) {
            return new Script(
                    Integer.parseInt(path[1]),
                    Announced.valueOf(path[2]),
                    Interim.valueOf(path[3]),
                    Surplus.valueOf(path[4]),
                    Boolean.parseBoolean(path[5]));
        }

        /// Whether the content that is announced belongs to the response (RFC 9112, section 6.3).
        boolean hasContent(String method) {
            return !method.equals("HEAD") && status != 204 && status != 304;
        }
    }

    LateUpstream() throws IOException {
        server = new TestServer((socket, _) -> new Talk(socket).run());
    }

    String address() {
        return server.address();
    }

    int connections() {
        return server.connections();
    }

    /// The content of the response to a request with that token.
    static String content(String token) {
        return "content of " + token + " ".repeat(token.hashCode() & 0x3f);
    }

    /// What looks like a whole response, and is the content of another.
    static String planted(String token) {
        return "HTTP/1.1 200 OK\r\nX-Token: "
                + token
                + "\r\nSet-Cookie: secret="
                + token
                + "\r\nContent-Length: 4\r\n\r\nEVIL";
    }

    @Override
    public void close() throws IOException {
        server.close();
    }

    /// One connection.
    private final class Talk {
        private final Socket socket;
        private final InputStream in;
        private final OutputStream out;

        /// What was announced, and is sent when the next request has come.
        private String late = "";

        Talk(Socket socket) throws IOException {
            this.socket = socket;
            this.in = new BufferedInputStream(socket.getInputStream());
            this.out = socket.getOutputStream();
        }

        void run() throws IOException {
            boolean isKept = true;
            String head = head();
            while (isKept && head != null) {
                say(late);
                late = "";
                isKept = respond(head);
                head = isKept ? head() : null;
            }
        }

        /// @return whether the connection is kept
        private boolean respond(String head) throws IOException {
            String[] line = head.split(" ", 3);
            String[] path = line[1].split("/");
            Script script = Script.of(path);
            String token = path[6];
            if (!script.isEarly()) {
                readBody(head);
            }
            interim(script.interim(), token);
            boolean isKept = respond(script, line[0], token);
            if (script.isEarly()) {
                readBody(head);
            }
            return isKept;
        }

        private void interim(Interim interim, String token) throws IOException {
            String planted = planted(token);
            switch (interim) {
                case NONE -> {}
                case CONTINUE -> say("HTTP/1.1 100 Continue\r\n\r\n");
                case HINTS -> say("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n");
                case HINTS_WITH_LENGTH -> {
                    say(
                            "HTTP/1.1 103 Early Hints\r\nContent-Length: %d\r\n\r\n"
                                    .formatted(planted.length()));
                    late = planted;
                }
                case HINTS_WITH_CHUNKS -> {
                    say("HTTP/1.1 103 Early Hints\r\nTransfer-Encoding: chunked\r\n\r\n");
                    late = planted;
                }
            }
        }

        private boolean respond(Script script, String method, String token) throws IOException {
            boolean hasContent = script.hasContent(method);
            // The content of a 205 is dropped: it can be what it likes.
            String content = hasContent && script.status() != 205 ? content(token) : planted(token);
            boolean isOld = script.announced() == Announced.OLD_LENGTH;
            String head =
                    (isOld ? "HTTP/1.0 " : "HTTP/1.1 ")
                            + script.status()
                            + " X\r\nX-Token: "
                            + token
                            + "\r\n"
                            + (isOld ? "Connection: keep-alive\r\n" : "");
            String framed = content;
            switch (script.announced()) {
                case NOTHING -> {}
                case LENGTH, OLD_LENGTH -> head += "Content-Length: " + content.length() + "\r\n";
                case CHUNKS -> {
                    head += "Transfer-Encoding: chunked\r\n";
                    framed =
                            Integer.toHexString(content.length())
                                    + "\r\n"
                                    + content
                                    + "\r\n0\r\n\r\n";
                }
            }
            head += "\r\n";
            String surplus = script.surplus() == Surplus.AT_ONCE ? planted(token) : "";
            boolean isUntilClose = hasContent && script.announced() == Announced.NOTHING;
            if (!hasContent) {
                boolean isAnnounced = script.announced() != Announced.NOTHING;
                late += isAnnounced ? content : "";
                say(head + surplus);
            } else if (script.status() == 205 && isUntilClose) {
                late += planted(token); // what ends it is the connection's end, which is not sent
                say(head);
                isUntilClose = false;
            } else if (script.status() == 205) {
                say(head);
                hold();
                int half = framed.length() / 2;
                say(framed.substring(0, half));
                say(framed.substring(half) + surplus);
            } else {
                say(head);
                say(framed + surplus);
            }
            if (script.surplus() == Surplus.AFTERWARDS) {
                say(planted(token));
                surplusSent.release();
            }
            return !isUntilClose;
        }

        /// Waits for a next request, for a while.
        private void hold() throws IOException {
            socket.setSoTimeout(HELD_MILLIS);
            try {
                in.mark(1);
                in.read();
                in.reset();
            } catch (SocketTimeoutException _) {
                // As it must be.
            } finally {
                socket.setSoTimeout(0);
            }
        }

        private @Nullable String head() throws IOException {
            var head = new ByteArrayOutputStream();
            int newlines = 0;
            while (newlines < 2) {
                int b = in.read();
                if (b < 0 || head.size() > HEAD_MAX) {
                    return null;
                }
                head.write(b);
                newlines = b == '\n' ? newlines + 1 : b == '\r' ? newlines : 0;
            }
            return head.toString(StandardCharsets.ISO_8859_1);
        }

        private void readBody(String head) throws IOException {
            String lower = head.toLowerCase(java.util.Locale.ROOT);
            int at = lower.indexOf("\r\ncontent-length: ");
            if (at >= 0) {
                String from = lower.substring(at + "\r\ncontent-length: ".length());
                in.skipNBytes(Integer.parseInt(from.substring(0, from.indexOf('\r'))));
            } else if (lower.contains("\r\ntransfer-encoding: chunked\r\n")) {
                int size = chunkSize();
                while (size > 0) {
                    in.skipNBytes(size + 2);
                    size = chunkSize();
                }
                in.skipNBytes(2);
            }
        }

        private int chunkSize() throws IOException {
            var line = new StringBuilder();
            for (int b = in.read(); b != '\n' && b >= 0; b = in.read()) {
                line.append((char) b);
            }
            return Integer.parseInt(line.toString().strip(), 16);
        }

        private void say(String text) throws IOException {
            if (!text.isEmpty()) {
                out.write(text.getBytes(StandardCharsets.ISO_8859_1));
            }
        }
    }
}
