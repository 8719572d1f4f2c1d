package dev.tandem.http.h2;

/// The encoder's state of a connection (RFC 7541): the dynamic table that the peer's decoder has.
/// [HeadWriter] encodes with it. Header blocks must be sent in the order in which they were
/// written, each of them (RFC 9113, section 4.3).
///
/// Values that differ in each message are not added to the table (`content-length`, `etag`);
/// secrets are marked so that no intermediary adds them either (`set-cookie`, `authorization`, and
/// cookies of less than 20 characters, which are short enough to be guessed; RFC 7541, section
/// 7.1.3).
///
/// Confined to its connection's owner.
public final class HpackEncoder {
    /// Shorter cookies are never indexed.
    private static final int SECRET_LENGTH = 20;

    private static final int INDEXED = 0x80;
    private static final int ADDED = 0x40;
    private static final int SIZE_UPDATE = 0x20;
    private static final int NEVER = 0x10;
    private static final int NOT_ADDED = 0;

    private final int ownMax;
    private final EncoderTable table;

    /// The table size that the peer knows.
    private int announcedSize = Settings.INITIAL.headerTableSize();

    /// The smallest size since the last block; smaller than the table's if it has grown again.
    private int leastSize;

    /// @param tableSizeMax the maximum size of the table, in bytes, whatever the peer allows; at
    ///     least 0. Each entry counts its name and value, and 32
    public HpackEncoder(int tableSizeMax) {
        if (tableSizeMax < 0) {
            throw new IllegalArgumentException(
                    "table size must be at least 0, was " + tableSizeMax);
        }
        this.ownMax = tableSizeMax;
        this.table = new EncoderTable(Math.min(announcedSize, tableSizeMax));
        this.leastSize = table.sizeMax();
    }

    /// Applies the peer's header table size; the next block announces the change (RFC 7541, section
    /// 4.2).
    public void apply(SettingsChange change) {
        resize(change.headerTableSizeMin());
        resize(change.after().headerTableSize());
    }

    private void resize(int peerMax) {
        table.resize(Math.min(ownMax, peerMax));
        leastSize = Math.min(leastSize, table.sizeMax());
    }

    /// Starts a block: announces changes of the table size.
    void start(HeaderBlock out) {
        if (leastSize < Math.min(announcedSize, table.sizeMax())) {
            out.integer(SIZE_UPDATE, 5, leastSize);
            announcedSize = leastSize;
        }
        if (table.sizeMax() != announcedSize) {
            out.integer(SIZE_UPDATE, 5, table.sizeMax());
            announcedSize = table.sizeMax();
        }
        leastSize = announcedSize;
    }

    /// Encodes a header whose value is Latin-1.
    void encode(HeaderBlock out, FieldName name, String value) {
        FieldName.Indexing indexing = indexing(name, value);
        int nameIndex = StaticTable.index(name);
        int index = staticIndex(nameIndex, name, value, indexing);
        if (index == 0 && indexing == FieldName.Indexing.ADDED) {
            index = table.index(name.text(), value);
        }
        if (index > 0) {
            out.integer(INDEXED, 7, index);
        } else if (indexing == FieldName.Indexing.ADDED) {
            add(out, name, nameIndex, value);
        } else {
            literal(out, name, nameIndex, value, indexing);
        }
    }

    private void add(HeaderBlock out, FieldName name, int staticIndex, String value) {
        // The name's index is that before the new entry.
        int nameIndex = staticIndex == 0 ? table.nameIndex(name.text()) : staticIndex;
        boolean isAdded = table.add(name.text(), value);
        writeName(out, isAdded ? ADDED : NOT_ADDED, isAdded ? 6 : 4, nameIndex, name);
        out.string(value);
    }

    /// Encodes a header independently of any dynamic table.
    static void encodeStatic(HeaderBlock out, FieldName name, String value) {
        FieldName.Indexing indexing = indexing(name, value);
        int nameIndex = StaticTable.index(name);
        int index = staticIndex(nameIndex, name, value, indexing);
        if (index > 0) {
            out.integer(INDEXED, 7, index);
        } else {
            literal(out, name, nameIndex, value, indexing);
        }
    }

    private static int staticIndex(
            int nameIndex, FieldName name, String value, FieldName.Indexing indexing) {
        return nameIndex == 0 || indexing == FieldName.Indexing.NEVER
                ? 0
                : StaticTable.index(nameIndex, name, value);
    }

    /// Encodes the name of a header whose value follows and is not added to the table.
    static void encodeName(HeaderBlock out, FieldName name) {
        writeName(out, NOT_ADDED, 4, StaticTable.index(name), name);
    }

    private static void literal(
            HeaderBlock out,
            FieldName name,
            int nameIndex,
            String value,
            FieldName.Indexing indexing) {
        boolean isSecret = indexing == FieldName.Indexing.NEVER;
        writeName(out, isSecret ? NEVER : NOT_ADDED, 4, nameIndex, name);
        out.string(value);
    }

    private static void writeName(
            HeaderBlock out, int pattern, int prefix, int nameIndex, FieldName name) {
        out.integer(pattern, prefix, nameIndex);
        if (nameIndex == 0) {
            out.string(name.text());
        }
    }

    private static FieldName.Indexing indexing(FieldName name, String value) {
        FieldName.Indexing indexing = name.indexing();
        if (indexing != FieldName.Indexing.NEVER_IF_SHORT) {
            return indexing;
        }
        return value.length() < SECRET_LENGTH ? FieldName.Indexing.NEVER : FieldName.Indexing.ADDED;
    }

    /// Returns the table, for tests.
    EncoderTable table() {
        return table;
    }
}
