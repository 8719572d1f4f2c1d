package dev.tandem.pagecache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.pagecache.RestoreFormat.Parsed;
import dev.tandem.pagecache.RestoreList.Form;
import dev.tandem.pagecache.RestoreList.Run;
import dev.tandem.pagecache.RestoreList.SavedFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RestoreFormatTest {
    private static final int PAGE = 65_536;

    private static final RestoreList LIST =
            new RestoreList(
                    List.of(
                            new SavedFile("/srv/a", "x/ä.html", 200_000, 1_700_000_000_000L, 3),
                            new SavedFile("/srv/b", "y", 1, -5, 0)),
                    List.of(
                            new Run(0, 2, 255, Form.REUSED),
                            new Run(1, 0, 1, Form.COMPRESSED),
                            new Run(0, 0, 2, Form.FRESH)));

    @Test
    void whatIsWrittenIsRead() {
        assertEquals(new Parsed.Good(LIST), parse(bytes(LIST)));
        assertEquals(new Parsed.Good(RestoreList.EMPTY), parse(bytes(RestoreList.EMPTY)));
    }

    private static byte[] bytes(RestoreList list) {
        return RestoreFormat.bytes(list, PAGE, 1 << 20);
    }

    private static Parsed parse(byte[] bytes) {
        return RestoreFormat.parse(bytes, PAGE);
    }

    private static String reason(byte[] bytes) {
        return assertInstanceOf(Parsed.Bad.class, parse(bytes)).reason();
    }

    @Test
    void eachTruncatedListIsBad() {
        byte[] all = bytes(LIST);
        for (int length = 0; length < all.length; length++) {
            reason(Arrays.copyOf(all, length));
        }
        reason(Arrays.copyOf(all, all.length + 1));
    }

    @Test
    void eachDamagedListIsBad() {
        byte[] all = bytes(LIST);
        for (int bit = 0; bit < all.length * Byte.SIZE; bit++) {
            byte[] other = all.clone();
            other[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
            reason(other);
        }
    }

    /// With a checksum that is right, as in a forged list.
    @Test
    void eachByteMayHaveAnyValue() {
        byte[] all = bytes(LIST);
        int bad = 0;
        for (int at = 0; at < all.length - 4; at++) {
            for (int value : new int[] {0, 1, 0x7f, 0x80, 0xff}) {
                byte[] other = all.clone();
                other[at] = (byte) value;
                bad += parse(checked(other)) instanceof Parsed.Bad ? 1 : 0;
            }
        }
        assertTrue(bad > all.length, "only " + bad + " of them were found to be bad");
    }

    @Test
    void eachLengthMayHaveARightChecksum() {
        byte[] all = bytes(LIST);
        for (int length = 20; length < all.length; length++) {
            reason(checked(Arrays.copyOf(all, length)));
        }
    }

    private static byte[] checked(byte[] bytes) {
        var crc = new CRC32C();
        crc.update(bytes, 0, bytes.length - 4);
        ByteBuffer.wrap(bytes).putInt(bytes.length - 4, (int) crc.getValue());
        return bytes;
    }

    @ParameterizedTest
    @ValueSource(strings = {"/etc/passwd", "..", "../x", "a/../../x", "a//b", "a/./b", "", "a\0b"})
    void pathOutOfItsFolderIsBad(String path) {
        var list =
                new RestoreList(
                        List.of(new SavedFile("/srv", path, 1, 1, 1)),
                        List.of(new Run(0, 0, 1, Form.FRESH)));
        assertTrue(reason(bytes(list)).startsWith("a path leads out of its folder"));
    }

    /// Four numbers: of roots, files, runs, and of what follows.
    @ParameterizedTest
    @CsvSource({
        "2147483647, 0, 0, 0",
        "-1, 0, 0, 0",
        "0, 2147483647, 0, 0",
        "0, 0, 2147483647, 0",
        "0, 0, -2147483648, 0",
        "0, 0, 0, 1",
        "1000000, 0, 0, 0",
        "0, 1, 0, 0",
        "0, 0, 1, 0",
    })
    void numberThatIsNotThereIsBad(int roots, int files, int runs, int more) {
        ByteBuffer all = ByteBuffer.allocate(8 + 4 + 4 + 12 + more + 4);
        all.put("TANDEMPC".getBytes(StandardCharsets.US_ASCII)).putInt(1).putInt(PAGE);
        all.putInt(roots).putInt(files).putInt(runs);
        reason(checked(all.array()));
    }

    @Test
    void listOfOtherPagesIsBad() {
        assertEquals(
                "its pages have 4096 bytes, not 65536",
                reason(RestoreFormat.bytes(LIST, 4_096, 1 << 20)));
    }

    @Test
    void longListIsCutBehindTheMostUseful() {
        var files = new ArrayList<SavedFile>();
        var runs = new ArrayList<Run>();
        for (int i = 0; i < 1_000; i++) {
            files.add(new SavedFile("/srv", "file" + i, 1, 1, 1));
            runs.add(new Run(i, 0, 1, Form.FRESH));
        }
        byte[] bytes = RestoreFormat.bytes(new RestoreList(files, runs), PAGE, 10_000);
        assertTrue(bytes.length <= 10_000 && bytes.length > 9_000, "" + bytes.length);
        var good = assertInstanceOf(Parsed.Good.class, parse(bytes));
        assertEquals(runs.subList(0, good.list().runs().size()), good.list().runs());
    }
}
