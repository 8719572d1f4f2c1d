package dev.tandem.http.h1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.http.MalformedMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9112, section 6: where a body ends.
class Rfc9112Section6Test {
    private static final MalformedMessage BAD_LENGTH =
            MalformedMessage.badRequest("Content-Length is not 1 to 18 digits");
    private static final MalformedMessage TWO_LENGTHS =
            MalformedMessage.badRequest("more than one Content-Length header");
    private static final MalformedMessage BOTH =
            MalformedMessage.badRequest("both Content-Length and Transfer-Encoding");
    private static final MalformedMessage OTHER_CODING =
            MalformedMessage.badRequest("Transfer-Encoding other than chunked");

    @Test
    void requestWithoutLengthHasNoBody() {
        assertFalse(SplitInput.head(SplitInput.request("")).hasBody());
    }

    @Test
    void requestWithoutLengthHasNoContentLength() {
        assertEquals(-1, SplitInput.head(SplitInput.request("")).contentLength());
    }

    @ParameterizedTest
    @CsvSource({
        "0,0",
        "5,5",
        "0005,5",
        "10,10",
        "000000000000000000,0",
        "999999999999999999,999999999999999999"
    })
    void digitsAreContentLength(String digits, long length) {
        assertEquals(length, length(digits).contentLength());
    }

    @Test
    void lengthOfZeroMeansNoBody() {
        assertFalse(length("0").hasBody());
    }

    @Test
    void positiveLengthMeansBody() {
        assertTrue(length("1").hasBody());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "+5",
                "-5",
                "-0",
                "5 5",
                "5,5",
                "5, 5",
                "5,",
                ",5",
                "0x5",
                "5h",
                "5.0",
                "5e1",
                "1_000",
                "\u00b2",
                "1000000000000000000",
                "99999999999999999999",
                "\"5\"",
                "5;",
                "five",
                "5\t5",
                "18446744073709551621"
            })
    void otherContentLengthsAreRejected(String value) {
        assertEquals(
                BAD_LENGTH,
                SplitInput.bad(SplitInput.request("Content-Length: " + value + "\r\n")));
    }

    @ParameterizedTest
    @CsvSource({"5,6", "5,5", "0,5", "0,0"})
    void repeatedContentLengthIsRejected(int first, int second) {
        String lines = "Content-Length: " + first + "\r\ncontent-length: " + second + "\r\n";
        assertEquals(TWO_LENGTHS, SplitInput.bad(SplitInput.request(lines)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"chunked", "Chunked", "CHUNKED", "chunked\t ", "\t chunked"})
    void chunkedCodingIsRecognized(String value) {
        assertTrue(coding(value).isChunked());
    }

    @Test
    void chunkedRequestHasBody() {
        assertTrue(coding("chunked").hasBody());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "chunked, gzip",
                "chunked, chunked",
                "chunked,",
                ",chunked",
                "chunked;q=1",
                "\"chunked\"",
                "x, chunked, chunked",
                "chunk ed",
                "chunked\u00a0"
            })
    void malformedCodingsAreRejected(String value) {
        assertEquals(
                OTHER_CODING,
                SplitInput.bad(SplitInput.request("Transfer-Encoding: " + value + "\r\n")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"identity", "gzip", "gzip, chunked", "x ,\ty", "chunke", "xchunked"})
    void unknownCodingIsNotImplemented(String value) {
        assertEquals(
                new MalformedMessage(501, "Transfer-Encoding other than chunked"),
                SplitInput.bad(SplitInput.request("Transfer-Encoding: " + value + "\r\n")));
    }

    @Test
    void repeatedTransferEncodingIsRejected() {
        assertEquals(
                MalformedMessage.badRequest("more than one Transfer-Encoding header"),
                SplitInput.bad(
                        SplitInput.request(
                                "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
                "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n",
                "Transfer-Encoding: chunked\r\nX: y\r\ncontent-length: 0\r\n",
                "Content-Length: 5\r\nTransfer-Encoding: identity\r\n",
            })
    void lengthWithChunkedCodingIsRejected(String lines) {
        assertEquals(BOTH, SplitInput.bad(SplitInput.request(lines)));
    }

    @Test
    void transferEncodingInHttp10IsRejected() {
        assertEquals(
                MalformedMessage.badRequest("Transfer-Encoding in HTTP/1.0"),
                SplitInput.bad("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n"));
    }

    @Test
    void contentLengthIsValidInHttp10() {
        assertEquals(
                5, SplitInput.head("POST / HTTP/1.0\r\nContent-Length: 5\r\n\r\n").contentLength());
    }

    @Test
    void headerNamesIgnoreCase() {
        assertEquals(
                7, SplitInput.head(SplitInput.request("cOnTeNt-LeNgTh: 7\r\n")).contentLength());
    }

    @Test
    void invalidLengthIsRejectedBeforeHeadEnds() {
        assertEquals(
                BAD_LENGTH,
                SplitInput.bad("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +5\r\nX"));
    }

    private static Http1RequestHead length(String value) {
        return SplitInput.head(SplitInput.request("Content-Length: " + value + "\r\n"));
    }

    private static Http1RequestHead coding(String value) {
        return SplitInput.head(SplitInput.request("Transfer-Encoding: " + value + "\r\n"));
    }
}
