package dev.tandem.load;

import dev.tandem.http.h2.ErrorCode;
import dev.tandem.http.h2.FrameWriter;
import dev.tandem.http.h2.HeadWriter;
import dev.tandem.http.h2.HpackEncoder;
import dev.tandem.http.h2.Preface;
import dev.tandem.http.h2.Settings;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;

/// A server's side of one HTTP/2 connection, frame by frame, as a test's script has it.
final class Http2Peer {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int PING = 6;

    private static final int END_STREAM = 1;

    private final ScriptedServer.Connection connection;
    private final DataInputStream in;
    private final ByteBuffer out = ByteBuffer.allocate(100_000);
    private final HeadWriter heads = new HeadWriter();
    private final HpackEncoder encoder = new HpackEncoder(0);

    record Frame(int type, int flags, int stream, byte[] payload) {
        boolean isEnd() {
            return (flags & END_STREAM) != 0;
        }

        int code() {
            return ByteBuffer.wrap(payload).getInt();
        }
    }

    /// Reads the preface and sends SETTINGS.
    Http2Peer(ScriptedServer.Connection connection, Settings settings) throws IOException {
        this.connection = connection;
        this.in = new DataInputStream(connection.in());
        byte[] preface = in.readNBytes(Preface.LENGTH);
        if (Preface.match(preface, 0, preface.length) != Preface.Match.FULL) {
            throw new IOException("no preface");
        }
        FrameWriter.settings(out, settings);
        send();
    }

    static ScriptedServer.Script script(Script script) {
        return connection -> {
            try {
                script.play(new Http2Peer(connection, Settings.SERVER), connection.number());
            } catch (EOFException _) {
                // The client has disconnected.
            }
        };
    }

    @FunctionalInterface
    interface Script {
        void play(Http2Peer peer, int number) throws IOException, InterruptedException;
    }

    /// Responds to every request with `ok`.
    static ScriptedServer.Script responding() {
        return script(
                (peer, _) -> {
                    while (true) {
                        peer.respond(peer.request());
                    }
                });
    }

    Frame next() throws IOException {
        int lengthAndType = in.readInt();
        int flags = in.readUnsignedByte();
        int stream = in.readInt();
        byte[] payload = in.readNBytes(lengthAndType >>> 8);
        return new Frame(lengthAndType & 0xFF, flags, stream, payload);
    }

    /// Reads up to the next frame of a type.
    Frame next(int type) throws IOException {
        Frame frame = next();
        while (frame.type != type) {
            frame = next();
        }
        return frame;
    }

    /// Returns the stream of the next request.
    int request() throws IOException {
        return next(HEADERS).stream;
    }

    void respond(int stream) throws IOException {
        heads.start(encoder).status(200).contentLength(2);
        FrameWriter.headers(out, stream, heads, 16_384, false);
        FrameWriter.data(out, stream, 2, true);
        out.put((byte) 'o').put((byte) 'k');
        send();
    }

    /// Responds with so many bytes, at most 64 KiB less one.
    void respond(int stream, int length) throws IOException {
        heads.start(encoder).status(200).contentLength(length);
        FrameWriter.headers(out, stream, heads, 16_384, false);
        for (int left = length; left > 0; ) {
            int count = Math.min(left, 16_384);
            left -= count;
            FrameWriter.data(out, stream, count, left == 0);
            out.put(new byte[count]);
        }
        send();
    }

    void reset(int stream, ErrorCode code) throws IOException {
        FrameWriter.resetStream(out, stream, code);
        send();
    }

    void goAway(int last, ErrorCode code) throws IOException {
        FrameWriter.goAway(out, last, code);
        send();
    }

    void ping(long data) throws IOException {
        FrameWriter.ping(out, data, false);
        send();
    }

    void windowUpdate(int stream, int increment) throws IOException {
        FrameWriter.windowUpdate(out, stream, increment);
        send();
    }

    /// Waits until the client closes: a close with unread input would reset the connection, and the
    /// client could lose what was sent.
    void outlast() throws IOException {
        connection.outlast();
    }

    private void send() throws IOException {
        connection.socket().getOutputStream().write(out.array(), 0, out.position());
        out.clear();
    }
}
