package dev.tandem.http.h1;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9110, section 6.5, and RFC 9112, section 7.1.2: trailer fields.
class Rfc9110Section6Test {

    @Test
    void trailersFollowTheLastChunk() {
        assertEquals("X-Sum: 42\nY: \n", trailers("X-Sum:  42 \r\nY:\r\n").trailers());
    }

    @Test
    void trailersAreEmptyBeforeEnd() {
        assertEquals("", SplitInput.chunked("0\r\nX-Sum: 42\r\n").trailers());
    }

    @Test
    void trailersBelongToTheBody() {
        String wire = "1\r\nx\r\n0\r\nX-Sum: 42\r\n\r\n";
        assertEquals(wire.length(), SplitInput.chunked(wire + "X-Not: mine\r\n\r\n").consumed());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 5", "transfer-encoding: chunked", "HOST: b.example",
                        "TE: trailers",
                "Connection: close", "Trailer: X", "Upgrade: x", "Expect: 100-continue"
            })
    void framingAndRoutingTrailersAreRejected(String line) {
        assertEquals(
                "400 trailer field that frames or routes the message",
                trailers(line + "\r\n").end());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Authorization: Basic eDp5",
                "Cookie: a=b",
                "content-type: text/html",
                "Range: bytes=0-",
                "If-Match: *",
                "Accept: */*",
                "User-Agent: x"
            })
    void otherKnownTrailersAreDropped(String line) {
        assertEquals("X: y\n", trailers(line + "\r\nX: y\r\n").trailers());
    }

    @ParameterizedTest
    @ValueSource(strings = {" X: y", "X : y", "X", ": y", "X/Y: z"})
    void malformedLineIsRejected(String line) {
        assertEquals(400, Integer.parseInt(trailers(line + "\r\n").end().substring(0, 3)));
    }

    @Test
    void foldedLineIsRejected() {
        assertEquals("400 folded field line", trailers("X: y\r\n z\r\n").end());
    }

    @Test
    void trailersUpToLimitAreAccepted() {
        var limits = Http1Limits.DEFAULT.withHeads(h -> h.withTrailersMax(10));
        assertEquals("X: yz\n", SplitInput.chunked(limits, "0\r\nX: yz \r\n\r\n").trailers());
    }

    @Test
    void trailersBeyondLimitAreRejectedEarly() {
        var limits = Http1Limits.DEFAULT.withHeads(h -> h.withTrailersMax(10));
        assertEquals(
                "431 trailers longer than 10 bytes",
                SplitInput.chunked(limits, "0\r\nX: yz  ").end());
    }

    @Test
    void manyShortTrailersAreRejected() {
        var limits = Http1Limits.DEFAULT.withHeads(h -> h.withTrailersMax(10));
        assertEquals(
                "431 trailers longer than 10 bytes",
                SplitInput.chunked(limits, "0\r\nX:\r\nY:\r\nZ:\r\n").end());
    }

    @Test
    void moreTrailersThanHeadersMaxAreRejected() {
        var limits = Http1Limits.DEFAULT.withHeads(h -> h.withHeadersMax(2));
        assertEquals(
                "431 more than 2 trailer fields",
                SplitInput.chunked(limits, "0\r\nA: 1\r\nB: 2\r\nC: 3\r\n").end());
    }

    private static SplitInput.BodyReading trailers(String lines) {
        return SplitInput.chunked("0\r\n" + lines + "\r\n");
    }
}
