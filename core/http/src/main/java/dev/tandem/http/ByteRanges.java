package dev.tandem.http;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a Range field asks for (RFC 9110, section 14.2).
public sealed interface ByteRanges {

    /// The most ranges a request may ask for. Beyond, the field is ignored, and the whole is sent:
    /// that costs less than hundreds of small parts, each with its head.
    int COUNT_MAX = 32;

    /// Nothing that counts: the field is malformed, of another unit, or asks for too much. The
    /// whole is sent with 200.
    record Ignored() implements ByteRanges {
        static final Ignored IGNORED = new Ignored();
    }

    /// Nothing that is there: 416, with `Content-Range` as [#contentRange()] says.
    ///
    /// @param size of the whole, in bytes
    record Unsatisfiable(long size) implements ByteRanges {

        public String contentRange() {
            return "bytes */" + size;
        }
    }

    /// Parts, for a 206: at least one, in the order asked for. Those that overlap, or lie so near
    /// that the gap is smaller than another part's head, are merged, as section 15.3.7.2 has it.
    record Parts(List<ByteRange> ranges) implements ByteRanges {

        public Parts {
            ranges = List.copyOf(ranges);
        }
    }

    /// Reads a Range field. Never throws on what a client can send.
    ///
    /// @param field its value, or null if there is none
    /// @param size of the whole, in bytes; at least 0
    static ByteRanges parse(@Nullable String field, long size) {
        if (field == null || !field.regionMatches(true, 0, "bytes=", 0, 6)) {
            return Ignored.IGNORED;
        }
        var specs = new ArrayList<RangeSpec>();
        for (int from = 6; from <= field.length(); ) {
            int comma = field.indexOf(',', from);
            int end = comma < 0 ? field.length() : comma;
            String text = field.substring(from, end).strip();
            // Lists may have empty elements (section 5.6.1.2).
            if (!text.isEmpty()) {
                RangeSpec spec = RangeSpec.parse(text);
                if (spec == null || specs.size() == COUNT_MAX) {
                    return Ignored.IGNORED;
                }
                specs.add(spec);
            }
            from = end + 1;
        }
        return specs.isEmpty() ? Ignored.IGNORED : resolve(specs, size);
    }

    private static ByteRanges resolve(List<RangeSpec> specs, long size) {
        var ranges = new ArrayList<ByteRange>();
        for (RangeSpec spec : specs) {
            if (spec.isSatisfiable(size)) {
                if (size == 0) {
                    // The end of nothing is nothing, which no Content-Range can say.
                    return Ignored.IGNORED;
                }
                RangeSpec.merge(spec.range(size), ranges);
            }
        }
        return ranges.isEmpty() ? new Unsatisfiable(size) : new Parts(ranges);
    }
}
