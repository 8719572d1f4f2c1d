package dev.tandem.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StatusTest {

    @ParameterizedTest
    @CsvSource({
        "100, Continue",
        "200, OK",
        "206, Partial Content",
        "304, Not Modified",
        "413, Content Too Large",
        "431, Request Header Fields Too Large",
        "511, Network Authentication Required",
        "199, Unknown Information",
        "299, Unknown Success",
        "399, Unknown Redirection",
        "499, Unknown Client Error",
        "599, Unknown Server Error",
        "600, Unknown Status",
        "-1, Unknown Status"
    })
    void everyStatusHasReasonPhrase(int status, String reason) {
        assertEquals(reason, Status.reasonPhrase(status));
    }

    @Test
    void reasonPhraseIsNeverEmpty() {
        for (int status = -1; status < 1_100; status++) {
            assertFalse(Status.reasonPhrase(status).isBlank(), "status " + status);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 101, 103, 204, 205, 304})
    void statusWithoutContentAllowsNone(int status) {
        assertFalse(Status.allowsContent(status));
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 201, 206, 301, 400, 404, 416, 500, 599})
    void otherStatusAllowsContent(int status) {
        assertEquals(true, Status.allowsContent(status));
    }

    @Test
    void endsAResponseWithItsHeadWhereRfc9112SaysSo() {
        for (int status = 100; status < 600; status++) {
            boolean hasNone = status < 200 || status == 204 || status == 304;
            assertEquals(hasNone, Status.endsWithHead(status), "status " + status);
            assertEquals(status == 205, Status.isEmptyByLength(status), "status " + status);
            boolean isEmpty = Status.endsWithHead(status) || Status.isEmptyByLength(status);
            assertEquals(!isEmpty, Status.allowsContent(status), "status " + status);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {204, 205, 304})
    void preparedResponseWithoutContentHasNone(int status) {
        ByteBuffer one = ByteBuffer.allocateDirect(1);
        ByteBuffer none = ByteBuffer.allocateDirect(0);
        String length = "Content-Length: 0\r\n";
        assertThrows(
                IllegalArgumentException.class, () -> new PreparedResponse(status, length, one));
        assertEquals(status, new PreparedResponse(status, length, none).status());
        if (status == 205) {
            assertThrows(IllegalArgumentException.class, () -> new PreparedResponse(205, "", none));
        }
    }
}
