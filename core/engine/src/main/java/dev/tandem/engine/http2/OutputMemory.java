package dev.tandem.engine.http2;

import dev.tandem.engine.MemoryBudget;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// Decides how much content is made and read ahead for a connection, by what it holds that its
/// client has not accepted.
///
/// What is read from response tails, files mostly, is limited for each connection: a client that
/// opens all of its streams for long files and reads none of them would otherwise hold 64 KiB for
/// each. What handlers have made cannot be limited after the fact, and counts, with that of all
/// connections, in the engine's budget: while that has no room, a connection that holds its share
/// starts no requests, and reads one tail at a time, a short frame of it.
///
/// What is reserved to be read counts as what is held: hundreds of tails may wait for a worker that
/// reads them. So does what was sent and waits for the socket.
final class OutputMemory extends HeldMemory {
    /// 768 KiB: twelve streams with full buffers, three times what is sent in an iteration of the
    /// loop; 1,024 such connections hold 768 MiB. Further streams wait until half of it is sent,
    /// the most urgent first.
    static final int TAILS_MAX = 786_432;

    /// 64 KiB, the buffer of one stream: so much a connection may hold whatever others do.
    static final int SHARE = StreamOutput.BUFFERED_MAX;

    /// 16 KiB: so much while others hold twice what they should.
    private static final int SCARCE_SHARE = 16_384;

    /// 4 KiB: what is read ahead, and what is given to the socket at once, while all connections
    /// together hold too much. A thousand clients that read nothing hold 8 MiB then, and one that
    /// reads gets its content by frames of a fourth of the length.
    static final int SCARCE_FRAME = 4_096;

    private static final VarHandle RESERVED;

    static {
        try {
            RESERVED =
                    MethodHandles.lookup().findVarHandle(OutputMemory.class, "reserved", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile int reserved;

    /// @param budget for output, of all connections
    OutputMemory(MemoryBudget budget) {
        super(budget);
    }

    /// Whether all connections together hold too much, and this one its share of it or more.
    boolean isOverShare() {
        long now = held();
        return now >= SCARCE_SHARE && !hasRoom() && (now >= SHARE || isExceeded(2));
    }

    /// Whether what was made is to be sent before more is made: the requests of a client that come
    /// together would hold all of their responses at once.
    boolean mustSendFirst() {
        return held() > SCARCE_FRAME && !hasRoom();
    }

    /// Reserves memory before content is read from a tail. One stream always gets what it wants.
    ///
    /// @param count in bytes
    /// @return false if there is too little; then nothing is reserved
    boolean reserve(int count) {
        int before = (int) RESERVED.getAndAdd(this, count);
        if (before > 0 && (before + count > TAILS_MAX || !hasRoom())) {
            RESERVED.getAndAdd(this, -count);
            return false;
        }
        hold(count);
        return true;
    }

    /// Releases what was sent, or will not be read.
    void release(long count) {
        RESERVED.getAndAdd(this, (int) -count);
        hold(-count);
    }

    /// Returns what is reserved, in bytes.
    int reserved() {
        return reserved;
    }

    /// Whether it is time to have another tail read.
    boolean mayReadAnother() {
        int now = reserved;
        return now == 0 || now <= TAILS_MAX / 2 && hasRoom();
    }
}
