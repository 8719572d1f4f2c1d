package dev.tandem.http.h1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.http.MalformedMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// RFC 9110, section 10.1.1: Expect.
class Rfc9110Section10Test {

    @ParameterizedTest
    @ValueSource(strings = {"100-continue", "100-Continue", "100-CONTINUE\t"})
    void clientMayWaitForContinue(String value) {
        String lines = "Expect: " + value + "\r\nContent-Length: 5\r\n";
        assertTrue(SplitInput.head(SplitInput.request(lines)).expectsContinue());
    }

    @Test
    void clientMayWaitBeforeChunkedBody() {
        String lines = "Expect: 100-continue\r\nTransfer-Encoding: chunked\r\n";
        assertTrue(SplitInput.head(SplitInput.request(lines)).expectsContinue());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Content-Length: 0\r\n"})
    void expectWithoutBodyIsIgnored(String lines) {
        assertFalse(
                SplitInput.head(SplitInput.request("Expect: 100-continue\r\n" + lines))
                        .expectsContinue());
    }

    @Test
    void expectInHttp10IsIgnored() {
        String wire = "POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n";
        assertFalse(SplitInput.head(wire).expectsContinue());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "200-ok",
                "100-continue, x",
                "100-continue,100-continue",
                "100-continued",
                "100 continue",
                "x=y",
                "100"
            })
    void otherExpectationsFail(String value) {
        assertEquals(
                new MalformedMessage(417, "expectation other than 100-continue"),
                SplitInput.bad(SplitInput.request("Expect: " + value + "\r\n")));
    }
}
