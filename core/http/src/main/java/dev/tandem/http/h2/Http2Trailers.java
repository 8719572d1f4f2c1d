package dev.tandem.http.h2;

import dev.tandem.http.Headers;
import dev.tandem.http.KnownHeader;
import org.jspecify.annotations.Nullable;

/// Trailers (RFC 9113, section 8.1): the header list after the content, which ends its stream.
public final class Http2Trailers {

    private Http2Trailers() {}

    /// Returns why trailers are malformed, which is an error of their stream, or null.
    ///
    /// @param isEndStream whether the list ends the stream, as trailers must
    public static @Nullable String error(HeaderList list, boolean isEndStream) {
        if (!isEndStream) {
            return "headers within the content";
        }
        if (list.isTooLarge()) {
            return "trailers over the limits of a header list";
        }
        for (int i = 0; i < list.count(); i++) {
            HeaderField field = list.field(i);
            if (field.name().kind().isPseudo()) {
                return "pseudo-header in trailers";
            }
            if (field.error() != null) {
                return field.error();
            }
            if (isFraming(field.name())) {
                return "trailer field that frames or routes the message";
            }
        }
        return null;
    }

    /// Returns the trailers of a list without [#error(HeaderList, boolean)]. Known request headers
    /// are dropped, as in HTTP/1, so that no handler mistakes them for headers of the request (RFC
    /// 9110, section 6.5.1).
    public static Headers of(HeaderList list) {
        var names = new String[list.count()];
        var values = new String[list.count()];
        int count = 0;
        for (int i = 0; i < list.count(); i++) {
            if (list.field(i).name().known() == null) {
                names[count] = list.name(i);
                values[count] = list.value(i);
                count++;
            }
        }
        return Headers.of(names, values, count);
    }

    private static boolean isFraming(FieldName name) {
        return switch (name.kind()) {
            case TE, HOST, CONTENT_LENGTH, EXPECT -> true;
            default -> name.known() == KnownHeader.TRAILER;
        };
    }
}
