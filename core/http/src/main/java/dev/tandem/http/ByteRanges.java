package dev.tandem.http;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The evaluation of a Range header (RFC 9110, section 14.2).
public sealed interface ByteRanges {

    /// The maximum number of ranges in a request. A header with more is ignored and the complete
    /// representation is sent, which costs less than hundreds of small parts with a head each.
    int COUNT_MAX = 32;

    /// The header is ignored, because it is malformed, uses another unit or requests too many
    /// ranges. The complete representation is sent with status 200.
    record Ignored() implements ByteRanges {
        static final Ignored IGNORED = new Ignored();
    }

    /// No range is satisfiable: the response is 416 with the `Content-Range` of [#contentRange()].
    ///
    /// @param size of the complete representation, in bytes
    record Unsatisfiable(long size) implements ByteRanges {

        public String contentRange() {
            return "bytes */" + size;
        }
    }

    /// The parts of a 206 response: at least one, in the requested order. Ranges that overlap, or
    /// whose gap is smaller than another part's head, are merged, as section 15.3.7.2 permits.
    record Parts(List<ByteRange> ranges) implements ByteRanges {

        public Parts {
            ranges = List.copyOf(ranges);
        }
    }

    /// Parses a Range header. Never throws an exception, whatever the client sends.
    ///
    /// @param field its value, or null if the request has none
    /// @param size of the complete representation, in bytes; at least 0
    static ByteRanges parse(@Nullable String field, long size) {
        if (field == null || !field.regionMatches(true, 0, "bytes=", 0, 6)) {
            return Ignored.IGNORED;
        }
        var specs = new ArrayList<RangeSpec>();
        for (int from = 6; from <= field.length(); ) {
            int comma = field.indexOf(',', from);
            int end = comma < 0 ? field.length() : comma;
            String text = field.substring(from, end).strip();
            // Lists may contain empty elements (section 5.6.1.2).
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
                    // A suffix range of an empty representation is empty; Content-Range cannot
                    // express that.
                    return Ignored.IGNORED;
                }
                RangeSpec.merge(spec.range(size), ranges);
            }
        }
        return ranges.isEmpty() ? new Unsatisfiable(size) : new Parts(ranges);
    }
}
