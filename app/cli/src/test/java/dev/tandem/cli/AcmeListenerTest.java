package dev.tandem.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Metric;
import dev.tandem.Server;
import dev.tandem.acme.AcmeSettings;
import dev.tandem.cli.serving.Listen;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import dev.tandem.tomcat.Applications;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Certificates that `tandem run` orders. The authority is down: what it does when it responds is
/// tested in module `acme`.
class AcmeListenerTest {
    private static final X509TrustManager ANY =
            new X509TrustManager() {
                @Override
                public void checkClientTrusted(X509Certificate[] chain, String type) {}

                @Override
                public void checkServerTrusted(X509Certificate[] chain, String type) {}

                @Override
                public X509Certificate[] getAcceptedIssuers() {
                    return new X509Certificate[0];
                }
            };

    @Test
    void applicationsAreServedOverTlsUntilTheFirstCertificateIsThere(@TempDir Path folder)
            throws Exception {
        Path app = Files.createDirectory(folder.resolve("app"));
        Files.writeString(app.resolve("a.txt"), "text");
        AcmeSettings settings =
                AcmeSettings.of(folder.resolve("acme"), "a.example")
                        .withDirectory(URI.create("https://127.0.0.1:1/directory"));
        try (LogCapture _ = LogCapture.of("dev.tandem.acme");
                var acme = new AcmeListener(Listen.parse("127.0.0.1:0"), settings);
                var site = new Applications("127.0.0.1", 0)) {
            site.customizeServer(acme::addTo);
            site.add("", app);
            site.start();
            acme.start(site.server());
            assertEquals("text", secured(site.server().addresses().getLast()));
            Patience.until("the order has failed", () -> failures(site.server()) == 1);
        }
        assertTrue(Files.isDirectory(folder.resolve("acme")));
    }

    private static String secured(InetSocketAddress at) throws Exception {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {ANY}, null);
        try (var socket =
                (SSLSocket)
                        context.getSocketFactory().createSocket(at.getAddress(), at.getPort())) {
            socket.setSoTimeout(RawClient.PATIENCE_MILLIS);
            String request = "GET /a.txt HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
            socket.getOutputStream().write(request.getBytes());
            String response = new String(socket.getInputStream().readAllBytes());
            return response.substring(response.indexOf("\r\n\r\n") + 4);
        }
    }

    private static double failures(Server server) {
        return server.metrics().stream()
                .filter(metric -> metric.name().equals("tandem_acme_failures_total"))
                .flatMap(metric -> metric.samples().stream())
                .mapToDouble(Metric.Sample::value)
                .sum();
    }
}
