package app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AppTest {
    @Test
    void servletRunsOnAWorkerOfTandem(@TempDir Path folder) throws Exception {
        Tomcat tomcat = App.start(0, folder.toString());
        try (HttpClient client = HttpClient.newHttpClient()) {
            var uri =
                    URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/thread");
            var response = client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
            assertEquals(200, response.statusCode());
            assertTrue(response.body().startsWith("tandem-"), response.body());
        } finally {
            tomcat.stop();
            tomcat.destroy();
        }
    }
}
