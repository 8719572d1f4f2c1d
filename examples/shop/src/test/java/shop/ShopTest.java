package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.Server;
import dev.tandem.Tandem;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ShopTest {
    @Test
    void orderIsStored(@TempDir Path pictures) throws Exception {
        try (var orders = new Orders("jdbc:h2:mem:" + pictures.getFileName());
                Server server =
                        new Shop(orders, pictures).addTo(Tandem.listen("127.0.0.1", 0)).start();
                HttpClient client = HttpClient.newHttpClient()) {
            URI uri = URI.create("http://127.0.0.1:" + server.port() + "/orders/");
            HttpResponse<String> added =
                    client.send(
                            HttpRequest.newBuilder(uri)
                                    .header("Content-Type", "application/json")
                                    .POST(BodyPublishers.ofString("{\"item\":\"tea\",\"count\":2}"))
                                    .build(),
                            BodyHandlers.ofString());
            assertEquals(201, added.statusCode(), added.body());
            HttpResponse<String> found =
                    client.send(
                            HttpRequest.newBuilder(uri.resolve("1")).build(),
                            BodyHandlers.ofString());
            assertEquals("{\"id\":1,\"item\":\"tea\",\"count\":2}", found.body());
        }
    }
}
