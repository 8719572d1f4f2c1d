package dev.tandem.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class UnreadInputTest {
    private static final String TEXT = "GET / HTTP/1.1";

    private final MemoryBudget budget = new MemoryBudget(1_000);
    private final UnreadInput input = new UnreadInput(budget);

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static ByteBuffer buffer(String text) {
        return ByteBuffer.wrap(bytes(text));
    }

    /// The kept input, as each of the three methods returns it.
    private String kept() {
        String kept = StandardCharsets.US_ASCII.decode(input.view()).toString();
        int length = input.to() - input.from();
        assertEquals(
                kept, new String(input.bytes(), input.from(), length, StandardCharsets.US_ASCII));
        assertEquals(kept.length(), input.size());
        assertEquals(kept.isEmpty(), input.isEmpty());
        return kept;
    }

    private void assertHasNoArray() {
        assertTrue(input.isEmpty());
        assertSame(new UnreadInput(budget).bytes(), input.bytes());
        assertEquals(0, input.from());
    }

    /// Whatever is done, what counts is the array that is held.
    private void assertCounted() {
        assertEquals(input.bytes().length, budget.bytes());
    }

    @Test
    void whatIsHeldCountsInTheBudgetUntilItIsUsed() {
        input.keep(bytes("0123456789"), 3, 7);
        assertEquals(4, budget.bytes());
        input.add(buffer("abc"));
        assertEquals(7, budget.bytes());
        input.used(3);
        assertCounted();
        input.keep(buffer("xy"));
        assertEquals(2, budget.bytes());
        input.moveTo(new byte[2]);
        assertEquals(0, budget.bytes());
        input.add(buffer("z"));
        input.drop();
        assertEquals(0, budget.bytes());
    }

    @Test
    void ofAClosedConnectionNothingCounts() {
        input.keep(buffer("abc"));
        input.close();
        assertEquals(0, budget.bytes());
        input.add(buffer("def"));
        input.close();
        input.drop();
        assertEquals(0, budget.bytes());
        assertFalse(input.mayReadAhead());
    }

    @Test
    void nothingMoreIsReadAheadWithoutRoom() {
        input.keep(new byte[999], 0, 999);
        assertTrue(input.mayReadAhead());
        input.add(buffer("a"));
        assertFalse(input.mayReadAhead());
    }

    @Test
    void newInputIsEmptyAndHasNoArrayOfItsOwn() {
        assertEquals("", kept());
        assertHasNoArray();
        assertEquals(0, input.bytes().length);
    }

    @Test
    void keptRangeIsACopy() {
        byte[] source = bytes("0123456789");
        input.keep(source, 3, 7);
        source[4] = 'x';
        assertEquals("3456", kept());
    }

    @Test
    void keptBufferIsACopyAndIsConsumed() {
        byte[] source = bytes("0123456789");
        ByteBuffer buffer = ByteBuffer.wrap(source, 3, 4);
        input.keep(buffer);
        source[4] = 'x';
        assertEquals("3456", kept());
        assertFalse(buffer.hasRemaining());
    }

    @Test
    void keepReplacesKeptInput() {
        input.keep(buffer("first"));
        input.used(2);
        input.keep(buffer("second"));
        assertEquals("second", kept());
        input.used(2);
        input.keep(bytes("third"), 0, 5);
        assertEquals("third", kept());
    }

    @Test
    void keepingAnEmptyRangeReleasesTheArray() {
        input.keep(buffer("first"));
        input.keep(bytes("second"), 3, 3);
        assertHasNoArray();
    }

    @Test
    void keepingAnEmptyBufferReleasesTheArray() {
        input.keep(buffer("first"));
        input.used(2);
        input.keep(buffer(""));
        assertHasNoArray();
    }

    @Test
    void addedBytesFollowKeptOnes() {
        input.keep(buffer("abcdef"));
        input.used(4);
        input.add(buffer("ghi"));
        assertEquals("efghi", kept());
    }

    @Test
    void addingToEmptyInputKeepsTheBytes() {
        input.add(buffer("abc"));
        assertEquals("abc", kept());
    }

    @Test
    void addingNothingCopiesNothing() {
        input.keep(buffer("abc"));
        byte[] before = input.bytes();
        input.add(buffer(""));
        assertSame(before, input.bytes());
    }

    @Test
    void usingTheLastByteReleasesTheArray() {
        input.keep(buffer("abc"));
        input.used(2);
        assertEquals("c", kept());
        input.used(1);
        assertHasNoArray();
    }

    @Test
    void droppingReleasesTheArray() {
        input.keep(buffer("abc"));
        input.used(1);
        input.drop();
        assertHasNoArray();
    }

    @Test
    void moveToCopiesOnlyUnusedBytes() {
        input.keep(buffer("abcdef"));
        input.used(2);
        byte[] to = bytes("##########");
        assertEquals(4, input.moveTo(to));
        assertEquals("cdef######", new String(to, StandardCharsets.US_ASCII));
        assertHasNoArray();
    }

    @Test
    void movingFitsAnArrayOfExactlyItsSize() {
        input.keep(buffer("abc"));
        var to = new byte[3];
        assertEquals(3, input.moveTo(to));
        assertEquals("abc", new String(to, StandardCharsets.US_ASCII));
    }

    @Test
    void movingNothingChangesNothing() {
        byte[] to = bytes("##");
        assertEquals(0, input.moveTo(to));
        assertEquals("##", new String(to, StandardCharsets.US_ASCII));
    }

    @Test
    void viewConsumesNothing() {
        input.keep(buffer("abc"));
        ByteBuffer view = input.view();
        view.position(view.limit());
        assertEquals("abc", kept());
    }

    @Test
    void spaceEndsAtExactlyTheMaximum() {
        assertEquals(UnreadInput.MOST, input.space());
        input.keep(new byte[UnreadInput.MOST - 1], 0, UnreadInput.MOST - 1);
        assertEquals(1, input.space());
        input.add(ByteBuffer.allocate(1));
        assertEquals(0, input.space());
        input.add(ByteBuffer.allocate(1));
        assertEquals(0, input.space(), "one byte beyond the most");
        input.used(2);
        assertEquals(1, input.space());
    }

    @Test
    void spaceIsCountedFromTheGivenLimit() {
        input.keep(buffer("abcd"));
        input.used(1);
        assertEquals(2, input.space(5));
        assertEquals(0, input.space(3));
        assertEquals(0, input.space(2));
    }

    /// Input that is received in three parts, each used up to any position before the next one.
    @Test
    void everySplitGivesTheSameBytesInTheSameOrder() {
        for (int first = 0; first <= TEXT.length(); first++) {
            for (int second = first; second <= TEXT.length(); second++) {
                for (int use = 0; use <= first; use++) {
                    assertSplit(first, second, use);
                }
            }
        }
    }

    private void assertSplit(int first, int second, int use) {
        var used = new StringBuilder();
        input.keep(bytes(TEXT), 0, first);
        used.append(kept(), 0, use);
        input.used(use);
        input.add(buffer(TEXT.substring(first, second)));
        int more = input.size() / 2;
        used.append(kept(), 0, more);
        input.used(more);
        input.add(buffer(TEXT.substring(second)));
        used.append(kept());
        input.drop();
        assertEquals(TEXT, used.toString(), first + ", " + second + ", " + use);
    }
}
