package dev.tandem.http.h2;

import java.util.IdentityHashMap;
import java.util.Map;

/// The static table of HPACK (RFC 7541, appendix A).
final class StaticTable {
    /// The number of entries; the first entry of a dynamic table has the next index.
    static final int SIZE = 61;

    /// One entry in each line, from index 1: name, space, value.
    private static final String ENTRIES =
            """
            :authority
            :method GET
            :method POST
            :path /
            :path /index.html
            :scheme http
            :scheme https
            :status 200
            :status 204
            :status 206
            :status 304
            :status 400
            :status 404
            :status 500
            accept-charset
            accept-encoding gzip, deflate
            accept-language
            accept-ranges
            accept
            access-control-allow-origin
            age
            allow
            authorization
            cache-control
            content-disposition
            content-encoding
            content-language
            content-length
            content-location
            content-range
            content-type
            cookie
            date
            etag
            expect
            expires
            from
            host
            if-match
            if-modified-since
            if-none-match
            if-range
            if-unmodified-since
            last-modified
            link
            location
            max-forwards
            proxy-authenticate
            proxy-authorization
            range
            referer
            refresh
            retry-after
            server
            set-cookie
            strict-transport-security
            transfer-encoding
            user-agent
            vary
            via
            www-authenticate
            """;

    private static final HeaderField[] FIELDS = fields();
    private static final Map<FieldName, Integer> FIRST = first();

    private StaticTable() {}

    /// Returns an entry.
    ///
    /// @param index 1 to [#SIZE]
    static HeaderField get(int index) {
        return FIELDS[index];
    }

    /// Returns the first index with that name, or 0.
    static int index(FieldName name) {
        Integer first = FIRST.get(name);
        return first == null ? 0 : first;
    }

    /// Returns the index of an entry, or 0.
    ///
    /// @param first the first index with that name
    static int index(int first, FieldName name, String value) {
        for (int i = first; i <= SIZE && FIELDS[i].name() == name; i++) {
            if (FIELDS[i].value().equals(value)) {
                return i;
            }
        }
        return 0;
    }

    private static HeaderField[] fields() {
        String[] lines = ENTRIES.split("\n");
        var fields = new HeaderField[SIZE + 1];
        fields[0] = HeaderField.of(FieldName.of("host"), ""); // index 0 is never asked for
        for (int i = 1; i <= SIZE; i++) {
            String line = lines[i - 1];
            int end = line.indexOf(' ');
            FieldName name = FieldName.of(end < 0 ? line : line.substring(0, end));
            fields[i] = HeaderField.of(name, end < 0 ? "" : line.substring(end + 1));
        }
        return fields;
    }

    private static Map<FieldName, Integer> first() {
        var first = new IdentityHashMap<FieldName, Integer>();
        for (int i = SIZE; i > 0; i--) {
            first.put(FIELDS[i].name(), i);
        }
        return first;
    }
}
