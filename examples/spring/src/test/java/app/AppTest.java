package app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;

class AppTest {
    @Test
    void controllerRunsOnAWorkerOfTandem() throws Exception {
        try (var context =
                        SpringApplication.run(
                                App.class, "--server.port=0", "--server.address=127.0.0.1");
                HttpClient client = HttpClient.newHttpClient()) {
            String port = context.getEnvironment().getProperty("local.server.port");
            var uri = URI.create("http://127.0.0.1:" + port + "/thread");
            var response = client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
            assertEquals(200, response.statusCode());
            assertTrue(response.body().startsWith("tandem-"), response.body());
        }
    }
}
