package dev.tandem.engine;

import dev.tandem.http.Body;
import dev.tandem.net.IoBuffer;
import dev.tandem.net.Socket;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// Segments of content that another object holds. Each is fetched again when the peer reads more,
/// so that none is kept for a slow one.
public final class PiecesTail implements ResponseTail {
    private final Body.Segments pieces;
    private long offset;
    private long left;
    private boolean isPeerGone;
    private boolean isHeldUp;
    private long writeNanos;

    /// Set once the content at the offset is being fetched; complete when that is over.
    private @Nullable CompletableFuture<Void> fetched;

    /// @param body closed together with it
    public PiecesTail(Body.Segmented body) {
        this.pieces = body.segments();
        this.left = body.length();
    }

    @Override
    public long left() {
        return left;
    }

    @Override
    public boolean mustAwait() {
        if (fetched == null) {
            var next = new CompletableFuture<Void>();
            if (!pieces.fetch(offset, () -> next.complete(null))) {
                return false;
            }
            fetched = next;
        }
        return isAwaited();
    }

    @Override
    public boolean isAwaited() {
        CompletableFuture<Void> awaited = fetched;
        return awaited != null && !awaited.isDone();
    }

    @Override
    public void whenThere(Runnable action) {
        CompletableFuture<Void> awaited = fetched;
        if (awaited == null) {
            action.run();
        } else {
            CompletableFuture<Void> _ = awaited.thenRun(action);
        }
    }

    @Override
    public long send(Socket socket, IoBuffer output, long most) throws IOException {
        output.bytes().clear().limit(0);
        try {
            return sendBehind(socket, output, most);
        } finally {
            output.bytes().clear();
        }
    }

    @Override
    public boolean canFollow() {
        return true;
    }

    @Override
    public long sendBehind(Socket socket, IoBuffer head, long most) throws IOException {
        try {
            long space = Math.min(left, most);
            int sent = pieces.transferTo(offset, piece -> write(piece, socket, head, space));
            advance(sent);
            return sent;
        } catch (IOException e) {
            if (!isPeerGone) {
                Log.LOG.log(Level.WARNING, "a response is truncated: " + e);
            }
            throw e;
        }
    }

    @Override
    public int read(IoBuffer to) throws IOException {
        int count = pieces.transferTo(offset, piece -> copy(piece, to.bytes()));
        advance(count);
        return count;
    }

    /// What was fetched is used up, also by a client that took nothing of it.
    private void advance(int count) {
        fetched = null;
        offset += count;
        left -= count;
    }

    private void copy(ByteBuffer piece, ByteBuffer to) {
        int size = (int) Math.min(Math.min(piece.remaining(), to.remaining()), left);
        to.put(to.position(), piece, piece.position(), size).position(to.position() + size);
        piece.position(piece.position() + size);
    }

    private void write(ByteBuffer piece, Socket socket, IoBuffer head, long most)
            throws IOException {
        int end = piece.limit();
        piece.limit(piece.position() + (int) Math.min(piece.remaining(), most));
        long begin = System.nanoTime();
        isPeerGone = true;
        socket.write(head, piece);
        isPeerGone = false;
        writeNanos += System.nanoTime() - begin;
        isHeldUp = piece.hasRemaining();
        piece.limit(end);
    }

    /// Returns how long writing to the socket has taken, without the time to get the content.
    public long writeNanos() {
        return writeNanos;
    }

    @Override
    public boolean isHeldUp() {
        return isHeldUp;
    }

    @Override
    public void close() {
        pieces.close();
    }
}
