package dev.tandem.engine;

import dev.tandem.http.HttpDate;
import java.nio.charset.StandardCharsets;

/// The `Date` header line (RFC 9110, section 6.6.1), updated when the second has changed. Confined
/// to its I/O context.
public final class DateLine {
    private static final byte[] NAME = "Date: ".getBytes(StandardCharsets.ISO_8859_1);

    private byte[] line = new byte[0];
    private long second = Long.MIN_VALUE;

    /// Returns the line with its CRLF. Must not be changed.
    public byte[] line() {
        long now = Math.floorDiv(System.currentTimeMillis(), 1000L);
        if (now != second) {
            second = now;
            var made = new byte[NAME.length + HttpDate.LENGTH + 2];
            System.arraycopy(NAME, 0, made, 0, NAME.length);
            HttpDate.write(now, made, NAME.length);
            made[made.length - 2] = '\r';
            made[made.length - 1] = '\n';
            line = made;
        }
        return line;
    }
}
