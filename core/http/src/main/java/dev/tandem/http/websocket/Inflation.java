package dev.tandem.http.websocket;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/// Decompresses the messages of a session (RFC 7692, section 7.2.2), each by itself: no window is
/// kept between two messages.
///
/// A message is kept compressed until it is complete, and then decompressed by the inflater of the
/// thread: so a session has no inflater of its own, which would take 40 KiB of memory.
///
/// Confined to its session's owner.
public final class Inflation {
    /// What was decompressed is passed on in pieces of at most 8 KiB.
    private static final int PIECE = 8192;

    /// The end of a flushed block, which senders omit.
    private static final byte[] TAIL = {0, 0, (byte) 0xFF, (byte) 0xFF};

    private static final byte[] NOTHING = {};
    private static final int HELD_MIN = 256;

    private final Supplier<Tools> tools;
    private byte[] held = NOTHING;
    private int length;

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
        Inflater inflater = own.inflater;
        inflater.reset();
        inflater.setInput(input, 0, end);
        long total = 0;
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
            }
        } catch (DataFormatException e) {
            return Result.MALFORMED;
        }
    }

    /// Continues behind a final block, which a sender may use (RFC 7692, section 7.2.3.5).
    ///
    /// @return whether there is more input
    private static boolean isContinued(Inflater inflater, byte[] input, int end) {
        int rest = inflater.getRemaining();
        if (!inflater.finished() || rest == 0) {
            return false;
        }
        inflater.reset();
        inflater.setInput(input, end - rest, rest);
        return true;
    }
}
