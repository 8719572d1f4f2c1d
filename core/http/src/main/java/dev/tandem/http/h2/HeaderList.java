package dev.tandem.http.h2;

import java.util.Arrays;

/// A decoded header list (RFC 7541, section 1.3), and the buffers that decoding needs. Reused: an
/// event loop needs one for all its connections. Confined to the caller of the decoder.
///
/// The size of a list is that of all its names and values, and 32 bytes for each header (RFC 9113,
/// section 6.5.2); each cookie crumb counts as one. A header beyond a limit is counted and not
/// stored.
public final class HeaderList {
    /// Sufficient for browsers.
    private static final int HEADERS_EXPECTED = 40;

    private static final int TEXT_EXPECTED = 512;

    private HeaderField[] fields = new HeaderField[HEADERS_EXPECTED];
    private int count;
    private long size;
    private boolean isTooLarge;
    private int sizeMax;
    private int countMax;
    private byte[] text = new byte[TEXT_EXPECTED];
    private byte[] input = new byte[TEXT_EXPECTED];

    public HeaderList() {}

    /// Returns the number of stored headers.
    public int count() {
        return count;
    }

    /// Returns the size of the stored headers, as said above.
    public long size() {
        return size;
    }

    /// Returns the name of header `i`, in lower case if it is valid.
    public String name(int i) {
        return field(i).name().text();
    }

    /// Returns the value of header `i`.
    public String value(int i) {
        return field(i).value();
    }

    /// Returns whether the list exceeds the maximum size or number of headers; then those beyond
    /// the limit are not stored. A server responds 431 (RFC 9113, section 10.5.1).
    public boolean isTooLarge() {
        return isTooLarge;
    }

    HeaderField field(int i) {
        if (i >= count) {
            throw new IndexOutOfBoundsException("no header " + i + " of " + count);
        }
        return fields[i];
    }

    /// Starts another list.
    void begin(int sizeMax, int countMax) {
        this.sizeMax = sizeMax;
        this.countMax = countMax;
        size = 0;
        isTooLarge = false;
    }

    /// Clears the list, so that it keeps nothing of the connection.
    void clear() {
        Arrays.fill(fields, 0, count, null);
        count = 0;
    }

    void add(HeaderField field) {
        if (isTooLarge) {
            return;
        }
        size += field.size();
        if (size > sizeMax || count == countMax) {
            isTooLarge = true;
            return;
        }
        if (count == fields.length) {
            fields = Arrays.copyOf(fields, 2 * count);
        }
        fields[count++] = field;
    }

    /// Returns an array for a decoded string.
    byte[] text(int capacity) {
        if (text.length < capacity) {
            text = new byte[Math.max(capacity, 2 * text.length)];
        }
        return text;
    }

    /// Returns an array for input that is not in one.
    byte[] input(int capacity) {
        if (input.length < capacity) {
            input = new byte[Math.max(capacity, 2 * input.length)];
        }
        return input;
    }
}
