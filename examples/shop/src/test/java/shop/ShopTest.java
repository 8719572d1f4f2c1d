package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testing.TandemExtension;
import dev.tandem.testing.TestResponse;
import dev.tandem.testing.TestServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import shop.Orders.NewOrder;
import shop.Orders.Order;

class ShopTest {
    @TempDir Path pictures;
    private Orders orders;

    @RegisterExtension
    final TandemExtension shop =
            TandemExtension.inMemory(
                    site -> {
                        orders = new Orders("jdbc:h2:mem:" + pictures.getFileName());
                        new Shop(orders, pictures).addTo(site);
                    });

    @AfterEach
    void closeDatabase() {
        orders.close();
    }

    @Test
    void orderIsStored() {
        TestResponse added = shop.post("/orders/", new NewOrder("tea", 2)).expect(201);
        assertEquals("/orders/1", added.header("Location"));
        assertEquals(new Order(1, "tea", 2), shop.get("/orders/1").expect(200).body(Order.class));
    }

    @Test
    void malformedOrderIsRejectedWithItsPlace() {
        TestResponse rejected =
                shop.request("POST", "/orders/")
                        .body("application/json", "{\"item\":\"tea\",\"count\":\"many\"}")
                        .send()
                        .expect(400);
        assertTrue(rejected.text().contains("count"), rejected.text());
        shop.get("/orders/seven").expect(400);
        assertEquals("{\"error\":\"no order 7\"}", shop.get("/orders/7").expect(404).text());
    }

    @Test
    void orderComesByForm() {
        shop.request("POST", "/form").field("item", "coffee").send().expect(303);
        assertTrue(shop.get("/orders/").text().contains("coffee"));
        shop.request("POST", "/form").send().expect(415);
    }

    @Test
    void pictureIsStored() {
        TestResponse stored =
                shop.request("POST", "/pictures").file("picture", "tea.png", new byte[300]).send();
        assertEquals("{\"bytes\":300}", stored.expect(201).text());
        assertEquals(1, pictures.toFile().list().length);
    }

    @Test
    void styleIsAResourceOfTheClassPath() {
        TestResponse style = shop.get("/assets/shop.css").expect(200);
        assertEquals("text/css; charset=utf-8", style.header("Content-Type"));
        shop.get("/assets/../shop/Shop.class").expect(404);
    }

    /// Events and WebSocket need a connection.
    @Test
    void newOrderIsReported() throws Exception {
        var messages = new LinkedBlockingQueue<String>();
        try (TestServer server = TestServer.onPort(site -> new Shop(orders, pictures).addTo(site));
                Stream<String> lines = server.request("GET", "/news").lines();
                HttpClient client = HttpClient.newHttpClient()) {
            WebSocket counter = connect(client, server.uri("/counter"), messages);
            server.post("/orders/", new NewOrder("cocoa", 1)).expect(201);
            assertTrue(lines.anyMatch("data: cocoa"::equals));
            assertEquals("new order: cocoa", messages.poll(20, TimeUnit.SECONDS));
            counter.sendText("count", true);
            assertEquals("1", messages.poll(20, TimeUnit.SECONDS));
            counter.abort();
        }
    }

    private static WebSocket connect(HttpClient client, URI uri, BlockingQueue<String> messages) {
        var listener =
                new WebSocket.Listener() {
                    @Override
                    public CompletionStage<?> onText(WebSocket from, CharSequence text, boolean l) {
                        messages.add(text.toString());
                        return WebSocket.Listener.super.onText(from, text, l);
                    }
                };
        URI address = URI.create(uri.toString().replaceFirst("http", "ws"));
        return client.newWebSocketBuilder().buildAsync(address, listener).join();
    }
}
