package dev.tandem.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.cli.serving.Listen;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ListenTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "80",
                ":80",
                "localhost",
                "localhost:",
                "localhost:+80",
                "localhost:-1",
                "localhost:65536",
                "localhost:100000",
                "localhost:4294967376",
                "localhost:80 ",
                "localhost:٨٠",
                "::1:80",
                "[]:80"
            })
    void invalidAddressIsRejected(String text) {
        var rejection = assertThrows(IllegalArgumentException.class, () -> Listen.parse(text));
        assertTrue(
                String.valueOf(rejection.getMessage())
                        .startsWith("'" + text + "' is not ADDR:PORT"),
                rejection.getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:8080, 127.0.0.1, 8080",
        "localhost:0, localhost, 0",
        "[::1]:65535, ::1, 65535",
        "0.0.0.0:080, 0.0.0.0, 80"
    })
    void addressAndPortAreParsed(String text, String host, int port) {
        assertEquals(new Listen(host, port), Listen.parse(text));
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1:0, http://127.0.0.1:81/",
        "[::1]:0, http://[::1]:81/",
        "0.0.0.0:0, http://localhost:81/",
        "[::]:0, http://localhost:81/"
    })
    void urlIsUsableOnThisMachine(String text, String url) {
        assertEquals(url, Listen.parse(text).url(81));
    }

    @Test
    void toStringIsTheGivenForm() {
        assertEquals("[::1]:80", Listen.parse("[::1]:80").toString());
    }
}
