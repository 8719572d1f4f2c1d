package dev.tandem.upstream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.UnixDomainSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressTest {

    @ParameterizedTest
    @CsvSource({
        "localhost:80, localhost, 80",
        "10.0.0.1:65535, 10.0.0.1, 65535",
        "[::1]:3000, ::1, 3000",
        "app-1.example:1, app-1.example, 1"
    })
    void hostAndPortAreParsed(String text, String host, int port) {
        Address address = Address.of(text);
        assertEquals(new Address(text, host, port, ""), address);
        assertEquals(text, address.toString());
    }

    @Test
    void unixSocketIsParsed() throws IOException {
        Address address = Address.of("unix:/run/app.sock");
        assertTrue(address.isUnix());
        assertEquals(List.of(UnixDomainSocketAddress.of("/run/app.sock")), address.resolve());
    }

    @Test
    void addressIsResolved() throws IOException {
        assertEquals(
                List.of(new InetSocketAddress("127.0.0.1", 81)),
                Address.of("127.0.0.1:81").resolve());
        assertEquals(List.of(new InetSocketAddress("::1", 81)), Address.of("[::1]:81").resolve());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "localhost",
                "localhost:",
                ":80",
                "localhost:0",
                "localhost:65536",
                "localhost:-1",
                "localhost:+80",
                "localhost:8 0",
                "::1:80",
                "[]:80",
                "a b:80",
                "user@host:80",
                "http://host:80",
                "unix:",
                "unix:run/app.sock",
                "unix:/a\0b"
            })
    void malformedAddressIsRejected(String text) {
        var error = assertThrows(IllegalArgumentException.class, () -> Address.of(text));
        String message = String.valueOf(error.getMessage());
        assertTrue(message.contains("'" + text + "'"), message);
    }
}
