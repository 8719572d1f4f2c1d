package dev.tandem.engine.tls;

import dev.tandem.engine.MemoryBudget;
import dev.tandem.http.TlsSessionInfo;
import dev.tandem.net.Connection;
import dev.tandem.net.IoBuffer;
import dev.tandem.net.OpenFile;
import dev.tandem.net.PeerState;
import dev.tandem.net.Poller;
import dev.tandem.net.Socket;
import dev.tandem.tls.TlsAction;
import dev.tandem.tls.TlsSession;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// TLS around a socket: reads plaintext, writes plaintext, and is watched by the inner socket's
/// readiness.
///
/// **Reading.** A read takes no more from the kernel than fits the caller's buffer when it is
/// decrypted. So nothing decrypted is ever kept here, which no poller would report; what is kept is
/// the beginning of an incomplete record.
///
/// **Writing.** What is encrypted cannot be taken back, and the kernel may take only a part. The
/// rest is kept, and until it is sent the caller sees its last bytes as not taken: it retries with
/// them as with any socket, and they are then skipped. `owed` counts them.
///
/// Used by one thread at a time, as every [Socket].
public final class TlsSocket implements Socket {
    private static final byte[] NOTHING = {};
    private static final ByteBuffer EMPTY = ByteBuffer.wrap(NOTHING);

    /// How much is read at once before the handshake is done: a record.
    private static final int HANDSHAKE_INPUT = 16_384;

    /// A server's part of the handshake fits the buffer, even with a long chain; so a few times are
    /// enough.
    private static final int FLIGHTS_MAX = 8;

    /// 4 KiB: some 150 responses to updates of keys. They count in no budget while a client that
    /// sends a body does not read them.
    private static final int MADE_MAX = 4_096;

    private final Socket inner;
    private final TlsSession session;
    private final AtomicInteger open;
    private final MemoryBudget memory;

    /// What the session keeps of the input, as it counts in the budget.
    private int kept;

    /// Encrypted, and not yet taken by the kernel.
    private byte[] unsent = NOTHING;

    /// How much of it, at most, the session has made by itself.
    private int made;

    /// How many encrypted bytes the caller will retry with.
    private int owed;

    /// Whether a request may have come with the handshake's end.
    private boolean isRequestHeld;

    /// Whether input is only dropped, as it comes.
    private boolean isInputDropped;

    /// Whether the other side of the stream has ended. An idle client then gets no close_notify: it
    /// would respond with a reset. (nginx sends none to a client that has sent one.)
    private boolean hasPeerEnded;

    private boolean isClosed;

    /// @param open counts the open ones
    /// @param memory of input
    public TlsSocket(Socket inner, TlsSession session, AtomicInteger open, MemoryBudget memory) {
        this.inner = inner;
        this.session = session;
        this.open = open;
        this.memory = memory;
        open.incrementAndGet();
    }

    /// Whether a connection is over TLS.
    public static boolean isOf(Connection connection) {
        return connection.socket() instanceof TlsSocket;
    }

    /// Whether a connection resumed a TLS session: its client was served before.
    public static boolean isResumed(Connection connection) {
        return connection.socket() instanceof TlsSocket secured && secured.session.isResumed();
    }

    /// Returns the application protocol that was negotiated; empty if none was, or the connection
    /// is not over TLS.
    public static String applicationProtocol(Connection connection) {
        return connection.socket() instanceof TlsSocket secured
                ? secured.session.applicationProtocol()
                : "";
    }

    /// Returns how much output of a connection is encrypted and not yet taken by the kernel, in
    /// bytes; 0 without TLS.
    public static int unsentOf(Connection connection) {
        return connection.socket() instanceof TlsSocket secured ? secured.unsent.length : 0;
    }

    /// Returns what was agreed on for a connection over TLS; null for others, and for one that is
    /// closed: by its loop, perhaps, while a worker runs a request of one of its streams.
    public static @Nullable TlsSessionInfo security(Connection connection) {
        if (!(connection.socket() instanceof TlsSocket secured)) {
            return null;
        }
        try {
            return secured.info();
        } catch (IllegalStateException e) {
            if (connection.isClosed()) {
                return null;
            }
            throw e;
        }
    }

    private TlsSessionInfo info() {
        return new TlsSessionInfo(
                session.version(),
                session.cipher(),
                session.id(),
                session.isResumed(),
                session.serverName(),
                session.clientCertificates());
    }

    TlsSession session() {
        return session;
    }

    /// Whether a connection is over TLS and its client has sent a part of a record: until the rest
    /// has come, nothing of it can be read.
    public static boolean isRecordDue(Connection connection) {
        return connection.socket() instanceof TlsSocket secured && secured.kept > 0;
    }

    /// Counts what the session keeps of the input.
    private void count() {
        int now = isClosed ? 0 : session.inputMemory();
        if (now != kept) {
            memory.add(now - kept);
            kept = now;
        }
    }

    private boolean isKeepingTooMuch() {
        return !memory.mayKeep(kept);
    }

