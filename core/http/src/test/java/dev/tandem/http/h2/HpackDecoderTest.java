package dev.tandem.http.h2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 7541, sections 2 to 6.
class HpackDecoderTest {
    private final HpackDecoder decoder = new HpackDecoder(4_096);
    private final HeaderList list = new HeaderList();

    @ParameterizedTest
    @CsvSource({
        "80, index of no table entry", // index 0
        "be, index of no table entry", // 62, with an empty table
        "ff00, index of no table entry",
        "ff8000, index of no table entry",
        "7f00, index of no table entry",
        "0f3000, index of no table entry",
        "ff, incomplete or too large integer",
        "ff80, incomplete or too large integer",
        "7f, incomplete or too large integer",
        "3f, incomplete or too large integer",
        "ff8080808000, index of no table entry",
        "ff808080808000, incomplete or too large integer",
        "ffffffffff7f, incomplete or too large integer",
        "ff8080808010, incomplete or too large integer",
        "007fffffffff7f, incomplete or too large integer",
        "00, header block ends within a string",
        "0001, header block ends within a string",
        "000161, header block ends within a string",
        "0001610362, header block ends within a string",
        "4401, header block ends within a string",
        "00017f, header block ends within a string",
        "0081ff, malformed Huffman code",
        "000161 81 00, malformed Huffman code",
        "000161 84 ffffffff, malformed Huffman code",
        "8220, table size update after a header",
        "000161 0162 3fe11f, table size update after a header",
        "3fe21f, table size update above the maximum",
        "203fe21f, table size update above the maximum"
    })
    void malformedBlockIsAnError(String hex, String error) {
        assertEquals(error, decode(hex));
    }

    /// Leading zeros in the continuation of an integer are allowed, up to its maximum length.
    @ParameterizedTest
    @ValueSource(strings = {"1f00", "1f8000", "1f808000", "1f80808000", "1f8080808000"})
    void integerMayBeLongerThanNecessary(String size) {
        byte[] block = Hex.bytes(size + "0162"); // name of entry 15
        assertNull(decoder.decode(block, 0, block.length, begin()));
        assertEquals("accept-charset: b\n", Lists.text(list));
    }

    @Test
    void entryIsUsableInItsOwnBlock() {
        assertNull(decode("4001610162 be be"));
        assertEquals("a: b\na: b\na: b\n", Lists.text(list));
    }

    @Test
    void namesAndValuesMayBeAnyBytes() {
        assertNull(decode("4003 ff0041 03 0d0aff"));
        assertEquals("\u00ff\0A", list.name(0));
        assertEquals("\r\n\u00ff", list.value(0));
        assertNull(decode("be"));
        assertEquals("\r\n\u00ff", list.value(0));
    }

    @Test
    void commonNamesAreConstants() {
        assertNull(decode("000a757365722d6167656e74 0162"));
        assertSame(list.name(0), StaticTable.get(58).name().text());
    }

    @Test
    void methodsAreConstants() {
        assertNull(decode("0207 4f5054494f4e53"));
        assertSame("OPTIONS", list.value(0));
    }

    @Test
    void olderEntriesAreEvicted() {
        decoder.tableSizeMax(100);
        assertNull(decode("3f45 4001610162 4001630164 4001650166")); // 34 bytes each, room for two
        assertEquals("e: f\nc: d", decoder.table().toString());
        assertEquals(68, decoder.table().size());
        assertEquals("index of no table entry", decode("c0"));
    }

    @Test
    void entryLargerThanTheTableEmptiesIt() {
        assertNull(decode("3f09 4001610162")); // 40 bytes
        assertEquals(1, decoder.table().count());
        assertNull(decode("4001610b 6262626262626262626262"));
        assertEquals(0, decoder.table().count());
        assertEquals("a: bbbbbbbbbbb\n", Lists.text(list));
    }

    @Test
    void entryThatNamesAnEvictedOneIsAdded() {
        assertNull(decode("3f09 4001610162"));
        assertNull(decode("7e0163")); // name of the only entry, which is evicted
        assertEquals("a: c", decoder.table().toString());
    }

    @Test
    void tableSizeMayShrinkAndGrowWithinTheSetting() {
        assertNull(decode("4001610162"));
        assertNull(decode("20 3fe11f"));
        assertEquals(0, decoder.table().count());
        assertEquals(4_096, decoder.table().sizeMax());
        assertNull(decode("4001610162 be"));
    }

