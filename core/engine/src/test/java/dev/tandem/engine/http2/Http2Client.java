package dev.tandem.engine.http2;

import dev.tandem.engine.MemoryServer;
import dev.tandem.http.Headers;
import dev.tandem.http.h2.ErrorCode;
import dev.tandem.http.h2.FrameDecoder;
import dev.tandem.http.h2.FrameListener;
import dev.tandem.http.h2.FrameWriter;
import dev.tandem.http.h2.HeadWriter;
import dev.tandem.http.h2.HeaderList;
import dev.tandem.http.h2.HpackEncoder;
import dev.tandem.http.h2.Http2Limits;
import dev.tandem.http.h2.Http2ResponseHead;
import dev.tandem.http.h2.Http2Trailers;
import dev.tandem.http.h2.Preface;
import dev.tandem.http.h2.Priority;
import dev.tandem.http.h2.Role;
import dev.tandem.http.h2.Settings;
import dev.tandem.http.h2.SettingsChange;
import dev.tandem.testkit.MemoryPipe;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/// A client of HTTP/2 made of the codec, for tests: sends any frames, valid or not, and
/// keeps what comes back.
final class Http2Client implements FrameListener, AutoCloseable {
    private static final long PATIENCE_NANOS = 20_000_000_000L;
    private static final int ROOM = 1 << 20;

    private final Wire wire;
    private final Settings settings;
    private final FrameDecoder decoder;
    private final HeaderList headers = new HeaderList();
    private final HpackEncoder encoder = new HpackEncoder(4096);
    private final HeadWriter writer = new HeadWriter();
    private final ByteBuffer out = ByteBuffer.allocate(ROOM);
    private final byte[] in = new byte[65_536];
    private final Map<Integer, Response> responses = new TreeMap<>();
    private final List<String> events = new ArrayList<>();
    private int nextId = 1;
    private boolean isWindowKept = true;
    private boolean isAcknowledging = true;
    private boolean isEnded;
    private long connectionWindow;
    private @Nullable ErrorCode goAway;
    private int lastStream = -1;
    private int goAways;

    /// What has come of a response.
    static final class Response {
        final List<Integer> interim = new ArrayList<>();
        final ByteArrayOutputStream content = new ByteArrayOutputStream();
        int status;
        Headers headers = Headers.EMPTY;
        Headers trailers = Headers.EMPTY;
        boolean isEnded;
        long window;
        @Nullable ErrorCode reset;

        String text() {
            return content.toString(StandardCharsets.UTF_8);
        }

        boolean isOver() {
            return isEnded || reset != null;
        }

        @Override
        public String toString() {
            return status + " " + content.size() + " bytes " + isEnded + " " + reset;
        }
    }

    /// Where bytes go and come from.
    interface Wire extends AutoCloseable {
        void send(byte[] bytes) throws IOException;

        /// @return 0 if nothing has come for a moment, -1 at the end
        int receive(byte[] to) throws IOException;

        @Override
        void close() throws IOException;
    }

    Http2Client(Wire wire, Settings settings) {
        this.wire = wire;
        this.settings = settings;
        this.decoder = new FrameDecoder(Role.CLIENT, settings, Http2Limits.DEFAULT);
    }

    static Http2Client to(MemoryServer server) throws IOException {
        return to(server, Settings.CLIENT).hello();
    }

    /// A client that has sent nothing.
    static Http2Client to(MemoryServer server, Settings settings) {
        return new Http2Client(new MemoryWire(server, server.connect()), settings);
    }

    static Http2Client to(MemoryServer server, MemoryPipe pipe) throws IOException {
        return new Http2Client(new MemoryWire(server, pipe), Settings.CLIENT).hello();
    }

    static Http2Client to(Socket socket, Settings settings) throws IOException {
        socket.setSoTimeout(20);
        socket.setTcpNoDelay(true);
        return new Http2Client(new SocketWire(socket), settings);
    }

    private record MemoryWire(MemoryServer server, MemoryPipe pipe) implements Wire {
        @Override
        public void send(byte[] bytes) throws IOException {
            int at = 0;
            long begin = System.nanoTime();
            while (at < bytes.length) {
                int count = pipe.toServer().offer(bytes, at, bytes.length);
                at += count;
                if (count == 0) {
                    server.iterate();
                }
                if (System.nanoTime() - begin > PATIENCE_NANOS) {
                    throw new AssertionError("the server reads nothing");
                }
            }
        }

