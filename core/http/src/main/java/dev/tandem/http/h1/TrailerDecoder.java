package dev.tandem.http.h1;

import dev.tandem.http.HeadLimits;
import dev.tandem.http.Headers;
import dev.tandem.http.KnownHeader;
import dev.tandem.http.MalformedMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Decodes the trailer fields of a chunked body (RFC 9112, section 7.1.2). They are kept separate
/// from the headers and never merged (RFC 9110, section 6.5.1).
final class TrailerDecoder {
    private static final int CRLF_LENGTH = 2;

    private final HeadLimits heads;
    private final FieldLine fieldLine = new FieldLine();
    private final List<String> names = new ArrayList<>(0);
    private final List<String> values = new ArrayList<>(0);
    private int fields;
    private int length;

    TrailerDecoder(HeadLimits heads) {
        this.heads = heads;
    }

    /// Returns the maximum length of the next line without its CRLF, such that the empty line still
    /// fits after it; negative if only the empty line fits.
    int lineMax() {
        return heads.trailersMax() - length - 2 * CRLF_LENGTH;
    }

    MalformedMessage tooLong() {
        return new MalformedMessage(431, "trailers longer than " + heads.trailersMax() + " bytes");
    }

    /// Adds one field line, which is not empty and not longer than [#lineMax()].
    @Nullable MalformedMessage add(byte[] line, int lineLength) {
        length += lineLength + CRLF_LENGTH;
        fields++;
        if (fields > heads.headersMax()) {
            return new MalformedMessage(431, "more than " + heads.headersMax() + " trailer fields");
        }
        MalformedMessage syntax = fieldLine.parse(line, 0, lineLength);
        if (syntax != null) {
            return syntax;
        }
        KnownHeader known = KnownHeader.of(line, 0, fieldLine.nameTo());
        if (known == null) {
            names.add(text(line, 0, fieldLine.nameTo()));
            values.add(text(line, fieldLine.valueFrom(), fieldLine.valueTo()));
            return null;
        }
        // RFC 9110, section 6.5.1 forbids trailer fields that must be known before the content is
        // read. Those that frame or route a message have no legitimate use in trailers and are
        // rejected. Other known headers (authentication, conditions, content format) are dropped,
        // so that no handler mistakes them for headers of the request.
        return Framing.isFramingHeader(known)
                ? MalformedMessage.badRequest("trailer field that frames or routes the message")
                : null;
    }

    Headers headers() {
        return Headers.of(
                names.toArray(new String[0]), values.toArray(new String[0]), names.size());
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }
}
