package dev.tandem.http.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.http.Headers;
import dev.tandem.http.HttpException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HandshakeTest {
    private static final String KEY = "dGhlIHNhbXBsZSBub25jZQ==";

    private static Headers headers(String key, String version) {
        return Headers.of(
                "Connection", "keep-alive, Upgrade",
                "Upgrade", "WebSocket",
                "Sec-WebSocket-Key", key,
                "Sec-WebSocket-Version", version,
                "Sec-WebSocket-Protocol", "chat, superchat",
                "Sec-WebSocket-Protocol", "other",
                "Sec-WebSocket-Extensions", "permessage-deflate");
    }

    /// RFC 6455, section 1.3.
    @Test
    void exampleOfTheRfc() throws HttpException {
        Headers headers = headers(KEY, "13");
        assertTrue(Handshake.isRequested(headers));
        Handshake handshake = Handshake.of(headers);
        assertEquals("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", handshake.accept());
        assertEquals(List.of("chat", "superchat", "other"), handshake.protocols());
        assertEquals("permessage-deflate", handshake.extensions());
    }

    @Test
    void otherUpgradesAreNone() {
        assertFalse(Handshake.isRequested(Headers.of("Connection", "Upgrade", "Upgrade", "h2c")));
        assertFalse(Handshake.isRequested(Headers.of("Upgrade", "websocket")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "abc", "bm90IHNpeHRlZW4=", "***"})
    void invalidKeyIsRejected(String key) {
        var failure = assertThrows(HttpException.class, () -> Handshake.of(headers(key, "13")));
        assertEquals(400, failure.status());
    }

    @ParameterizedTest
    @ValueSource(strings = {"8", "14", "", "13, 8"})
    void otherVersionIsRejected(String version) {
        var failure = assertThrows(HttpException.class, () -> Handshake.of(headers(KEY, version)));
        assertEquals(426, failure.status());
    }

    @ParameterizedTest
    @CsvSource({
        "'', shop.example, true, true",
        "https://shop.example, shop.example, true, true",
        "HTTPS://shop.example, shop.example, true, true",
        "https://Shop.example:8443, shop.example:8443, true, true",
        "https://shop.example, shop.example:8443, true, false",
        "https://shop.example:8443, shop.example, true, false",
        "https://evil.example, shop.example, true, false",
        "https://shop.example.evil.example, shop.example, true, false",
        "null, shop.example, false, false",
        "://shop.example, shop.example, false, false",
        // A page without TLS.
        "http://shop.example, shop.example, false, true",
        "http://shop.example, shop.example, true, false",
        "http://shop.example:443, shop.example:443, true, false",
        // Behind a proxy that ends TLS.
        "https://shop.example, shop.example, false, true",
        // Some proxies name the scheme's own port.
        "https://shop.example, shop.example:443, true, true",
        "http://shop.example, shop.example:80, false, true",
        "https://shop.example, shop.example:80, false, false",
        "http://shop.example, shop.example:443, false, false",
    })
    void originMustBeTheSame(String origin, String host, boolean isSecure, boolean isSame) {
        assertEquals(isSame, Handshake.isSameOrigin(origin, host, isSecure));
    }
}
