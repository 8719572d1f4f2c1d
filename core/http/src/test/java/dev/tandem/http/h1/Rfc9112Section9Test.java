package dev.tandem.http.h1;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// RFC 9112, section 9.3: persistence; RFC 9110, section 7.8: upgrade.
class Rfc9112Section9Test {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1.1 | X: y                             | true",
                "1.1 | Connection: keep-alive           | true",
                "1.1 | Connection: close                | false",
                "1.1 | Connection: Close                | false",
                "1.1 | connection: TE , CLOSE           | false",
                "1.1 | Connection: close,keep-alive     | false",
                "1.1 | Connection: closed               | true",
                "1.1 | Connection: 'close'              | true",
                "1.1 | Connection: ,, ,                 | true",
                "1.1 | Connection:                      | true",
                "1.1 | Proxy-Connection: close          | true",
                "1.0 | X: y                             | false",
                "1.0 | Connection: keep-alive           | true",
                "1.0 | Connection: KEEP-ALIVE           | true",
                "1.0 | Connection: x,keep-alive ,y      | true",
                "1.0 | Connection: keep-alive, close    | false",
                "1.0 | Connection: keep alive           | false",
                "1.0 | Keep-Alive: 300                  | false",
                "1.2 | X: y                             | true",
            })
    void connectionPersistsByDefaultAndOptions(String version, String field, boolean isKeepAlive) {
        String wire = "GET / HTTP/" + version + "\r\nHost: a\r\n" + field + "\r\n\r\n";
        assertEquals(isKeepAlive, SplitInput.head(wire).isKeepAlive());
    }

    @ParameterizedTest
    @CsvSource({"close,keep-alive", "keep-alive,close", "close,x"})
    void optionsMayBeInSeveralHeaders(String first, String second) {
        String lines = "Connection: " + first + "\r\nConnection: " + second + "\r\n";
        assertEquals(false, SplitInput.head(SplitInput.request(lines)).isKeepAlive());
    }

    /// RFC 9931: what follows may be bytes for a tunnel that there is not.
    @Test
    void connectionEndsAfterConnect() {
        String wire = "CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n";
        assertFalse(SplitInput.head(wire).isKeepAlive());
        assertFalse(SplitInput.head(wire).copy().isKeepAlive());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1.1 | Connection: upgrade             | Upgrade: websocket | true",
                "1.1 | Connection: keep-alive, Upgrade | Upgrade: x/1, y/2  | true",
                "1.1 | X: upgrade                      | Upgrade: websocket | false",
                "1.1 | Connection: upgrade             | X: websocket       | false",
                "1.0 | Connection: upgrade             | Upgrade: websocket | false",
            })
    void upgradeRequiresHeaderOptionAndHttp11(
            String version, String connection, String upgrade, boolean isUpgrade) {
        String lines = "Host: a\r\n" + connection + "\r\n" + upgrade + "\r\n\r\n";
        assertEquals(
                isUpgrade, SplitInput.head("GET / HTTP/" + version + "\r\n" + lines).isUpgrade());
    }
}
