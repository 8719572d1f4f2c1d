package dev.tandem.auction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Prices that change while they are shown, in a stock Tomcat.
@Timeout(60)
class LivePricesTest {
    private static RunningAuction site;

    @BeforeAll
    static void start() throws Exception {
        site = new RunningAuction(Map.of("auction.url", "jdbc:h2:mem:live;DB_CLOSE_DELAY=-1"));
    }

    @AfterAll
    static void stop() throws Exception {
        site.close();
    }

    /// A session that keeps what it receives.
    private static final class Watching implements WebSocket.Listener {
        final BlockingQueue<String> states = new LinkedBlockingQueue<>();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence text, boolean isLast) {
            states.add(text.toString());
            from.request(1);
            return CompletableFuture.completedStage(null);
        }

        @Override
        public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
            states.add("closed " + code);
            return CompletableFuture.completedStage(null);
        }

        String next() throws InterruptedException {
            return String.valueOf(states.poll(20, TimeUnit.SECONDS));
        }
    }

    private static Watching watch(String item) {
        var watching = new Watching();
        URI page = URI.create(site.shopper().site());
        HttpClient.newHttpClient()
                .newWebSocketBuilder()
                .buildAsync(URI.create("ws://" + page.getAuthority() + "/live/" + item), watching)
                .join();
        return watching;
    }

    private static HttpResponse<InputStream> events(String item) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(site.shopper().site() + "/live/" + item));
        return HttpClient.newHttpClient()
                .send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
    }

    private static String nextData(BufferedReader events) throws Exception {
        String line = events.readLine();
        while (line != null && !line.startsWith("data: ")) {
            line = events.readLine();
        }
        return String.valueOf(line);
    }

    private static void bid(long item, String amount) throws Exception {
        Shopper bidder = site.shopper();
        bidder.signIn(2);
        String number = Long.toString(item);
        HttpResponse<String> reply =
                bidder.post(
                        "/bid?item=" + item,
                        "/bid/store",
                        "item",
                        number,
                        "bid",
                        amount,
                        "quantity",
                        "1");
        assertEquals(200, reply.statusCode(), reply.body());
    }

    /// Returns an item that user 2 may bid on.
    private static long item() throws Exception {
        Shopper bidder = site.shopper();
        bidder.signIn(2);
        for (long item = 1; item < 50; item++) {
            String page = bidder.get("/item?id=" + item).body();
            if (page.contains("/bid/sign-in") && !page.contains("/user?id=2\"")) {
                return item;
            }
        }
        throw new AssertionError("nothing is for sale");
    }

    @Test
    void bidChangesWhatOthersSee() throws Exception {
        long item = item();
        Watching session = watch("" + item);
        String first = session.next();
        assertTrue(first.startsWith("{\"price\":\""), first);
        HttpResponse<InputStream> response = events("" + item);
        assertEquals(
                "text/event-stream;charset=utf-8",
                response.headers().firstValue("Content-Type").orElse("").replace(" ", ""));
        try (var events =
                new BufferedReader(
                        new InputStreamReader(response.body(), StandardCharsets.UTF_8))) {
            assertEquals("data: " + first, nextData(events));
            bid(item, "98765.43");
            String changed = session.next();
            assertTrue(changed.contains("\"price\":\"98765.43\""), changed);
            assertTrue(changed.contains("\"minimum\":\"98765.44\""), changed);
            assertEquals("data: " + changed, nextData(events));
        }
    }

    @Test
    void unknownItemIsNotWatched() throws Exception {
        assertEquals("closed 1008", watch("999999").next());
        assertEquals("closed 1008", watch("x").next());
        assertEquals(204, events("999999").statusCode());
        assertEquals(404, events("x").statusCode());
    }

    @Test
    void pageWithoutScriptHasThePrice() throws Exception {
        String page = site.shopper().get("/item?id=" + item()).body();
        assertTrue(page.contains("<dt>Price</dt><dd data-shows=\"price\">"), page);
        assertTrue(page.contains("<script src=\"/live.js\" defer>"), page);
        assertEquals(200, site.shopper().get("/live.js").statusCode());
    }
}
