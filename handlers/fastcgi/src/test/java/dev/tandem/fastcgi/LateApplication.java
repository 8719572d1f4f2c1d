package dev.tandem.fastcgi;

import static dev.tandem.fastcgi.RecordReaderTest.join;
import static dev.tandem.fastcgi.RecordReaderTest.record;

import dev.tandem.testkit.TestServer;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/// An application that keeps its connections open, and sends records of a completed request at the
/// worst moment: after the next request has arrived, before its response. Each request's query
/// selects the behaviour: `STATUS-LATE-TOKEN`.
final class LateApplication implements AutoCloseable {
    private static final int BEGIN_REQUEST = 1;
    private static final int END_REQUEST = 3;
    private static final int PARAMS = 4;
    private static final int STDIN = 5;
    private static final int STDOUT = 6;
    private static final String END = "\0\0\0\0\0\0\0\0";

    private final TestServer server;

    /// What follows a response's end.
    enum Late {
        NOTHING,
        /// Another whole response with the request's id, when the next request has come.
        RESPONSE,
        /// More output only.
        OUTPUT,
        /// Another end only.
        END,
        /// A whole response in the same piece as the end.
        AT_ONCE,
        /// The response ends before the body is read.
        EARLY
    }

    LateApplication() throws IOException {
        server = new TestServer((socket, _) -> new Talk(socket).run());
    }

    String address() {
        return server.address();
    }

    int connections() {
        return server.connections();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }

    /// One connection.
    private static final class Talk {
        private final DataInputStream in;
        private final OutputStream out;
        private byte[] late = {};
        private String query = "";
        private int id;
        private boolean hasResponded;

        Talk(Socket socket) throws IOException {
            in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            out = socket.getOutputStream();
        }

        /// Until the connection ends.
        void run() throws IOException {
            while (true) {
                in.readUnsignedByte();
                int type = in.readUnsignedByte();
                int of = in.readUnsignedShort();
                byte[] content = new byte[in.readUnsignedShort()];
                int padding = in.readUnsignedByte();
                in.readUnsignedByte();
                in.readFully(content);
                in.skipNBytes(padding);
                take(type, of, content);
            }
        }

        private void take(int type, int of, byte[] content) throws IOException {
            switch (type) {
                case BEGIN_REQUEST -> {
                    id = of;
                    hasResponded = false;
                }
                case PARAMS -> {
                    String text = new String(content, StandardCharsets.ISO_8859_1);
                    int at = text.indexOf("QUERY_STRING");
                    if (at >= 0) {
                        int from = at + "QUERY_STRING".length();
                        query = text.substring(from, from + text.charAt(at - 1));
                    }
                    if (content.length == 0 && query.contains("-EARLY-")) {
                        respond();
                    }
                }
                case STDIN -> {
                    if (content.length == 0 && !hasResponded) {
                        respond();
                    }
                }
                default -> throw new IOException("a record of type " + type);
            }
        }

        private void respond() throws IOException {
            hasResponded = true;
            out.write(late);
            late = new byte[0];
            String[] parts = query.split("-");
            String token = parts[2];
            String head =
                    "Status: " + parts[0] + "\r\nContent-Type: text/plain\r\nX-Token: " + token;
            String planted =
                    "Status: 200\r\nContent-Type: text/plain\r\nX-Token: "
                            + token
                            + "\r\nSet-Cookie: secret="
                            + token
                            + "\r\n\r\nEVIL";
            byte[] ended = record(END_REQUEST, id, END, 0);
            byte[] more = join(record(STDOUT, id, planted, 3), ended);
            byte[] whole = join(record(STDOUT, id, head + "\r\n\r\ncontent of " + token, 0), ended);
            switch (Late.valueOf(parts[1])) {
                case NOTHING, EARLY -> {}
                case RESPONSE -> late = more;
                case OUTPUT -> late = record(STDOUT, id, planted, 0);
                case END -> late = ended;
                case AT_ONCE -> whole = join(whole, more);
            }
            out.write(whole);
        }
    }
}
