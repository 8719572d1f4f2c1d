package dev.tandem.tomcat;

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

/// A client of HTTP/2 by prior knowledge over a socket, which sends frames one by one.
final class StreamClient implements FrameListener, AutoCloseable {
    private static final long PATIENCE_NANOS = 20_000_000_000L;
    private static final int POLL_MILLIS = 20;

    private final Socket socket;
    private final FrameDecoder decoder =
            new FrameDecoder(Role.CLIENT, Settings.CLIENT, Http2Limits.DEFAULT);
    private final HeaderList list = new HeaderList();
    private final HpackEncoder encoder = new HpackEncoder(4096);
    private final HeadWriter writer = new HeadWriter();
    private final ByteBuffer out = ByteBuffer.allocate(1 << 20);
    private final byte[] in = new byte[65_536];
    private final Map<Integer, Response> responses = new TreeMap<>();
    private int nextId = 1;
    private boolean isWindowKept = true;
    private boolean isEnded;
    private @Nullable ErrorCode goAway;

    /// What has come of a response.
    static final class Response {
        final List<Integer> interim = new ArrayList<>();
        final ByteArrayOutputStream content = new ByteArrayOutputStream();
        int status;
        Headers headers = Headers.EMPTY;
        Headers trailers = Headers.EMPTY;
        boolean isEnded;
        int dataFrames;
        @Nullable ErrorCode reset;

        String text() {
            return content.toString(StandardCharsets.UTF_8);
        }

        @Override
        public String toString() {
            return status + " " + content.size() + " bytes " + isEnded + " " + reset;
        }
    }

    StreamClient(int port) throws IOException {
        socket = new Socket("127.0.0.1", port);
        socket.setSoTimeout(POLL_MILLIS);
        Preface.write(out);
        FrameWriter.settings(out, Settings.CLIENT);
        flush();
    }

    private void flush() throws IOException {
        socket.getOutputStream().write(out.array(), 0, out.position());
        out.clear();
    }

    /// Does not open windows from now on.
    void keepWindows() {
        isWindowKept = false;
    }

    int request(String method, String path, boolean isEnd, String... fields) throws IOException {
        int id = nextId;
        nextId += 2;
        writer.start(encoder).request(method, "http", "localhost", path);
        for (int i = 0; i < fields.length; i += 2) {
            writer.header(fields[i], fields[i + 1]);
        }
        FrameWriter.headers(out, id, writer, 16_384, isEnd);
        responses.put(id, new Response());
        flush();
        return id;
    }

    int get(String path, String... fields) throws IOException {
        return request("GET", path, true, fields);
    }

    void data(int id, String text, boolean isEnd) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        FrameWriter.data(out, id, bytes.length, isEnd);
        out.put(bytes);
        flush();
    }

    void trailers(int id, String name, String value) throws IOException {
        FrameWriter.headers(out, id, writer.start(encoder).header(name, value), 16_384, true);
        flush();
    }

    void reset(int id) throws IOException {
        FrameWriter.resetStream(out, id, ErrorCode.CANCEL);
        flush();
    }

    void openWindow(int id, int increment) throws IOException {
        FrameWriter.windowUpdate(out, id, increment);
        flush();
    }

    Response expect(int id) {
        return responses.computeIfAbsent(id, _ -> new Response());
    }

    @Nullable ErrorCode goAway() {
        return goAway;
    }

    boolean isEnded() {
        return isEnded;
    }

    /// Receives until something holds.
    void until(String what, BooleanSupplier holds) throws IOException {
        long begin = System.nanoTime();
        while (!holds.getAsBoolean()) {
            if (System.nanoTime() - begin > PATIENCE_NANOS) {
                throw new AssertionError(what + " not within 20 s: " + responses);
            }
            if (isEnded) {
                throw new EOFException(what + ": the connection ended: " + responses);
            }
            receive();
        }
    }

    private void receive() throws IOException {
        int count;
        try {
            count = socket.getInputStream().read(in);
        } catch (SocketTimeoutException e) {
            return;
        }
        if (count < 0) {
            isEnded = true;
            return;
        }
        ByteBuffer bytes = ByteBuffer.wrap(in, 0, count);
        boolean isMore = true;
        while (isMore) {
            isMore = decoder.decode(bytes, list, this);
        }
        flush();
    }

    /// Returns the response when it is complete, or its stream reset.
    Response response(int id) throws IOException {
        Response response = expect(id);
        until("response " + id, () -> response.isEnded || response.reset != null);
        return response;
    }

    Response fetch(String path, String... fields) throws IOException {
        return response(get(path, fields));
    }

    // ---- Frames.

    @Override
    public void headers(int streamId, HeaderList fields, boolean isEndStream) {
        Response response = expect(streamId);
        if (response.status >= 200) {
            response.trailers = Http2Trailers.of(fields);
        } else {
            Http2ResponseHead head = Http2ResponseHead.of(fields);
            response.headers = head.headers();
            if (head.status() < 200) {
                response.interim.add(head.status());
            } else {
                response.status = head.status();
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
        response.dataFrames++;
        response.isEnded |= isEndStream;
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
        FrameWriter.settingsAck(out);
    }

    @Override
    public void settingsAcknowledged() {}

    @Override
    public void ping(long opaqueData, boolean isAck) {
        if (!isAck) {
            FrameWriter.ping(out, opaqueData, true);
        }
    }

    @Override
    public void goAway(int lastStreamId, int errorCode) {
        goAway = ErrorCode.of(errorCode);
    }

    @Override
    public void windowUpdate(int streamId, int increment) {}

    @Override
    public void priority(int streamId) {}

    @Override
    public void priorityUpdate(int streamId, Priority priority) {}

    @Override
    public void continuation(int streamId, int length) {}

    @Override
    public void unknownFrame(int type, int length) {}

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
        socket.close();
    }
}
