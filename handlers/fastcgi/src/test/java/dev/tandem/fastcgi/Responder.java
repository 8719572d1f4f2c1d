package dev.tandem.fastcgi;

import dev.tandem.testkit.TestServer;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;

/// A scripted application, over real sockets.
final class Responder implements AutoCloseable {
    private final TestServer server;
    private final Play play;
    private final List<Map<String, String>> requests = new CopyOnWriteArrayList<>();

    /// Handles one request, whose variables and content were read; the connection is closed at the
    /// end.
    @FunctionalInterface
    interface Play {
        void with(Talk talk) throws IOException;
    }

    record Talk(Map<String, String> variables, String body, DataInputStream in, OutputStream out) {

        void say(byte[] bytes) throws IOException {
            out.write(bytes);
            out.flush();
        }

        void respond(String output) throws IOException {
            say(
                    RecordReaderTest.join(
                            RecordReaderTest.record(6, 1, output, 0),
                            RecordReaderTest.record(3, 1, "\0\0\0\0\0\0\0\0", 0)));
        }

        void awaitEnd() throws IOException {
            while (in.read() >= 0) {
                // Until the peer closes the connection.
            }
        }
    }

    Responder(Play play) throws IOException {
        this.play = play;
        this.server = new TestServer((socket, _) -> serve(socket));
    }

    private void serve(Socket socket) throws IOException {
        var in = new DataInputStream(socket.getInputStream());
        var variables = new TreeMap<String, String>();
        var body = new StringBuilder();
        boolean isOver = false;
        while (!isOver) {
            in.readUnsignedByte();
            int type = in.readUnsignedByte();
            in.readUnsignedShort();
            byte[] content = new byte[in.readUnsignedShort()];
            int padding = in.readUnsignedByte();
            in.readUnsignedByte();
            in.readFully(content);
            in.skipBytes(padding);
            if (type == 4) {
                take(content, variables);
            } else if (type == 5) {
                body.append(new String(content, StandardCharsets.ISO_8859_1));
                isOver = content.length == 0;
            }
        }
        requests.add(variables);
        play.with(new Talk(variables, body.toString(), in, socket.getOutputStream()));
    }

    private static void take(byte[] pairs, Map<String, String> to) {
        int at = 0;
        while (at < pairs.length) {
            int[] lengths = new int[2];
            for (int i = 0; i < 2; i++) {
                int first = pairs[at] & 0xff;
                if (first < 128) {
                    lengths[i] = first;
                    at++;
                } else {
                    lengths[i] =
                            (first & 0x7f) << 24
                                    | (pairs[at + 1] & 0xff) << 16
                                    | (pairs[at + 2] & 0xff) << 8
                                    | pairs[at + 3] & 0xff;
                    at += 4;
                }
            }
            String name = new String(pairs, at, lengths[0], StandardCharsets.UTF_8);
            to.put(name, new String(pairs, at + lengths[0], lengths[1], StandardCharsets.UTF_8));
            at += lengths[0] + lengths[1];
        }
    }

    String address() {
        return server.address();
    }

    /// Returns the variables of each complete request.
    List<Map<String, String>> requests() {
        return requests;
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
