package dev.tandem.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.net.ByteStream;
import dev.tandem.net.IoBuffer;
import dev.tandem.testkit.MemoryPipe;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PendingWriteTest {
    private static final String TEXT = "abcdefghijkl";
    private static final int PART = 1 << 20;

    private final PendingWrite pending = new PendingWrite(Integer.MAX_VALUE);
    private final IoBuffer output = new IoBuffer(4);
    private final ByteArrayOutputStream received = new ByteArrayOutputStream();
    private final Path folder;

    PendingWriteTest(@TempDir Path folder) {
        this.folder = folder;
    }

    private static MemoryPipe pipe(int toClient) {
        return new MemoryPipe(1, toClient, () -> {});
    }

    private static ByteBuffer buffer(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
    }

    private String received(MemoryPipe pipe) {
        MemoryServer.receive(pipe, received);
        return received.toString(StandardCharsets.US_ASCII);
    }

    private static void assertEmpty(IoBuffer output) {
        assertEquals(0, output.bytes().position());
        assertEquals(output.bytes().capacity(), output.bytes().limit());
    }

    // ---- Buffers.

    @Test
    void nothingIsWrittenAtOnce() throws IOException {
        MemoryPipe pipe = pipe(1);
        assertTrue(pending.writeBuffers(new MemorySocket(pipe), output));
        assertTrue(pending.sendTail(new MemorySocket(pipe), output, Long.MAX_VALUE));
        assertFalse(pending.isTail());
        assertEquals(0, pending.taken());
        assertEquals("", received(pipe));
    }

    @Test
    void copiedBytesMayChangeAfterwards() throws IOException {
        MemoryPipe pipe = pipe(16);
        byte[] bytes = TEXT.getBytes(StandardCharsets.US_ASCII);
        ByteBuffer source = ByteBuffer.wrap(bytes, 2, 3);
        pending.addCopy(source);
        bytes[3] = 'X';
        assertFalse(source.hasRemaining());
        pending.writeBuffers(new MemorySocket(pipe), output);
        assertEquals("cde", received(pipe));
    }

    @Test
    void emptyBuffersDoNotDelayTheTail() {
        pending.add(ByteBuffer.allocate(0));
        pending.addCopy(ByteBuffer.allocate(0));
        pending.add(new CountedTail(1, 1));
        assertTrue(pending.isTail());
    }

    /// Three buffers, for any amount that the client takes at once and any that one call can send.
    @Test
    void buffersArriveInOrderOverEverySplit() throws IOException {
        for (int space = 1; space <= TEXT.length() + 1; space++) {
            for (int size = 1; size <= TEXT.length() + 1; size++) {
                assertArrives(space, new IoBuffer(size));
            }
        }
    }

    private void assertArrives(int space, IoBuffer output) throws IOException {
        var all = new PendingWrite(Integer.MAX_VALUE);
        all.addCopy(buffer(TEXT.substring(0, 1)));
        all.add(buffer(TEXT.substring(1, 6)));
        all.addCopy(buffer(TEXT.substring(6)));
        MemoryPipe pipe = pipe(space);
        received.reset();
        boolean isOver = false;
        for (int i = 0; i <= TEXT.length() && !isOver; i++) {
            isOver = all.writeBuffers(new MemorySocket(pipe), output);
            assertEmpty(output);
            assertEquals(received.size() + pipe.toClient().size(), all.taken());
            assertEquals(all.taken() == TEXT.length(), isOver);
            received(pipe);
        }
        assertTrue(isOver);
        assertEquals(TEXT, received(pipe), "room " + space + ", size " + output.bytes().capacity());
    }

    @Test
    void clientWithSpaceForExactlyAllTakesAll() throws IOException {
        pending.add(buffer(TEXT));
        assertTrue(pending.writeBuffers(new MemorySocket(pipe(TEXT.length())), output));
    }

    @Test
    void clientWithoutSpaceForOneByteIsWaitedFor() throws IOException {
        pending.add(buffer(TEXT));
        MemoryPipe pipe = pipe(TEXT.length() - 1);
        assertFalse(pending.writeBuffers(new MemorySocket(pipe), output));
        assertFalse(pending.writeBuffers(new MemorySocket(pipe), output), "no room since");
        assertEquals(TEXT.length() - 1, pending.taken());
        received(pipe);
        assertTrue(pending.writeBuffers(new MemorySocket(pipe), output));
        assertEquals(TEXT, received(pipe));
    }

    @Test
    void brokenConnectionIsReported() throws IOException {
        pending.add(buffer(TEXT));
        MemoryPipe pipe = pipe(3);
        pending.writeBuffers(new MemorySocket(pipe), output);
        pipe.reset();
        var socket = new MemorySocket(pipe);
        assertThrows(IOException.class, () -> pending.writeBuffers(socket, output));
        assertEquals(3, pending.taken());
    }

    /// A stream that notes how much it is given by each call, and takes it.
    private static final class Calls implements ByteStream {
        final List<Integer> sizes = new ArrayList<>();

        @Override
        public int read(IoBuffer to) {
            return 0;
        }

        @Override
        public int write(IoBuffer from) {
            int size = from.bytes().remaining();
            sizes.add(size);
            from.bytes().position(size);
            return size;
        }

        @Override
        public void shutdownOutput() {}

        @Override
        public void close() {}
    }

    @Test
    void littleOfSharedContentIsGivenToTheSocketAtOnce() throws IOException {
        var calls = new Calls();
        var over = new PendingWrite(3);
        over.addShared(buffer("abcdefgh"));
        over.add(buffer("ijklm"));
        assertTrue(over.writeBuffers(calls, output));
        assertEquals(List.of(3, 3, 2, 4, 1), calls.sizes);
    }

    // ---- The tail.

    @Test
    void tailIsNotDueBeforeTheBuffersAreWritten() throws IOException {
        pending.add(buffer(TEXT));
        pending.add(new CountedTail(1, 1));
        MemoryPipe pipe = pipe(TEXT.length() - 1);
        pending.writeBuffers(new MemorySocket(pipe), output);
        assertFalse(pending.isTail());
        received(pipe);
        pending.writeBuffers(new MemorySocket(pipe), output);
        assertTrue(pending.isTail());
    }

    @Test
    void partOfAFileArrivesOverEverySplit() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "##" + TEXT + "##");
        for (int space = 1; space <= TEXT.length() + 1; space++) {
            var write = new PendingWrite(Integer.MAX_VALUE);
            write.add(new FileTail(new MemoryNetwork().open(file), 2, TEXT.length()));
            MemoryPipe pipe = pipe(space);
            received.reset();
            boolean isOver = false;
            for (int i = 0; i <= TEXT.length() && !isOver; i++) {
                isOver = write.sendTail(new MemorySocket(pipe), output, Long.MAX_VALUE);
                received(pipe);
                assertEquals(received.size(), write.taken());
            }
            assertTrue(isOver);
            write.close();
            assertEquals(TEXT, received(pipe), "room " + space);
        }
    }

    @Test
    void tailOfExactlyOnePartIsSentInOneCall() throws IOException {
        var tail = new CountedTail(PART, PART / 4);
        pending.add(tail);
        assertTrue(pending.sendTail(new MemorySocket(pipe(1)), output, Long.MAX_VALUE));
        assertEquals(4, tail.calls);
        assertEquals(PART, pending.taken());
    }

    @Test
    void tailOfOneByteMoreNeedsASecondCall() throws IOException {
        var tail = new CountedTail(PART + 1, PART / 4);
        pending.add(tail);
        assertFalse(pending.sendTail(new MemorySocket(pipe(1)), output, Long.MAX_VALUE));
        assertEquals(1, tail.left());
        assertTrue(pending.isTail());
        assertTrue(pending.sendTail(new MemorySocket(pipe(1)), output, Long.MAX_VALUE));
        assertEquals(PART + 1, pending.taken());
    }

    @Test
    void tailIsRequestedInPartsOfLimitedSize() throws IOException {
        var tail = new CountedTail(10L * PART, Integer.MAX_VALUE);
        pending.add(tail);
        assertFalse(pending.sendTail(new MemorySocket(pipe(1)), output, Long.MAX_VALUE));
        assertEquals(9L * PART, tail.left());
    }

    @Test
    void heldUpTailIsNotRequestedAgainAtOnce() throws IOException {
        var tail = new CountedTail(10, 3);
        tail.isHeldUp = true;
        pending.add(tail);
        assertFalse(pending.sendTail(new MemorySocket(pipe(1)), output, Long.MAX_VALUE));
        assertEquals(1, tail.calls);
        assertEquals(3, pending.taken());
    }

    @Test
    void tailThatSendsNothingIsWaitedFor() throws IOException {
        var tail = new CountedTail(10, 0);
        pending.add(tail);
        assertFalse(pending.sendTail(new MemorySocket(pipe(1)), output, Long.MAX_VALUE));
        assertEquals(1, tail.calls);
        assertTrue(pending.isTail());
    }

    @Test
    void tailThatFailsInTheMiddleIsStillToBeClosed() {
        var tail = new CountedTail(10, 3);
        tail.failsAt = 4;
        pending.add(tail);
        var socket = new MemorySocket(pipe(1));
        assertThrows(IOException.class, () -> pending.sendTail(socket, output, Long.MAX_VALUE));
        assertEquals(3, pending.taken());
        assertEquals(0, tail.closes);
        pending.close();
        assertEquals(1, tail.closes);
    }

    @Test
    void tailIsClosedOnceHoweverOftenTheWriteIs() throws IOException {
        var tail = new CountedTail(10, 3);
        pending.add(tail);
        pending.close();
        pending.close();
        assertEquals(1, tail.closes);
        assertFalse(pending.isTail());
        assertTrue(
                pending.sendTail(new MemorySocket(pipe(1)), output, Long.MAX_VALUE),
                "nothing is left");
        assertEquals(0, tail.calls);
    }

    @Test
    void closingWithoutATailDoesNothing() {
        pending.add(buffer(TEXT));
        pending.close();
        pending.close();
        assertEquals(0, pending.taken());
    }
}
