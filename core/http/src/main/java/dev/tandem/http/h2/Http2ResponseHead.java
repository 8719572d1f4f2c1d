package dev.tandem.http.h2;

import dev.tandem.http.Headers;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The head of an HTTP/2 response (RFC 9113, section 8.3.2), as a client receives it. Immutable.
///
/// @param status 100 to 599 without 101
/// @param headers in the order received, with names in lower case, without pseudo-headers
/// @param contentLength in bytes, or -1 if absent
public record Http2ResponseHead(int status, Headers headers, long contentLength) {

    /// Returns why a list is malformed, which is an error of its stream, or null.
    public static @Nullable String error(HeaderList list) {
        if (list.isTooLarge()) {
            return "header list over its limits";
        }
        if (list.count() == 0 || list.field(0).name().kind() != FieldName.Kind.STATUS) {
            return "no :status";
        }
        boolean hasLength = false;
        for (int i = 0; i < list.count(); i++) {
            HeaderField field = list.field(i);
            if (field.error() != null) {
                return field.error();
            }
            if (i > 0 && field.name().kind().isPseudo()) {
                return "pseudo-header other than one :status";
            }
            if (field.name().kind() == FieldName.Kind.CONTENT_LENGTH) {
                if (hasLength) {
                    return "more than one Content-Length header";
                }
                hasLength = true;
            }
        }
        return null;
    }

    /// Returns the head that a list without [#error(HeaderList)] has.
    public static Http2ResponseHead of(HeaderList list) {
        int count = list.count() - 1;
        var names = new String[count];
        var values = new String[count];
        Arrays.setAll(names, i -> list.name(i + 1));
        Arrays.setAll(values, i -> list.value(i + 1));
        Headers headers = Headers.of(names, values, count);
        String length = headers.first("content-length");
        return new Http2ResponseHead(
                Integer.parseInt(list.value(0)),
                headers,
                length == null ? -1 : Long.parseLong(length));
    }
}
