package dev.tandem.proxy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.Patience;
import dev.tandem.testkit.server.Web;
import dev.tandem.upstream.UpstreamOptions;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A client that pauses within its body: the time is the client's, which has a limit of its own.
@Timeout(60)
class SlowUploadTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    private static final Duration BRIEF = Duration.ofMillis(200);

    /// More than the server collects before it asks the upstream.
    private static final int FIRST = 90_000;

    private static final int REST = 10_000;

    private static Proxy proxy(ScriptedServer upstream, UpstreamOptions options) {
        return Proxy.to(List.of(upstream.address()), ProxyOptions.DEFAULT.withUpstream(options));
    }

    /// The silent upstream shows that the time has passed.
    @Test
    void pauseOfAClientIsNotTheUpstreamsFailure() throws IOException {
        UpstreamOptions times = UpstreamOptions.DEFAULT.withInactivityTimeout(BRIEF);
        try (var upstream =
                        new ScriptedServer(
                                talk -> {
                                    talk.readHead();
                                    talk.read(FIRST + REST);
                                    talk.say(OK);
                                });
                var silent =
                        new ScriptedServer(
                                talk -> {
                                    talk.readHead();
                                    talk.awaitEnd();
                                });
                var proxy = proxy(upstream, times.withFailuresMax(1));
                var other = proxy(silent, times.withResponseTimeout(BRIEF));
                var web =
                        new Web(
                                site ->
                                        site.route("*", "/upload", proxy)
                                                .route("*", "/silent", other));
                Socket client = web.connect()) {
            Web.send(client, "POST", "/upload", "Content-Length: " + (FIRST + REST));
            client.getOutputStream().write(new byte[FIRST]);
            Patience.until("it has begun", () -> !upstream.heads().isEmpty());
            for (int i = 0; i < 3; i++) {
                assertEquals(504, web.get("/silent").status());
            }
            client.getOutputStream().write(new byte[REST]);
            assertEquals(200, Web.read(client.getInputStream()).status());
            assertTrue(proxy.upstreams().members().getFirst().isUp());
        }
    }
}
