package dev.tandem.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tandem.Tandem;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class OnPortTest {
    @Test
    void responseWithoutAnEndFailsTheTestAndDoesNotHangIt() throws IOException {
        var over = new CountDownLatch(1);
        var server =
                Tandem.listen("127.0.0.1", 0)
                        .route(
                                "GET",
                                "/",
                                x -> {
                                    x.outputStream().write('a');
                                    x.outputStream().flush();
                                    over.await();
                                })
                        .start();
        var transport = new OnPort(server, Duration.ofSeconds(1));
        try {
            var request = new Outgoing("GET", "/", List.of(), new byte[0]);
            var e = assertThrows(IOException.class, () -> transport.exchange(request));
            assertEquals("no whole response within PT1S", e.getMessage());
        } finally {
            over.countDown();
            transport.close();
        }
    }
}
