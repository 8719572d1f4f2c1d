package dev.tandem.lab;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.tomcat.TandemProtocol;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import org.apache.catalina.Context;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Catalina with a thread for each connection: bodies reach the servlet, and a connection without a
/// free thread waits.
class RivalApplicationTest {

    private static final class Echo extends HttpServlet {
        private static final long serialVersionUID = 1;

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response)
                throws IOException {
            byte[] body = request.getInputStream().readAllBytes();
            response.setContentLength(body.length);
            response.getOutputStream().write(body);
        }
    }

    @Test
    void formsReachTheServletOnThreadsOfTheirOwn(@TempDir Path folder) throws Exception {
        var tomcat = new Tomcat();
        tomcat.setBaseDir(folder.toString());
        var connector = new Connector(TandemProtocol.class.getName());
        connector.setPort(0);
        connector.setProperty("address", "127.0.0.1");
        tomcat.setConnector(connector);
        Context context = tomcat.addContext("", folder.toString());
        Tomcat.addServlet(context, "echo", new Echo()).addMapping("/echo");
        try (var rival = RivalTarget.multiThreaded(folder, 4, Duration.ofSeconds(30), false)) {
            ((TandemProtocol) connector.getProtocolHandler()).customizeServer(rival::threads);
            tomcat.start();
            for (int i = 1; i <= 3; i++) {
                try (var client = HttpClient.newHttpClient()) {
                    String said = "x".repeat(i * 30_000);
                    URI uri = URI.create("http://127.0.0.1:" + connector.getLocalPort() + "/echo");
                    HttpRequest request =
                            HttpRequest.newBuilder(uri)
                                    .version(HttpClient.Version.HTTP_1_1)
                                    .timeout(Duration.ofSeconds(30))
                                    .POST(HttpRequest.BodyPublishers.ofString(said))
                                    .build();
                    var reply = client.send(request, HttpResponse.BodyHandlers.ofString());
                    assertEquals(said, reply.body());
                }
            }
            tomcat.stop();
            tomcat.destroy();
        }
    }
}
