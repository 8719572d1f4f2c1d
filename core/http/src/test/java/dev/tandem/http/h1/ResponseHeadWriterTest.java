package dev.tandem.http.h1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseHeadWriterTest {
    private final ResponseHeadWriter writer = new ResponseHeadWriter();

    @Test
    void headIsWritten() {
        writer.status(200)
                .date(SplitInput.bytes("Date: x\r\n"))
                .header("Content-Type", "text/plain")
                .contentLength(13)
                .header(SplitInput.bytes("Vary: Accept\r\nETag: \"1\"\r\n"))
                .end();
        assertEquals(
                "HTTP/1.1 200 OK\r\nDate: x\r\nContent-Type: text/plain\r\nContent-Length: 13\r\n"
                        + "Vary: Accept\r\nETag: \"1\"\r\n\r\n",
                written());
    }

    @Test
    void resetStartsNewHead() {
        writer.status(404).end();
        writer.reset().status(100).end();
        assertEquals("HTTP/1.1 100 Continue\r\n\r\n", written());
    }

    @Test
    void everyStatusHasReasonPhrase() {
        for (int status = 100; status <= 599; status++) {
            writer.reset().status(status);
            assertTrue(written().matches("HTTP/1\\.1 " + status + " [A-Za-z(].+\r\n"), written());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 99, 600, Integer.MAX_VALUE})
    void statusOutOfRangeThrows(int status) {
        assertThrows(IllegalArgumentException.class, () -> writer.status(status));
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 9, 10, 99, 100, 1_000_000_007, Long.MAX_VALUE})
    void anyContentLengthIsWritten(long length) {
        writer.contentLength(length);
        assertEquals("Content-Length: " + length + "\r\n", written());
    }

    @Test
    void negativeContentLengthThrows() {
        assertThrows(IllegalArgumentException.class, () -> writer.contentLength(-1));
    }

    @Test
    void valuesAreLatin1() {
        writer.header("X", "caf\u00e9\t\u00ff");
        assertEquals("X: caf\u00e9\t\u00ff\r\n", written());
    }

    /// The low bytes of U+010D and U+020A are CR and LF.
    @ParameterizedTest
    @ValueSource(
            strings = {"\r", "\n", "\r\nSet-Cookie: a=b", "\0", "\u007f", "\u010d\u020a", "\u20ac"})
    void valueWithLineBreakThrows(String value) {
        assertThrows(IllegalArgumentException.class, () -> writer.header("X", "a" + value));
    }

    @ParameterizedTest
    @CsvSource({"1,600", "511,1", "512,0", "0,100000"})
    void arrayGrowsAsNeeded(int before, int after) {
        writer.header("X", "a".repeat(before)).header("Y", "b".repeat(after)).end();
        assertEquals(
                "X: " + "a".repeat(before) + "\r\nY: " + "b".repeat(after) + "\r\n\r\n", written());
    }

    private String written() {
        return SplitInput.text(writer.bytes(), 0, writer.length());
    }
}
