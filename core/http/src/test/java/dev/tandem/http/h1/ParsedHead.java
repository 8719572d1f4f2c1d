package dev.tandem.http.h1;

import java.util.ArrayList;
import java.util.List;

/// The content of a head, for comparison and messages.
///
/// @param flags those of chunked, continue, keep-alive, upgrade that hold, in this order
/// @param fields a line each
record ParsedHead(
        String method,
        String target,
        int minorVersion,
        int length,
        long contentLength,
        List<String> flags,
        String fields) {

    static ParsedHead of(Http1RequestHead head) {
        var flags = new ArrayList<String>();
        addIf(head.isChunked(), "chunked", flags);
        addIf(head.expectsContinue(), "continue", flags);
        addIf(head.isKeepAlive(), "keep-alive", flags);
        addIf(head.isUpgrade(), "upgrade", flags);
        return new ParsedHead(
                head.method(),
                SplitInput.text(head.bytes(), head.targetFrom(), head.targetTo()),
                head.minorVersion(),
                head.length(),
                head.contentLength(),
                flags,
                head.headers().toString());
    }

    static void addIf(boolean holds, String flag, List<String> flags) {
        if (holds) {
            flags.add(flag);
        }
    }

    /// Returns a head with the same content in plain form.
    String encoded() {
        return method
                + " "
                + target
                + " HTTP/1."
                + minorVersion
                + "\r\n"
                + fields.replace("\n", "\r\n")
                + "\r\n";
    }

    ParsedHead withLength(int length) {
        return new ParsedHead(method, target, minorVersion, length, contentLength, flags, fields);
    }
}
