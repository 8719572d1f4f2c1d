package dev.tandem.pagecache;

import java.lang.foreign.MemorySegment;
import java.util.zip.CRC32C;

/// Checksums of pages: CRC-32C (RFC 3720, appendix B.4), for which processors have instructions: 64
/// KiB take a few microseconds.
final class Checksums {
    private Checksums() {}

    static int of(MemorySegment bytes) {
        var sum = new CRC32C();
        sum.update(bytes.asByteBuffer());
        return (int) sum.getValue();
    }
}
