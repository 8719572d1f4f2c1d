package dev.tandem.http.h2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9113, sections 8.1 and 8.3.2.
class ResponseHeadTest {

    @Test
    void responseIsTranslated() {
        HeaderList list = Lists.of(":status: 404", "content-length: 12", "a: b");
        assertNull(Http2ResponseHead.error(list));
        Http2ResponseHead head = Http2ResponseHead.of(list);
        assertEquals(404, head.status());
        assertEquals(12, head.contentLength());
        assertEquals("content-length: 12\na: b\n", head.headers().toString());
    }

    @Test
    void interimResponseIsTranslated() {
        Http2ResponseHead head = Http2ResponseHead.of(Lists.of(":status: 103"));
        assertEquals(new Http2ResponseHead(103, head.headers(), -1), head);
        assertEquals(0, head.headers().size());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "20", "2000", "099", "600", "2x0", "101", "-20", " 20"})
    void malformedStatusIsRejected(String status) {
        assertEquals("malformed :status", Http2ResponseHead.error(Lists.of(":status: " + status)));
    }

    @Test
    void malformedResponseIsRejected() {
        assertEquals("no :status", Http2ResponseHead.error(Lists.of()));
        assertEquals("no :status", Http2ResponseHead.error(Lists.of("a: b")));
        String pseudo = "pseudo-header other than one :status";
        assertEquals(pseudo, Http2ResponseHead.error(Lists.of(":status: 200", ":status: 200")));
        assertEquals(pseudo, Http2ResponseHead.error(Lists.of(":status: 200", ":path: /")));
        assertEquals(
                "connection-specific header",
                Http2ResponseHead.error(Lists.of(":status: 200", "connection: close")));
        assertEquals(
                "more than one Content-Length header",
                Http2ResponseHead.error(
                        Lists.of(":status: 200", "content-length: 1", "content-length: 1")));
        assertEquals(
                "header list over its limits",
                Http2ResponseHead.error(Lists.of(50, ":status: 200", "a: b")));
    }

    @Test
    void trailersAreTranslated() {
        HeaderList list = Lists.of("grpc-status: 0", "cookie: a", "x-sum: 1");
        assertNull(Http2Trailers.error(list, true));
        assertEquals("grpc-status: 0\nx-sum: 1\n", Http2Trailers.of(list).toString());
    }

    @Test
    void malformedTrailersAreRejected() {
        assertEquals("headers within the content", Http2Trailers.error(Lists.of("a: b"), false));
        assertEquals(
                "pseudo-header in trailers",
                Http2Trailers.error(Lists.of("a: b", ":path: /"), true));
        assertEquals("upper case in a field name", Http2Trailers.error(Lists.of("A: b"), true));
        assertEquals(
                "trailers over the limits of a header list",
                Http2Trailers.error(Lists.of(10, "a: b"), true));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"content-length: 5", "host: a", "te: trailers", "trailer: a", "expect: x"})
    void framingInTrailersIsRejected(String header) {
        assertEquals(
                "trailer field that frames or routes the message",
                Http2Trailers.error(Lists.of(header), true));
    }

    @Test
    void contentIsComparedWithItsLength() {
        var length = new ContentLength(5);
        assertEquals(true, length.add(3));
        assertEquals(false, length.isComplete());
        assertEquals(true, length.add(2));
        assertEquals(true, length.isComplete());
        assertEquals(true, length.add(0));
        assertEquals(false, length.add(1));
        assertEquals(6, length.received());
        var unknown = new ContentLength(-1);
        assertEquals(true, unknown.isComplete());
        assertEquals(true, unknown.add(Integer.MAX_VALUE));
        assertEquals(true, unknown.isComplete());
        assertEquals(true, new ContentLength(0).isComplete());
        assertEquals(false, new ContentLength(0).add(1));
    }
}