        @Override
        public int receive(byte[] to) throws IOException {
            int count = pipe.toClient().take(to, 0, to.length);
            if (count == 0) {
                server.loop().runOnce(1_000_000);
                count = pipe.toClient().take(to, 0, to.length);
            }
            return count;
        }

        @Override
        public void close() {
            pipe.toServer().end();
        }
    }

    private record SocketWire(Socket socket) implements Wire {
        @Override
        public void send(byte[] bytes) throws IOException {
            socket.getOutputStream().write(bytes);
        }

        @Override
        public int receive(byte[] to) throws IOException {
            try {
                return socket.getInputStream().read(to);
            } catch (SocketTimeoutException e) {
                return 0;
            }
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    // ---- Sending.

    /// Writes the preface and the settings.
    Http2Client hello() throws IOException {
        Preface.write(out);
        FrameWriter.settings(out, settings);
        flush();
        return this;
    }

    /// What is written here is sent by the next [#flush].
    ByteBuffer out() {
        return out;
    }

    Http2Client flush() throws IOException {
        var bytes = new byte[out.flip().remaining()];
        out.get(bytes);
        out.clear();
        wire.send(bytes);
        return this;
    }

    /// Does not open windows from now on.
    Http2Client keepWindows() {
        isWindowKept = false;
        return this;
    }

    /// Does not acknowledge settings.
    Http2Client acknowledgeNothing() {
        isAcknowledging = false;
        return this;
    }

    /// Writes a request without sending it.
    int write(String method, String path, boolean isEnd, String... fields) {
        int id = nextId;
        nextId += 2;
        writer.start(encoder).request(method, "http", "localhost", path);
        for (int i = 0; i < fields.length; i += 2) {
            writer.header(fields[i], fields[i + 1]);
        }
        FrameWriter.headers(out, id, writer, 16_384, isEnd);
        responses.put(id, new Response());
        return id;
    }

    /// Writes the header block written last on a new stream, without encoding it: for blocks that
    /// add nothing to the table.
    void writeAgain() {
        int id = nextId;
        nextId += 2;
        FrameWriter.headers(out, id, writer, 16_384, true);
        responses.put(id, new Response());
    }

    int get(String path, String... fields) throws IOException {
        int id = write("GET", path, true, fields);
        flush();
        return id;
    }

    int post(String path, String... fields) throws IOException {
        int id = write("POST", path, false, fields);
        flush();
        return id;
    }

    Http2Client data(int id, byte[] bytes, boolean isEnd) throws IOException {
        int at = 0;
        do {
            int size = Math.min(16_384, bytes.length - at);
            FrameWriter.data(out, id, size, isEnd && at + size == bytes.length);
            out.put(bytes, at, size);
            at += size;
            flush();
        } while (at < bytes.length);
        return this;
    }

    Http2Client data(int id, String text, boolean isEnd) throws IOException {
        return data(id, text.getBytes(StandardCharsets.UTF_8), isEnd);
    }

    Http2Client trailers(int id, String name, String value) throws IOException {
        writer.start(encoder).header(name, value);
        FrameWriter.headers(out, id, writer, 16_384, true);
        return flush();
    }

    Http2Client reset(int id, ErrorCode code) throws IOException {
        FrameWriter.resetStream(out, id, code);
        return flush();
    }

    /// Returns the next stream's identifier without using it.
    int nextId() {
        return nextId;
    }

    HeadWriter writer() {
        return writer.start(encoder);
    }

    Response expect(int id) {
        return responses.computeIfAbsent(id, _ -> new Response());
    }

    // ---- Receiving.

    /// Receives until something holds.
    void until(String what, BooleanSupplier holds) throws IOException {
        long begin = System.nanoTime();
        while (!holds.getAsBoolean()) {
            if (isEnded) {
                throw new EOFException(what + ": the connection ended after " + this);
            }
            if (System.nanoTime() - begin > PATIENCE_NANOS) {
                throw new AssertionError(what + " not within 20 s: " + this);
            }
            receive();
        }
    }

    /// Receives what has come.
    void pump() throws IOException {
        if (wire instanceof SocketWire(Socket socket) && socket.getInputStream().available() == 0) {
            return;
        }
        receive();
    }

    private void receive() throws IOException {
        int count = wire.receive(in);
        if (count < 0) {
            isEnded = true;
            return;
        }
        ByteBuffer bytes = ByteBuffer.wrap(in, 0, count);
        boolean isMore = true;
        while (isMore) {
            isMore = decoder.decode(bytes, headers, this);
        }
        if (out.position() > 0) {
            flush();
        }
    }

    /// Returns the response when it is complete, or its stream reset.
    Response response(int id) throws IOException {
        Response response = expect(id);
        until("response " + id, response::isOver);
        return response;
    }

    Response fetch(String path, String... fields) throws IOException {
        return response(get(path, fields));
    }

    /// Receives until the server has closed the connection.
    void untilEnd() throws IOException {
        long begin = System.nanoTime();
        while (!isEnded) {
            if (System.nanoTime() - begin > PATIENCE_NANOS) {
                throw new AssertionError("no end within 20 s: " + this);
            }
            receive();
        }
    }

    /// Sends PING and receives until it is acknowledged: the server has then processed what was
    /// sent before.
    Http2Client roundTrip() throws IOException {
        long data = System.nanoTime();
        FrameWriter.ping(out, data, false);
        flush();
        until("PING", () -> events.remove("pong " + data));
        return this;
    }

    @Nullable ErrorCode goAway() {
        return goAway;
    }

    /// Returns the last stream identifier of the last GOAWAY.
    int lastStream() {
        return lastStream;
    }

    int goAways() {
        return goAways;
    }

    boolean isEnded() {
        return isEnded;
    }

    List<String> events() {
        return events;
    }

    Settings peer() {
        return decoder.peerSettings();
    }

    long connectionWindow() {
        return connectionWindow;
    }

    // ---- Frames.

    @Override
    public void headers(int streamId, HeaderList list, boolean isEndStream) {
        Response response = expect(streamId);
        if (response.status >= 200) {
            response.trailers = Http2Trailers.of(list);
        } else {
            String error = Http2ResponseHead.error(list);
            if (error != null) {
                throw new AssertionError("malformed response: " + error);
            }
            Http2ResponseHead head = Http2ResponseHead.of(list);
            if (head.status() < 200) {
                response.interim.add(head.status());
                response.headers = head.headers();
            } else {
                response.status = head.status();
                response.headers = head.headers();
            }
        }
        response.isEnded |= isEndStream;
    }

    @Override
    public void data(int streamId, ByteBuffer piece, int flowControlled, boolean isEndStream) {
        Response response = expect(streamId);
        var bytes = new byte[piece.remaining()];
        piece.get(bytes);
        response.content.writeBytes(bytes);
        response.isEnded |= isEndStream;
        events.add(streamId + ":" + bytes.length);
        if (isWindowKept && flowControlled > 0) {
            FrameWriter.windowUpdate(out, 0, flowControlled);
            if (!isEndStream) {
                FrameWriter.windowUpdate(out, streamId, flowControlled);
            }
        }
    }

    @Override
    public void resetStream(int streamId, int errorCode) {
        expect(streamId).reset = ErrorCode.of(errorCode);
    }

    @Override
    public void settings(SettingsChange change) {
        if (isAcknowledging) {
            FrameWriter.settingsAck(out);
        }
    }

    @Override
    public void settingsAcknowledged() {
        events.add("settings acknowledged");
    }

    @Override
    public void ping(long opaqueData, boolean isAck) {
        if (isAck) {
            events.add("pong " + opaqueData);
        } else {
            events.add("ping");
            FrameWriter.ping(out, opaqueData, true);
        }
    }

    @Override
    public void goAway(int lastStreamId, int errorCode) {
        goAways++;
        lastStream = lastStreamId;
        goAway = ErrorCode.of(errorCode);
    }

    @Override
    public void windowUpdate(int streamId, int increment) {
        if (streamId == 0) {
            connectionWindow += increment;
        } else {
            expect(streamId).window += increment;
        }
    }

    @Override
    public void priority(int streamId) {
        throw new AssertionError("PRIORITY of a server");
    }

    @Override
    public void priorityUpdate(int streamId, Priority priority) {
        throw new AssertionError("PRIORITY_UPDATE of a server");
    }

    @Override
    public void continuation(int streamId, int length) {
        events.add("continuation");
    }

    @Override
    public void unknownFrame(int type, int length) {
        throw new AssertionError("frame of type " + type);
    }

    @Override
    public void streamError(int streamId, ErrorCode code, String reason) {
        throw new AssertionError("stream error: " + reason);
    }

    @Override
    public void connectionError(ErrorCode code, String reason) {
        throw new AssertionError("connection error: " + reason);
    }

    @Override
    public void close() throws IOException {
        wire.close();
    }

    @Override
    public String toString() {
        return responses + " " + events + " GOAWAY " + goAway;
    }
}
