package dev.tandem.http.websocket;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/// Decompresses the messages of a session (RFC 7692, section 7.2.2), each by itself: no window is
/// kept between two messages.
///
/// A message is kept compressed until it is complete, and then decompressed by the inflater of the
/// thread: so a session has no inflater of its own, which would take 40 KiB of memory.
///
/// Of a message that is read as a stream, pieces are decompressed as they come, by the inflater of
/// the thread that reads it, which is not used for anything else meanwhile.
///
/// Confined to its session's owner.
public final class Inflation {
    /// What was decompressed is passed on in pieces of at most 8 KiB.
    private static final int PIECE = 8192;

    /// How many final blocks a message may have before its end, and what must have been received
    /// for each further one, in bytes. An empty one has two bytes, and takes a microsecond: without
    /// a limit, a message of 1 MiB took half a second.
    private static final int FINAL_BLOCKS = 1024;

    private static final int FINAL_BLOCK_BYTES = 1024;

    /// The end of a flushed block, which senders omit.
    private static final byte[] TAIL = {0, 0, (byte) 0xFF, (byte) 0xFF};

    private static final byte[] NOTHING = {};
    private static final int HELD_MIN = 256;

    private final Supplier<Tools> tools;
    private byte[] held = NOTHING;
    private int length;

    /// That of the stream that is decompressed now.
    private @Nullable Tools streaming;

    /// What was decompressed of it, in bytes.
    private long total;

    /// What was received of it, in bytes, and how many final blocks were in it.
    private long received;

    private long finalBlocks;

    /// An inflater and its output, of which each thread that decodes messages has one.
    public static final class Tools implements AutoCloseable {
        private final Inflater inflater = new Inflater(true);
        private final byte[] output = new byte[PIECE];

        /// Frees the inflater's memory.
        @Override
        public void close() {
            inflater.end();
        }
    }

    enum Result {
        DONE,

        /// The receiver wants no more.
        STOPPED,
        TOO_LARGE,
        MALFORMED
    }

    /// Takes what was decompressed.
    @FunctionalInterface
    interface Receiver {
        /// @return whether it wants more
        boolean take(ByteBuffer piece);
    }

    /// @param tools of the thread that calls
    public Inflation(Supplier<Tools> tools) {
        this.tools = tools;
    }

    /// Adds some of a compressed message.
    void add(ByteBuffer piece) {
        int count = piece.remaining();
        int wanted = length + count + TAIL.length;
        if (held.length < wanted) {
            held = Arrays.copyOf(held, Math.max(Math.max(HELD_MIN, wanted), 2 * held.length));
        }
        piece.get(held, length, count);
        length += count;
    }

    /// Returns the memory of the message that was added, in bytes.
    int heldBytes() {
        return held.length;
    }

    void drop() {
        held = NOTHING;
        length = 0;
        streaming = null;
        total = 0;
        received = 0;
        finalBlocks = 0;
    }

    /// Adds a piece of a stream, to be decompressed before the next is added.
    void addPiece(ByteBuffer piece) {
        Tools own = streaming == null ? tools.get() : streaming;
        if (streaming == null) {
            drop();
            own.inflater.reset();
            streaming = own;
        } else if (own.inflater.finished()) {
            own.inflater.reset(); // continues behind a final block
        }
        if (held.length < piece.remaining()) {
            held = new byte[piece.remaining()];
        }
        length = piece.remaining();
        received += length;
        piece.get(held, 0, length);
        own.inflater.setInput(held, 0, length);
    }

    /// Adds what the sender has omitted at the stream's end.
    void addEnd() {
        addPiece(ByteBuffer.wrap(TAIL));
    }

    /// Decompresses what was added last, and passes on one piece at most.
    ///
    /// @param most bytes of the message
    /// @return STOPPED if there may be more of it
    Result inflatePiece(long most, Receiver receiver) {
        Tools own = Objects.requireNonNull(streaming);
        return inflate(own, held, length, most, receiver);
    }

    /// Decompresses the message that was added, and forgets it.
    ///
    /// @param most bytes of the message
    Result inflate(long most, Receiver receiver) {
        add(ByteBuffer.wrap(TAIL));
        byte[] input = held;
        int end = length;
        drop();
        Tools own = tools.get();
        own.inflater.reset();
        own.inflater.setInput(input, 0, end);
        received = end;
        return inflate(own, input, end, most, receiver);
    }

    /// @return STOPPED if the receiver wants no more now
    private Result inflate(Tools own, byte[] input, int end, long most, Receiver receiver) {
        Inflater inflater = own.inflater;
        try {
            while (true) {
                int count = inflater.inflate(own.output);
                total += count;
                if (total > most) {
                    return Result.TOO_LARGE;
                }
                if (count > 0 && !receiver.take(ByteBuffer.wrap(own.output, 0, count))) {
                    return Result.STOPPED;
                }
                if (inflater.needsDictionary()) {
                    return Result.MALFORMED;
                }
                if (count == 0 && !isContinued(inflater, input, end)) {
                    return Result.DONE;
                }
                if (finalBlocks > FINAL_BLOCKS + received / FINAL_BLOCK_BYTES) {
                    return Result.MALFORMED;
                }
            }
        } catch (DataFormatException e) {
            return Result.MALFORMED;
        }
    }

    /// Continues behind a final block, which a sender may use (RFC 7692, section 7.2.3.5).
    ///
    /// @return whether there is more input
    private boolean isContinued(Inflater inflater, byte[] input, int end) {
        int rest = inflater.getRemaining();
        if (!inflater.finished() || rest == 0) {
            return false;
        }
        finalBlocks++;
        inflater.reset();
        inflater.setInput(input, end - rest, rest);
        return true;
    }
}