    // ---- The handshake.

    /// Reads what has come, before the handshake is done.
    ///
    /// @return `CLOSED` if the client has disconnected, too, or there is no memory for its messages
    TlsAction receive() throws IOException {
        IoBuffer input = TlsBuffers.here().input();
        input.bytes().clear().limit(HANDSHAKE_INPUT);
        int count = inner.read(input);
        if (count <= 0) {
            return count < 0 ? TlsAction.CLOSED : TlsAction.RECEIVE;
        }
        TlsAction next = session.receive(input.bytes().flip(), EMPTY);
        count();
        return isKeepingTooMuch() && next != TlsAction.FAILED ? TlsAction.CLOSED : next;
    }

    /// Does the next steps of the handshake, and sends their output.
    TlsAction continueHandshake() throws IOException {
        try {
            return advance();
        } finally {
            count();
        }
    }

    private TlsAction advance() throws IOException {
        TlsBuffers buffers = TlsBuffers.here();
        ByteBuffer out = buffers.output().bytes().clear();
        ByteBuffer scratch = buffers.input().bytes().clear();
        TlsAction next = session.handshake(scratch, out);
        for (int i = 0; i < FLIGHTS_MAX && next == TlsAction.BUFFER_FULL; i++) {
            push(buffers.output());
            next = session.handshake(scratch, out.clear());
        }
        if (next == TlsAction.OPEN && session.bufferedInputBytes() > 0) {
            // A request has come with the handshake's end: tickets go with its response, in one
            // call.
            keep(out.flip());
            isRequestHeld = true;
        } else {
            push(buffers.output());
        }
        return next;
    }

    /// Sends the rest of the handshake.
    ///
    /// @return whether all is sent
    boolean flush() throws IOException {
        return unsent.length == 0 || sendUnsent(TlsBuffers.here().output());
    }

    boolean hasUnsent() {
        return unsent.length > 0;
    }

    /// Sends bytes in clear, to a client that does not speak TLS.
    void sendPlain(byte[] bytes) throws IOException {
        IoBuffer output = TlsBuffers.here().output();
        output.bytes().clear().put(bytes).flip();
        inner.write(output);
    }

    /// Sends what the session has made by itself, behind what was encrypted before: the alert that
    /// says why it is over, or a response to an update of keys.
    ///
    /// @throws IOException also if the client leaves too much of it unread
    void sendAlert() throws IOException {
        IoBuffer output = TlsBuffers.here().output();
        session.flush(output.bytes().clear());
        if (unsent.length == 0) {
            push(output);
            made = unsent.length;
            requireReader();
            return;
        }
        ByteBuffer own = output.bytes().flip();
        int size = own.remaining();
        int before = unsent.length; // records that were encrypted before
        unsent = Arrays.copyOf(unsent, before + size);
        own.get(unsent, before, size);
        made = Math.min(made, before) + size;
        sendUnsent(output);
        requireReader();
    }

    private void requireReader() throws IOException {
        if (unsent.length > 0 && made > MADE_MAX) {
            throw new IOException("the client does not read what is sent");
        }
    }

    // ---- Data.

    @Override
    public int read(IoBuffer to) throws IOException {
        if (isInputDropped) {
            return inner.read(to);
        }
        if (isRequestHeld) {
            // First, and without a call to the kernel: a socket that blocks would wait for more.
            isRequestHeld = false;
            int before = to.bytes().position();
            session.receive(EMPTY, to.bytes());
            count();
            if (to.bytes().position() > before) {
                return to.bytes().position() - before;
            }
        }
        IoBuffer input = TlsBuffers.here().input();
        ByteBuffer network = input.bytes();
        int space = to.bytes().remaining() - session.bufferedInputBytes();
        network.clear().limit(Math.clamp(space, 0, network.capacity()));
        int count = inner.read(input);
        int before = to.bytes().position();
        TlsAction next = session.receive(network.flip(), to.bytes());
        count();
        if (session.hasOutput()) {
            sendAlert();
        }
        int made = to.bytes().position() - before;
        if (made > 0) {
            return made;
        }
        if (isKeepingTooMuch()) {
            throw new IOException("there is no memory for the rest of a record");
        }
        if (count < 0) {
            hasPeerEnded = true;
            session.inputEnded(); // counts truncated ones
            return -1;
        }
        return switch (next) {
            case RECEIVE, BUFFER_FULL -> 0;
            case CLOSED -> {
                network.clear();
                hasPeerEnded = inner.read(input) < 0;
                yield -1;
            }
            default -> throw new SSLException(session.failureMessage());
        };
    }

    @Override
    public boolean hasInput() {
        return !isInputDropped && !isClosed && session.isInputHeld();
    }

    @Override
    public int write(IoBuffer from) throws IOException {
        return encrypt(from.bytes(), null);
    }

    @Override
    public long write(IoBuffer first, ByteBuffer second) throws IOException {
        return encrypt(first.bytes(), second);
    }

