package dev.tandem.engine.websocket;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.engine.TestCertificate;
import dev.tandem.testkit.RawClient;
import dev.tandem.tls.TlsSettings;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Which pages of the same host may begin sessions: over TLS none that came without.
class OriginTest {
    private static Server start(boolean isOverTls) throws IOException {
        Tandem tandem = Tandem.listen("127.0.0.1", 0).webSocket("/live", _ -> {});
        if (isOverTls) {
            tandem.tls(TlsSettings.of(TestCertificate.files()));
        }
        return tandem.start();
    }

    /// @param forwarded what the proxy in front says; empty without one
    @ParameterizedTest
    @CsvSource({
        "true, https://a, '', 101",
        "true, http://a, '', 403",
        "true, http://a, http, 101",
        "true, http://a, https, 403",
        "false, http://a, wss, 403",
        "false, http://a, '', 101",
        "false, https://a, '', 101",
        "false, https://a, https, 101",
        "false, http://a, HTTPS, 403",
        "false, http://a, 'https, http', 403",
        "false, https://a, http, 101",
    })
    void pageWithoutTlsBeginsNoSessionWithIt(
            boolean isOverTls, String origin, String forwarded, int status) throws IOException {
        Server server = start(isOverTls);
        String headers = "Origin: " + origin + "\n";
        if (!forwarded.isEmpty()) {
            headers += "X-Forwarded-Proto: " + forwarded + "\n";
        }
        var trust = isOverTls ? TestCertificate.trust() : null;
        try (RawClient raw = RawClient.connect(server.address(), 0, trust);
                SessionClient client = SessionClient.open(raw, "/live", headers)) {
            assertTrue(client.head().startsWith("HTTP/1.1 " + status), client.head());
        } finally {
            server.stop(Duration.ZERO);
        }
    }
}
