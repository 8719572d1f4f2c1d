package dev.tandem.http.h2;

import org.jspecify.annotations.Nullable;

/// Decodes header blocks (RFC 7541). A list over its limits is still decoded to its end, so that
/// the dynamic table stays equal to the encoder's; the strings that are neither listed nor added to
/// the table are skipped. Confined to its connection's owner.
final class HpackDecoder {
    /// 2^28 - 1: more than any block or table has. Five bytes encode it.
    private static final int INTEGER_MAX = 0xFFF_FFFF;

    private static final int CONTINUATION_SHIFT_MAX = 28;

    /// Results of [#integer(int)].
    private static final int TRUNCATED = -1;

    private static final int TOO_LARGE = -2;

    private static final byte[] NOTHING = {};

    private static final String BAD_INDEX = "index of no table entry";
    private static final String BAD_INTEGER = "incomplete or too large integer";
    private static final String BAD_STRING = "header block ends within a string";
    private static final String BAD_CODE = "malformed Huffman code";
    private static final String LATE_RESIZE = "table size update after a header";
    private static final String BAD_RESIZE = "table size update above the maximum";
    private static final String MISSING_RESIZE = "no table size update after a smaller setting";

    private final DynamicTable table;

    /// The maximum that the table size may be updated to: the acknowledged setting.
    private int tableSizeMax;

    /// Whether the next block must begin with an update to at most [#tableSizeMax].
    private boolean mustResize;

    // Valid during a call of decode.
    private byte[] bytes = NOTHING;
    private int at;
    private int to;

    // The string that was read last: text from textFrom to textTo.
    private byte[] text = NOTHING;
    private int textFrom;
    private int textTo;

    /// @param tableSizeMax the maximum size of the table, in bytes, until the first
    ///     [#tableSizeMax(int)]
    HpackDecoder(int tableSizeMax) {
        this.tableSizeMax = tableSizeMax;
        this.table = new DynamicTable(tableSizeMax);
    }

    /// Sets the maximum table size that the peer has acknowledged. If it is smaller than the
    /// current size, the next block must begin with an update (RFC 7541, section 4.2).
    void tableSizeMax(int size) {
        tableSizeMax = size;
        mustResize = size < table.sizeMax();
    }

    DynamicTable table() {
        return table;
    }

    /// Decodes a complete block into `list`.
    ///
    /// @return the error, which is one of the connection (RFC 9113, section 4.3), or null
    @Nullable String decode(byte[] bytes, int from, int to, HeaderList list) {
        this.bytes = bytes;
        this.at = from;
        this.to = to;
        try {
            String error = sizeUpdates();
            while (error == null && at < this.to) {
                error = field(list);
            }
            return error;
        } finally {
            this.bytes = NOTHING;
            this.text = NOTHING;
        }
    }

    /// Decodes the updates at the start of a block (RFC 7541, sections 4.2 and 6.3).
    private @Nullable String sizeUpdates() {
        while (at < to && isSizeUpdate(bytes[at])) {
            int size = integer(5);
            if (size < 0) {
                return BAD_INTEGER;
            }
            if (size > tableSizeMax) {
                return BAD_RESIZE;
            }
            table.resize(size);
            mustResize = false;
        }
        return mustResize ? MISSING_RESIZE : null;
    }

    private static boolean isSizeUpdate(byte first) {
        return (first & 0xE0) == 0x20;
    }

    private @Nullable String field(HeaderList list) {
        byte first = bytes[at];
        if (first < 0) { // 1xxxxxxx: indexed (section 6.1)
            int index = integer(7);
            HeaderField field = entry(index);
            if (field == null) {
                return index < 0 ? BAD_INTEGER : BAD_INDEX;
            }
            list.add(field);
            return null;
        }
        if ((first & 0x40) != 0) { // 01xxxxxx: literal, added to the table (section 6.2.1)
            return literal(6, true, list);
        }
        // 0000xxxx: not added, 0001xxxx: never added (sections 6.2.2 and 6.2.3)
        return isSizeUpdate(first) ? LATE_RESIZE : literal(4, false, list);
    }

    private @Nullable String literal(int prefix, boolean isAdded, HeaderList list) {
        int index = integer(prefix);
        if (index < 0) {
            return BAD_INTEGER;
        }
        boolean isSkipped = !isAdded && list.isTooLarge();
        FieldName name = null;
        if (index > 0) {
            HeaderField named = entry(index);
            if (named == null) {
                return BAD_INDEX;
            }
            name = named.name();
        } else {
            String error = string(list, isSkipped);
            if (error != null) {
                return error;
            }
            name = isSkipped ? null : FieldName.of(text, textFrom, textTo);
        }
        String error = string(list, isSkipped);
        if (error != null || isSkipped || name == null) {
            return error;
        }
        HeaderField field = HeaderField.of(name, text, textFrom, textTo);
        if (isAdded) {
            table.add(field);
        }
        list.add(field);
        return null;
    }

    private @Nullable HeaderField entry(int index) {
        if (index <= 0) {
            return null;
        }
        return index <= StaticTable.SIZE
                ? StaticTable.get(index)
                : table.get(index - StaticTable.SIZE - 1);
    }

    /// Reads a string (RFC 7541, section 5.2), unless it is skipped.
    private @Nullable String string(HeaderList list, boolean isSkipped) {
        if (at == to) {
            return BAD_STRING;
        }
        boolean isHuffman = bytes[at] < 0;
        int length = integer(7);
        if (length < 0) {
            return BAD_INTEGER;
        }
        if (length > to - at) {
            return BAD_STRING;
        }
        int from = at;
        at += length;
        if (isSkipped) {
            return null;
        }
        if (!isHuffman) {
            text = bytes;
            textFrom = from;
            textTo = at;
            return null;
        }
        text = list.text(Huffman.decodedMax(length));
        textFrom = 0;
        textTo = Huffman.decode(bytes, from, at, text);
        return textTo < 0 ? BAD_CODE : null;
    }

    /// Reads an integer (RFC 7541, section 5.1) of at most five continuation bytes.
    ///
    /// @param prefix how many bits of the first byte belong to it
    /// @return the integer, or [#TRUNCATED] or [#TOO_LARGE]
    private int integer(int prefix) {
        int mask = (1 << prefix) - 1;
        int first = bytes[at++] & mask;
        return first < mask ? first : longInteger(mask);
    }

    private int longInteger(int mask) {
        long value = mask;
        for (int shift = 0; shift <= CONTINUATION_SHIFT_MAX; shift += 7) {
            if (at == to) {
                return TRUNCATED;
            }
            byte next = bytes[at++];
            value += (next & 0x7FL) << shift;
            if (next >= 0) {
                return value <= INTEGER_MAX ? (int) value : TOO_LARGE;
            }
        }
        return TOO_LARGE;
    }
}
