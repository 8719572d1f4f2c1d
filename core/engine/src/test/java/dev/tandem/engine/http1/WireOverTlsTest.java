package dev.tandem.engine.http1;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.engine.Said;
import dev.tandem.engine.TestCertificate;
import dev.tandem.engine.container.Container;
import dev.tandem.engine.container.ContainerExchange;
import dev.tandem.http.RequestTarget;
import dev.tandem.tls.EngineChoice;
import dev.tandem.tls.TlsSettings;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A container that waits for input of a TLS connection without a thread.
@Timeout(30)
class WireOverTlsTest {
    private static final String HEAD =
            "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n";

    /// Echoes its input, one read for each event.
    private static final class Echo implements Container {
        @Override
        public void serve(ContainerExchange exchange) throws IOException {
            exchange.upgrade();
            exchange.begin(exchange.newHead(101).header("Upgrade", "echo"));
            exchange.flush(true);
            exchange.awaitInput(() -> receive(exchange));
        }

        private static void receive(ContainerExchange exchange) throws IOException {
            var bytes = new byte[64];
            int count = exchange.read(bytes, 0, bytes.length, false);
            if (count < 0) {
                exchange.close();
                return;
            }
            exchange.write(bytes, 0, count, true);
            exchange.flush(true);
            exchange.awaitInput(() -> receive(exchange));
        }

        @Override
        public String routeOf(String method, RequestTarget target) {
            return "echo";
        }
    }

    /// The second is as short as close_notify may be, and so is held back in the session: no poller
    /// reports it.
    @ParameterizedTest
    @EnumSource(EngineChoice.class)
    void twoShortRecordsAtOnceAreBothRead(EngineChoice engine) throws IOException {
        var settings = TlsSettings.of(TestCertificate.files()).withEngine(engine);
        Server server = Tandem.listen("127.0.0.1", 0).tls(settings).container(new Echo()).start();
        try (Said client = Said.to(server.address())) {
            client.say(HEAD, "", false);
            String head = client.until("\r\n\r\n");
            client.say("a", "b", false);
            assertEquals(head + "ab", client.until("b"));
        } finally {
            server.stop(Duration.ofSeconds(1));
        }
    }
}
