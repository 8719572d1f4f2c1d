package dev.tandem.lab;

import dev.tandem.http.h2.ErrorCode;
import dev.tandem.http.h2.FrameDecoder;
import dev.tandem.http.h2.FrameListener;
import dev.tandem.http.h2.FrameWriter;
import dev.tandem.http.h2.HeadWriter;
import dev.tandem.http.h2.HeaderList;
import dev.tandem.http.h2.HpackEncoder;
import dev.tandem.http.h2.Http2Limits;
import dev.tandem.http.h2.Preface;
import dev.tandem.http.h2.Priority;
import dev.tandem.http.h2.Role;
import dev.tandem.http.h2.SettingsChange;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/// One connection of a [PeerBehaviour]: one thread writes, another one reads all that comes.
final class PeerConnection implements FrameListener, AutoCloseable {
    static final String FILE = "/static/100k.bin";

    /// The usual maximum of a server.
    static final int STREAMS = 100;

    private static final int BATCH = 50;
    private static final int ROOM = 1 << 20;
    private static final int READ = 65_536;

    /// Content after which an honest peer opens the connection's window again, in bytes.
    private static final int WINDOW_STEP = 32_768;

    private static final int FRAME_MAX = 16_384;

    private final PeerBehaviour behaviour;
    private final Socket socket;
    private final String authority;
    private final Semaphore free = new Semaphore(STREAMS);

    // Of the writing thread.
    private final HpackEncoder encoder = new HpackEncoder(4_096);
    private final HeadWriter head = new HeadWriter();
    private final ByteBuffer out = ByteBuffer.allocate(ROOM);
    private int nextId = 1;

    // Of the reading thread.
    private final FrameDecoder decoder;
    private final HeaderList headers = new HeaderList();
    private final ByteBuffer control = ByteBuffer.allocate(READ);
    private int received;

    private volatile @Nullable ErrorCode goAway;
    private volatile boolean isEnded;
    private volatile boolean isReset;

    PeerConnection(PeerBehaviour behaviour, InetSocketAddress server) throws IOException {
        this.behaviour = behaviour;
        this.socket = new Socket(server.getAddress(), server.getPort());
        this.authority = server.getHostString() + ":" + server.getPort();
        this.decoder = new FrameDecoder(Role.CLIENT, behaviour.settings(), Http2Limits.DEFAULT);
        socket.setTcpNoDelay(true);
    }

    /// Behaves until the server closes the connection, or [#close]. Returns the error that the
    /// server gave; null if it closed without one, or the connection was closed here.
    @Nullable ErrorCode run() throws InterruptedException {
        Thread reader = Thread.ofPlatform().daemon().start(this::readAll);
        try {
            Preface.write(out);
            FrameWriter.settings(out, behaviour.settings());
            if (behaviour.isHonest()) {
                FrameWriter.windowUpdate(out, 0, 1 << 24);
            }
            flush();
            for (int i = 0; i < behaviour.frames() && !isEnded; i += BATCH) {
                writeBatch(i);
                flush();
            }
        } catch (IOException e) {
            // Closed by the server, which the reader finds out, too.
        }
        reader.join();
        return goAway;
    }

    private void writeBatch(int from) throws InterruptedException {
        for (int j = from; j < from + BATCH; j++) {
            if (behaviour.isHonest() && !free.tryAcquire()) {
                if (out.position() > 0) {
                    return;
                }
                free.acquire();
            }
            behaviour.write(this, j);
        }
    }

    private void flush() throws IOException {
        send(out);
    }

    private synchronized void send(ByteBuffer bytes) throws IOException {
        socket.getOutputStream().write(bytes.array(), 0, bytes.position());
        bytes.clear();
    }

    /// Whether the server has closed the connection without having received all that was sent: then
    /// an error that it gave may be lost.
    boolean isReset() {
        return isReset;
    }

    // ---- Of the writing thread.

    ByteBuffer out() {
        return out;
    }

    /// Writes a request, and returns its stream.
    int request(String method, String path, boolean isEnd, String... fields) {
        int id = nextId;
        nextId += 2;
        head.start(encoder).request(method, "http", authority, path);
        for (int i = 0; i < fields.length; i += 2) {
            head.header(fields[i], fields[i + 1]);
        }
        FrameWriter.headers(out, id, head, FRAME_MAX, isEnd);
        return id;
    }

    /// Writes a frame's head, and returns where its content goes.
    ByteBuffer frame(int length, int type, int streamId) {
        return out.putInt(length << 8 | type).put((byte) 0).putInt(streamId);
    }

    // ---- Of the reading thread.

    private void readAll() {
        var bytes = new byte[READ];
        try {
            int count = socket.getInputStream().read(bytes);
            while (count >= 0) {
                ByteBuffer in = ByteBuffer.wrap(bytes, 0, count);
                boolean isMore = true;
                while (isMore) {
                    isMore = decoder.decode(in, headers, this);
                }
                if (control.position() > 0) {
                    send(control);
                }
                count = socket.getInputStream().read(bytes);
            }
        } catch (IOException e) {
            isReset = true;
        }
        isEnded = true;
        close();
        free.release(BATCH); // the writer finds the end
    }

    private void ended(boolean isEndStream) {
        if (isEndStream) {
            free.release();
        }
    }

    @Override
    public void headers(int streamId, HeaderList list, boolean isEndStream) {
        ended(isEndStream);
    }

    @Override
    public void data(int streamId, ByteBuffer piece, int flowControlled, boolean isEndStream) {
        piece.position(piece.limit());
        received += flowControlled;
        if (behaviour.isHonest() && received > WINDOW_STEP) {
            FrameWriter.windowUpdate(control, 0, received);
            received = 0;
        }
        ended(isEndStream);
    }

    @Override
    public void resetStream(int streamId, int errorCode) {
        ended(true);
    }

    @Override
    public void settings(SettingsChange change) {
        FrameWriter.settingsAck(control);
    }

    @Override
    public void settingsAcknowledged() {
        // Nothing depends on it.
    }

    @Override
    public void ping(long opaqueData, boolean isAck) {
        if (!isAck) {
            FrameWriter.ping(control, opaqueData, true);
        }
    }

    @Override
    public void goAway(int lastStreamId, int errorCode) {
        goAway = ErrorCode.of(errorCode);
    }

    @Override
    public void windowUpdate(int streamId, int increment) {
        // Bodies of these peers have no content.
    }

    @Override
    public void priority(int streamId) {
        // Servers send none.
    }

    @Override
    public void priorityUpdate(int streamId, Priority priority) {
        // Servers send none.
    }

    @Override
    public void continuation(int streamId, int length) {
        // Its content is in the header list.
    }

    @Override
    public void unknownFrame(int type, int length) {
        // To be ignored.
    }

    @Override
    public void streamError(int streamId, ErrorCode code, String reason) {
        ended(true);
    }

    @Override
    public void connectionError(ErrorCode code, String reason) {
        close();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // It is gone either way.
        }
    }
}