    @Test
    void smallerSettingMustBeFollowedByAnUpdate() {
        decoder.tableSizeMax(0);
        assertEquals("no table size update after a smaller setting", decode("82"));
    }

    @Test
    void smallerSettingIsApplied() {
        assertNull(decode("4001610162"));
        decoder.tableSizeMax(100);
        assertNull(decode("20 82"));
        assertNull(decode("3f45 82"), "100");
        assertEquals("table size update above the maximum", decode("3f46"));
    }

    @Test
    void smallerSettingThatIsNotBelowTheSizeInUseNeedsNoUpdate() {
        assertNull(decode("3f45"));
        decoder.tableSizeMax(100);
        assertNull(decode("82"));
    }

    @Test
    void emptyBlockAfterASmallerSettingIsAnError() {
        decoder.tableSizeMax(0);
        assertEquals("no table size update after a smaller setting", decode(""));
    }

    @Test
    void listOverItsSizeIsTruncatedAndTheTableIsKept() {
        begin(34 + 34, 100);
        byte[] block = Hex.bytes("4001610162 4001630164 4001650166 0001670168 84 be 0f2f 81 ff 82");
        assertNull(decoder.decode(block, 0, block.length, list));
        assertTrue(list.isTooLarge());
        assertEquals("a: b\nc: d\n", Lists.text(list));
        assertEquals("e: f\nc: d\na: b", decoder.table().toString());
        assertNull(decode("be"));
        assertEquals("e: f\n", Lists.text(list));
    }

    @Test
    void numberOfHeadersIsLimited() {
        begin(Integer.MAX_VALUE, 2);
        byte[] block = Hex.bytes("82 82 82");
        assertNull(decoder.decode(block, 0, block.length, list));
        assertTrue(list.isTooLarge());
        assertEquals(2, list.count());
    }

    @Test
    void eachCookieCrumbCounts() {
        begin(100 * 32, 1_000);
        byte[] block = new byte[3 * 100]; // each an empty value
        for (int i = 0; i < 100; i++) {
            block[3 * i] = 0x0F; // cookie: index 32 is 15 + 17
            block[3 * i + 1] = 0x11;
        }
        assertNull(decoder.decode(block, 0, block.length, list));
        assertEquals("cookie", list.name(0));
        assertTrue(list.isTooLarge());
        assertEquals(100 * 32 / (32 + 6), list.count());
    }

    /// One byte of input is a header of 4 KB: the list ends at its limit.
    @Test
    void referencesToALargeEntryDoNotOccupyMemory() {
        byte[] entry = new byte[5 + 4_000];
        entry[0] = 0x40;
        entry[1] = 1;
        entry[2] = 'a';
        entry[3] = 0x7F;
        entry[4] = (byte) (0x80 | (4_000 - 127 & 0x7F));
        byte[] block = Arrays.copyOf(entry, 6 + 4_000 + 10_000);
        block[5] = (byte) (4_000 - 127 >> 7);
        Arrays.fill(block, 6, 6 + 4_000, (byte) 'x');
        Arrays.fill(block, 6 + 4_000, block.length, (byte) 0xBE);
        begin(20_480, 200);
        assertNull(decoder.decode(block, 0, block.length, list));
        assertTrue(list.isTooLarge());
        assertEquals(5, list.count());
    }

    /// A block that was split at any point and rejected leaves no exception.
    @Test
    void everyPrefixOfABlockIsDecodedOrRejected() {
        byte[] block =
                Hex.bytes(
                        "828684418cf1e3c2e5f23a6ba0ab90f4ff 4088 25a849e95ba97d7f 89"
                            + " 25a849e95bb8e8b4bf5a839bd9ab 0f2f 87abcdefabcdefff 10 0161 0162");
        for (int to = 0; to <= block.length; to++) {
            new HpackDecoder(4_096).decode(block, 0, to, begin());
        }
    }

    private @Nullable String decode(String hex) {
        byte[] block = Hex.bytes(hex);
        return decoder.decode(block, 0, block.length, begin());
    }

    private HeaderList begin() {
        return begin(Integer.MAX_VALUE, 1_000);
    }

    private HeaderList begin(int sizeMax, int countMax) {
        list.clear();
        list.begin(sizeMax, countMax);
        return list;
    }
}