    /// Copies, since the kernel does not encrypt.
    @Override
    public long send(OpenFile file, long offset, long count) throws IOException {
        if (!sendOwed()) {
            return takeOwed(count);
        }
        long passed = takeOwed(count);
        if (passed > 0) {
            return passed;
        }
        IoBuffer part = TlsBuffers.here().input();
        part.bytes().clear().limit((int) Math.min(part.bytes().capacity(), count));
        if (file.read(part, offset) < 0) {
            return -1;
        }
        part.bytes().flip();
        return encrypt(part.bytes(), null);
    }

    /// Writes what the kernel takes of both.
    private int encrypt(ByteBuffer first, @Nullable ByteBuffer second) throws IOException {
        boolean isSettled = sendOwed();
        int taken = pass(first) + (second == null ? 0 : pass(second));
        IoBuffer output = TlsBuffers.here().output();
        while (isSettled && (first.hasRemaining() || second != null && second.hasRemaining())) {
            ByteBuffer out = output.bytes().clear();
            out.put(unsent); // what is not owed: tickets
            unsent = NOTHING;
            int firstFrom = first.position();
            int secondFrom = second == null ? 0 : second.position();
            if (session.send(first, out) && second != null) {
                session.send(second, out);
            }
            int ofSecond = second == null ? 0 : second.position() - secondFrom;
            owed = first.position() - firstFrom + ofSecond;
            isSettled = push(output);
            if (second != null) {
                second.position(secondFrom);
            }
            first.position(firstFrom);
            taken += pass(first) + (second == null ? 0 : pass(second));
        }
        return taken;
    }

    /// Sends what was kept that the caller retries with.
    ///
    /// @return whether nothing is left of it
    private boolean sendOwed() throws IOException {
        return unsent.length == 0
                || owed == 0 && unsent.length < TlsSession.BUFFER_MIN
                || sendUnsent(TlsBuffers.here().output());
    }

    /// Skips bytes that are encrypted already.
    private int pass(ByteBuffer plain) {
        int count = (int) takeOwed(plain.remaining());
        plain.position(plain.position() + count);
        return count;
    }

    /// Returns how many of the next bytes the caller may see as taken: as long as some are unsent,
    /// it must retry with at least one, and so notices.
    private long takeOwed(long most) {
        int back = Math.min(owed, unsent.length);
        long count = Math.min(owed - back, most);
        owed -= (int) count;
        return count;
    }

    /// @return whether all is sent
    private boolean sendUnsent(IoBuffer output) throws IOException {
        int size = Math.min(unsent.length, output.bytes().capacity());
        output.bytes().clear().put(unsent, 0, size);
        byte[] rest = Arrays.copyOfRange(unsent, size, unsent.length);
        unsent = rest;
        boolean isAll = push(output);
        made = isAll ? 0 : made;
        return isAll;
    }

    /// Sends what is in the buffer before its position; what the kernel does not take is kept,
    /// before what was kept.
    ///
    /// @return whether nothing is unsent
    private boolean push(IoBuffer output) throws IOException {
        output.bytes().flip();
        if (output.bytes().hasRemaining()) {
            inner.write(output);
            keep(output.bytes());
        }
        return unsent.length == 0;
    }

    private void keep(ByteBuffer rest) {
        if (rest.hasRemaining()) {
            int size = rest.remaining();
            var all = new byte[size + unsent.length];
            rest.get(all, 0, size);
            System.arraycopy(unsent, 0, all, size, unsent.length);
            unsent = all;
        }
    }

    // ---- The end.

    /// Sends close_notify and ends this side; what still comes is dropped as it is.
    @Override
    public void shutdownOutput() throws IOException {
        sendCloseNotify();
        isInputDropped = true;
        inner.shutdownOutput();
    }

    private void sendCloseNotify() throws IOException {
        if (session.isOpen() && flush()) {
            IoBuffer output = TlsBuffers.here().output();
            session.closeNotify(output.bytes().clear());
            push(output);
        }
    }

    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        open.decrementAndGet();
        count();
        try {
            if (!session.isOpen()) {
                session.inputEnded(); // counts abandoned handshakes
            } else if (!isInputDropped && !hasPeerEnded) {
                sendCloseNotify();
            }
        } catch (IOException e) {
            // The client has disconnected, and needs no close_notify.
        } finally {
            inner.close();
            session.close();
        }
    }

    @Override
    public void abort() {
        isInputDropped = true;
        inner.abort();
        close();
    }

    // ---- The inner socket's.

    @Override
    public PeerState peerState() throws IOException {
        return inner.peerState();
    }

    @Override
    public void limitUnsent(int bytes) {
        inner.limitUnsent(bytes);
    }

    @Override
    public Poller.Pollable pollable() {
        return inner.pollable();
    }

    @Override
    public SocketAddress remoteAddress() {
        return inner.remoteAddress();
    }

    @Override
    public SocketAddress localAddress() {
        return inner.localAddress();
    }
}
