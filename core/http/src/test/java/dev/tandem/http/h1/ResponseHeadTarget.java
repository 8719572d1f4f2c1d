package dev.tandem.http.h1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.http.FieldSyntax;
import dev.tandem.testkit.FuzzCorpus;
import java.util.Arrays;

/// Fuzz target: the head of an upstream's response. The result does not depend on how the input is
/// split, nor on what follows; what is accepted has one length and only valid headers.
public final class ResponseHeadTarget {
    private static final String LENGTH = "Content-Length";

    private ResponseHeadTarget() {}

    public static void fuzzerTestOneInput(byte[] input) {
        ResponseHeadDecoder whole = decode(input);
        assertEquals(description(whole), description(decode(input, FuzzCorpus.cuts(input))));
        if (result(whole) != RequestHeadDecoder.Result.COMPLETE) {
            return;
        }
        ResponseHead head = whole.head();
        byte[] alone = Arrays.copyOf(input, whole.length());
        assertEquals(description(whole), description(decode(alone)), "what follows matters");
        assertTrue(head.status() >= 100 && head.status() <= 999, () -> "status " + head.status());
        for (int i = 0; i < head.headers().size(); i++) {
            assertTrue(FieldSyntax.isToken(head.headers().name(i)));
            assertTrue(FieldSyntax.isValue(head.headers().value(i)));
        }
        boolean hasLength = head.headers().first(LENGTH) != null;
        assertFalse(hasLength && head.isChunked(), "two framings");
        assertTrue(head.headers().all(LENGTH).size() <= 1, "two lengths");
    }

    private static ResponseHeadDecoder decode(byte[] input, int... cuts) {
        var decoder = new ResponseHeadDecoder(HeadFuzz.LIMITS.heads());
        for (int cut : cuts) {
            decoder.decode(input, 0, cut);
        }
        decoder.decode(input, 0, input.length);
        return decoder;
    }

    private static RequestHeadDecoder.Result result(ResponseHeadDecoder decoder) {
        return decoder.decode(new byte[0], 0, 0);
    }

    private static String description(ResponseHeadDecoder decoder) {
        return switch (result(decoder)) {
            case INCOMPLETE -> "INCOMPLETE";
            case MALFORMED -> decoder.error().toString();
            case COMPLETE -> decoder.head() + " of " + decoder.length();
        };
    }
}
