package dev.tandem.pagecache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.pagecache.RestoreFormat.Parsed;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/// Fuzz target: a list of pages, as it is and behind a right head, with a right checksum. What is
/// read names files within their folders only, and is read again as it was.
public final class RestoreFormatTarget {
    private static final int PAGE = 65_536;

    private RestoreFormatTarget() {}

    public static void fuzzerTestOneInput(byte[] input) {
        check(RestoreFormat.parse(input, PAGE), input.length);
        ByteBuffer whole = ByteBuffer.allocate(16 + input.length + 4);
        whole.put("TANDEMPC".getBytes(StandardCharsets.US_ASCII)).putInt(1).putInt(PAGE);
        whole.put(input);
        var crc = new CRC32C();
        crc.update(whole.array(), 0, whole.position());
        whole.putInt((int) crc.getValue());
        check(RestoreFormat.parse(whole.array(), PAGE), input.length);
    }

    private static void check(Parsed parsed, int length) {
        if (parsed instanceof Parsed.Good(RestoreList list)) {
            assertTrue(list.runs().size() <= length && list.files().size() <= length);
            list.files().forEach(file -> assertTrue(RestoreList.isInside(file.path())));
            byte[] bytes = RestoreFormat.bytes(list, PAGE, Integer.MAX_VALUE);
            var again = (Parsed.Good) RestoreFormat.parse(bytes, PAGE);
            assertEquals(list.runs().size(), again.list().runs().size());
        }
    }
}
