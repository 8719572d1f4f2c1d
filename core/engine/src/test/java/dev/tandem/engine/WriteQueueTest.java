package dev.tandem.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.engine.WriteQueue.Next;
import dev.tandem.http.Body;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class WriteQueueTest {
    private static final int ROOMY = 1024;

    private final Path folder;
    private IoContext context = IoContext.ofWorker(8);
    private MemoryConnection client = new MemoryConnection(1, ROOMY);
    private WriteQueue queue =
            new WriteQueue(client.connection(), new MemoryBudget(Integer.MAX_VALUE));

    WriteQueueTest(@TempDir Path folder) {
        this.folder = folder;
    }

    /// Restarts with a client that takes `space` bytes and a context that gathers `size`.
    private void begin(int space, int size) {
        client.close();
        client = new MemoryConnection(1, space);
        queue = new WriteQueue(client.connection(), new MemoryBudget(Integer.MAX_VALUE));
        context = IoContext.ofWorker(size);
    }

    @AfterEach
    void close() {
        client.close();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static ByteBuffer direct(String text) {
        return ByteBuffer.allocateDirect(text.length()).put(bytes(text)).flip();
    }

    private void put(String text) throws IOException {
        queue.put(context, bytes(text), text.length(), false);
    }

    private void assertContextIsEmpty() {
        assertEquals(0, context.output().bytes().position());
        assertEquals(context.output().bytes().capacity(), context.output().bytes().limit());
    }

    /// Lets the client take all, and returns the bytes received since the beginning.
    private String takeAll() throws IOException {
        queue.flush(context);
        while (queue.isHeldUp()) {
            client.received();
            if (queue.writeMore(context) == Next.TAIL) {
                queue.sendMoreOfTail(context);
            }
        }
        return client.received();
    }

    // ---- Segments behind a head.

    /// Segments of four bytes, which call `before` each time.
    private static PiecesTail pieces(String text, Runnable before) {
        byte[] all = bytes(text);
        return new PiecesTail(
                new Body.Segmented(
                        all.length,
                        new Body.Segments() {
                            @Override
                            public int transferTo(long offset, Body.Sink to) throws IOException {
                                before.run();
                                int from = (int) offset;
                                ByteBuffer piece =
                                        direct(
                                                text.substring(
                                                        from, Math.min(from + 4, all.length)));
                                to.write(piece);
                                return piece.position();
                            }

                            @Override
                            public void close() {}
                        }));
    }

    @Test
    void headIsSentInTheSameCallAsTheFirstSegment() throws IOException {
        var first = new StringBuilder();
        var calls = new AtomicInteger();
        put("head ");
        queue.sendTail(
                context,
                pieces(
                        "segments",
                        () -> first.append(calls.incrementAndGet() == 1 ? client.received() : "")));
        assertEquals("", first.toString());
        assertEquals("head segments", client.received());
        assertFalse(queue.isHeldUp());
        assertContextIsEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 4, 5, 6, 9, 12, 13})
    void headAndSegmentsStayInOrderWhateverTheClientTakes(int space) throws IOException {
        begin(space, 8);
        put("head ");
        queue.sendTail(context, pieces("segments", () -> {}));
        assertEquals("head segments", takeAll());
        assertContextIsEmpty();
    }

    @Test
    void timeToGetSegmentsIsNotTimeToSendThem() throws IOException {
        var getting = new AtomicLong();
        PiecesTail tail =
                pieces(
                        "segments",
                        () -> {
                            long begin = System.nanoTime();
                            LockSupport.parkNanos(1_000_000);
                            getting.addAndGet(System.nanoTime() - begin);
                        });
        long begin = System.nanoTime();
        queue.sendTail(context, tail);
        long all = System.nanoTime() - begin;
        assertEquals("segments", client.received());
        assertTrue(tail.writeNanos() > 0);
        assertTrue(tail.writeNanos() <= all - getting.get());
    }

    // ---- Gathering.

    @Test
    void bytesAreGatheredUntilTheyAreFlushed() throws IOException {
        put("abc");
        put("de");
        assertEquals("", client.received());
        queue.flush(context);
        assertEquals("abcde", client.received());
        assertContextIsEmpty();
        assertFalse(queue.isHeldUp());
    }

    @Test
    void bytesThatFillTheBufferExactlyAreStillGathered() throws IOException {
        put("abcdefgh");
        assertEquals("", client.received());
        put("i");
        assertEquals("abcdefgh", client.received());
        queue.flush(context);
        assertEquals("abcdefghi", client.received());
    }

    @Test
    void fullBufferIsSent() throws IOException {
        put("abcdefghijklmnopqrst");
        assertEquals("abcdefghijklmnop", client.received());
        assertEquals("abcdefghijklmnopqrst", takeAll());
    }

    @Test
    void emptyPutGathersNothing() throws IOException {
        put("");
        assertContextIsEmpty();
        queue.put(context, direct(""), 8);
        assertContextIsEmpty();
        assertFalse(queue.isHeldUp());
    }

    @Test
    void flushOfNothingDoesNotTouchTheSocket() throws IOException {
        client.connection().close();
        queue.flush(context);
        assertFalse(queue.isHeldUp());
    }

    @Test
    void putTakesNoMoreThanItsLength() throws IOException {
        queue.put(context, bytes("abcdefghijkl"), 3, true);
        assertEquals("abc", takeAll());
    }

    @Test
    void directBufferKeepsItsPositionAndLimit() throws IOException {
        ByteBuffer bytes = direct("0123456789").position(2).limit(7);
        for (int copiedMax : new int[] {0, 4, 5, 8}) {
            queue.put(context, bytes, copiedMax);
            assertEquals(2, bytes.position());
            assertEquals(7, bytes.limit());
        }
        assertEquals("23456".repeat(4), takeAll());
    }

    @Test
    void smallDirectBufferIsGathered() throws IOException {
        put("ab");
        queue.put(context, direct("cdef"), 4);
        assertEquals("", client.received());
        queue.put(context, direct("ghi"), 4);
        assertEquals("abcdef", client.received(), "the third did not fit");
        assertEquals("abcdefghi", takeAll());
    }

    @Test
    void largeDirectBufferIsSentAtOnceBehindGatheredBytes() throws IOException {
        put("ab");
        queue.put(context, direct("cdefg"), 4);
        assertEquals("abcdefg", client.received());
        assertContextIsEmpty();
    }

    // ---- A client that takes less.

    /// Every method of putting bytes, for any amount that the client takes at once and any that can
    /// be gathered.
    @Test
    void bytesArriveInOrderOverEverySplit() throws IOException {
        for (int space = 1; space <= 24; space++) {
            for (int size = 3; size <= 24; size++) {
                begin(space, size);
                put("abc");
                queue.put(context, direct("defg"), 2);
                queue.put(context, bytes("hijkl"), 5, true);
                queue.put(context, direct("mn"), 2);
                put("opq");
                queue.put(context, direct("rs"), 0);
                assertEquals("abcdefghijklmnopqrs", takeAll(), space + ", " + size);
                assertContextIsEmpty();
            }
        }
    }

    @Test
    void clientWithSpaceForExactlyAllHoldsNothingUp() throws IOException {
        begin(3, 8);
        put("abc");
        queue.flush(context);
        assertFalse(queue.isHeldUp());
        begin(2, 8);
        put("abc");
        queue.flush(context);
        assertTrue(queue.isHeldUp());
    }

    @Test
    void bytesThatWaitAreCopiesUnlessTheyAreKept() throws IOException {
        begin(1, 2);
        byte[] reused = bytes("abcdef");
        queue.put(context, reused, 6, false);
        reused[5] = 'X';
        ByteBuffer lasting = direct("ghi");
        queue.put(context, lasting, 0);
        queue.keep(reused, 0, 2);
        reused[0] = 'X';
        assertEquals("abcdefghiab", takeAll());
    }

    @Test
    void sharedBytesThatWaitAreNotCopied() throws IOException {
        begin(5, 2);
        queue.sendShared(context, bytes("abcdefghi"), 8);
        assertEquals(0, queue.memory());
        assertContextIsEmpty();
        put("i");
        assertEquals("abcdefghi", takeAll());
        queue.sendShared(context, bytes("jk"), 2);
        assertFalse(queue.isHeldUp());
    }

    /// It is the next connection's.
    @Test
    void bufferIsEmptyAfterAFailure() throws IOException {
        begin(1, 8);
        queue.sendShared(context, bytes("abc"), 3);
        client.pipe().toClient().breakOff();
        assertThrows(IOException.class, () -> queue.writeMore(context));
        assertContextIsEmpty();
        begin(1, 8);
        client.pipe().toClient().breakOff();
        assertThrows(IOException.class, () -> queue.sendShared(context, bytes("abc"), 3));
        assertContextIsEmpty();
    }

    @Test
    void nothingOvertakesWaitingBytes() throws IOException {
        begin(2, 8);
        put("abc");
        queue.flush(context);
        assertEquals("ab", client.received());
        put("d");
        queue.put(context, direct("e"), 8);
        queue.flush(context);
        context.output().bytes().put((byte) 'f'); // as a protocol does that frames chunks
        queue.flush(context);
        assertEquals("ab", client.received(), "the client has room, but others are first");
        assertEquals("abcdef", takeAll());
    }

    @Test
    void writingContinuesStepByStep() throws IOException {
        begin(2, 8);
        put("abcde");
        queue.flush(context);
        assertEquals(0, queue.taken(), "of what waits, none");
        assertEquals(Next.WAIT, queue.writeMore(context), "no room since");
        client.received();
        assertEquals(Next.WAIT, queue.writeMore(context));
        assertEquals(2, queue.taken());
        client.received();
        assertEquals(Next.NOTHING, queue.writeMore(context));
        assertFalse(queue.isHeldUp());
        assertEquals(0, queue.taken(), "nothing waits");
        assertEquals("abcde", client.received());
    }

    @Test
    void brokenConnectionLeavesNothingInTheContext() throws IOException {
        put("abc");
        client.pipe().reset();
        assertThrows(IOException.class, () -> queue.flush(context));
        assertContextIsEmpty();
        put("abc");
        assertThrows(IOException.class, () -> queue.put(context, direct("defgh"), 0));
        assertContextIsEmpty();
    }

    // ---- Tails.

    private ResponseTail tail(String text) throws IOException {
        Path file = Files.writeString(folder.resolve("tail"), text);
        return new FileTail(new MemoryNetwork().open(file), 0, text.length());
    }

    @Test
    void tailFollowsItsHeadOverEverySplit() throws IOException {
        for (int space = 1; space <= 14; space++) {
            for (int size = 1; size <= 8; size++) {
                begin(space, size);
                queue.sendTail(context, bytes("head."), 5, tail("0123456789"));
                assertEquals("head.0123456789", takeAll(), space + ", " + size);
                assertContextIsEmpty();
            }
        }
    }

    @Test
    void tailFollowsGatheredBytesOverEverySplit() throws IOException {
        for (int space = 1; space <= 14; space++) {
            for (int size = 1; size <= 8; size++) {
                begin(space, size);
                put("head.");
                queue.sendTail(context, tail("0123456789"));
                assertEquals("head.0123456789", takeAll(), space + ", " + size);
                assertContextIsEmpty();
            }
        }
    }

    @Test
    void tailIsClosedWhenItIsSent() throws IOException {
        var tail = new CountedTail(10, 10);
        queue.sendTail(context, bytes("a"), 1, tail);
        assertEquals(1, tail.closes);
        assertFalse(queue.isHeldUp());
        queue.close();
        assertEquals(1, tail.closes);
    }

    @Test
    void tailThatTheClientDoesNotTakeIsContinuedLater() throws IOException {
        var tail = new CountedTail(10, 4);
        tail.isHeldUp = true;
        queue.sendTail(context, bytes("a"), 1, tail);
        assertTrue(queue.isHeldUp());
        assertEquals(4, queue.taken());
        assertEquals(Next.TAIL, queue.writeMore(context));
        queue.sendMoreOfTail(context);
        assertTrue(queue.isHeldUp());
        queue.sendMoreOfTail(context);
        assertFalse(queue.isHeldUp());
        assertEquals(1, tail.closes);
    }

    @Test
    void tailWaitsUntilItsHeadIsTaken() throws IOException {
        begin(2, 8);
        var tail = new CountedTail(10, 10);
        queue.sendTail(context, bytes("abc"), 3, tail);
        assertEquals(0, tail.calls);
        assertEquals(Next.WAIT, queue.writeMore(context));
        client.received();
        assertEquals(Next.TAIL, queue.writeMore(context));
        queue.sendMoreOfTail(context);
        assertEquals(1, tail.closes);
    }

    @Test
    void tailThatFailsIsClosedAndForgotten() throws IOException {
        var tail = new CountedTail(10, 4);
        tail.failsAt = 8;
        assertThrows(IOException.class, () -> queue.sendTail(context, bytes("a"), 1, tail));
        assertEquals(1, tail.closes);
        assertFalse(queue.isHeldUp());
        queue.close();
        assertEquals(1, tail.closes);
    }

    @Test
    void tailBehindAHeadThatCannotBeSentIsClosedWithTheQueue() {
        client.pipe().reset();
        var tail = new CountedTail(10, 10);
        assertThrows(IOException.class, () -> queue.sendTail(context, bytes("a"), 1, tail));
        assertContextIsEmpty();
        assertEquals(0, tail.calls);
        queue.close();
        queue.close();
        assertEquals(1, tail.closes);
    }

    @Test
    void tailBehindBytesThatCannotBeSentIsClosedWithTheQueue() throws IOException {
        put("abc");
        client.pipe().reset();
        var tail = new CountedTail(10, 10);
        assertThrows(IOException.class, () -> queue.sendTail(context, tail));
        queue.close();
        assertEquals(1, tail.closes);
        assertEquals(0, tail.calls);
    }

    @Test
    void closingAnEmptyQueueDoesNothing() throws IOException {
        queue.close();
        put("abc");
        queue.flush(context);
        queue.close();
        assertEquals("abc", client.received());
    }
}
