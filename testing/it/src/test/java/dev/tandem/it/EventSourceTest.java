package dev.tandem.it;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.http.EventChannel;
import dev.tandem.http.EventOptions;
import dev.tandem.testkit.Browser;
import dev.tandem.testkit.FreePort;
import dev.tandem.testkit.Patience;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Channels of events with real clients: Chromium's EventSource, and curl.
@Timeout(120)
class EventSourceTest {
    private static final String PAGE =
            """
            <!doctype html><title>Events</title><p id="seen"></p><script>
            const seen = document.getElementById('seen');
            const events = new EventSource('/events');
            for (const type of ['message', 'missed']) {
                events.addEventListener(type, e => seen.textContent += e.data + ',');
            }
            </script>
            """;

    private final EventChannel channel =
            EventChannel.of(EventOptions.DEFAULT.withRetry(Duration.ofMillis(50)));

    private Server start(int port) throws IOException {
        return Tandem.listen("127.0.0.1", port)
                .get("/", x -> x.html(PAGE))
                .get("/events", channel::subscribe)
                .start();
    }

    private void awaitSubscribers(int count) {
        Patience.until("subscribed", () -> channel.subscriberCount() == count);
    }

    /// The second server stands for another one behind the same balancer.
    @Test
    void browserResumesAtTheNextServer(@TempDir Path folder) throws Exception {
        Tool.chromium(folder).needed();
        Server first = start(FreePort.find());
        try (Browser browser = Browser.start(folder)) {
            browser.open("http://127.0.0.1:" + first.port() + "/");
            awaitSubscribers(1);
            channel.publish("1");
            channel.publish("2");
            browser.await("document.body.innerText.trim()", "1,2,");
            assertTrue(first.stop(Duration.ofSeconds(20)));
            channel.publish("3");
            Server second = start(first.port());
            try {
                awaitSubscribers(1);
                channel.publish("4");
                browser.await("document.body.innerText.trim()", "1,2,3,4,");
                channel.close(); // the browser reconnects, gets 204, and gives up
                browser.await("String(events.readyState)", "2");
            } finally {
                second.stop(Duration.ofSeconds(1));
            }
        } finally {
            first.stop(Duration.ofSeconds(1));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"--http1.1", "--http1.0", "--http2-prior-knowledge"})
    void curlReadsToTheEnd(String version, @TempDir Path folder) throws Exception {
        Tool.curl().needed();
        try (Server server = start(0)) {
            CompletableFuture<String> read =
                    CompletableFuture.supplyAsync(
                            () -> {
                                try {
                                    String url = "http://127.0.0.1:" + server.port() + "/events";
                                    return Tool.curl().run(folder, "-N", version, url);
                                } catch (IOException | InterruptedException e) {
                                    return e.toString();
                                }
                            });
            awaitSubscribers(1);
            channel.publish("price", "12");
            channel.close();
            String text = read.join();
            assertTrue(text.endsWith("event: price\ndata: 12\n\n"), text);
            awaitSubscribers(0);
        }
    }
}
