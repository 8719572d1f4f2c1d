package dev.tandem.load;

import dev.tandem.http.h2.HeadWriter;
import dev.tandem.http.h2.HpackEncoder;
import java.util.ArrayList;
import java.util.List;

/// Encodes requests as header blocks (RFC 9113, section 8.3.1). Confined to one load thread, all of
/// whose connections use it.
final class RequestEncoder {
    private final HeadWriter writer = new HeadWriter();
    private final String scheme;
    private final String authority;

    /// Headers of every request.
    private final List<Call.Header> fields;

    /// @param target whose scheme and authority requests name
    /// @param fields headers of every request; `Host` replaces the authority
    RequestEncoder(Target target, List<Call.Header> fields) {
        this.scheme = target.isTls() ? "https" : "http";
        String named = target.authority();
        var others = new ArrayList<Call.Header>();
        for (Call.Header field : fields) {
            if (field.name().equalsIgnoreCase("Host")) {
                named = field.value();
            } else {
                others.add(field);
            }
        }
        this.authority = named;
        this.fields = List.copyOf(others);
    }

    /// Encodes a request.
    ///
    /// @param encoder of its connection
    /// @param own header lines of this user, each with its end; may be empty
    /// @return valid until the next call
    HeadWriter encode(HpackEncoder encoder, Call call, String own) {
        writer.start(encoder).request(call.method(), scheme, authority, call.target());
        for (Call.Header field : fields) {
            writer.header(field.name(), field.value());
        }
        for (Call.Header field : call.fields()) {
            writer.header(field.name(), field.value());
        }
        if (call.hasLength()) {
            writer.contentLength(call.bodyLength());
        }
        if (!own.isEmpty()) {
            own.lines().forEach(this::line);
        }
        return writer;
    }

    private void line(String line) {
        int colon = line.indexOf(':');
        writer.header(line.substring(0, colon), line.substring(colon + 1).strip());
    }
}
