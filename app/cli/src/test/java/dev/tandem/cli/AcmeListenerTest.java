package dev.tandem.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.Metric;
import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.acme.AcmeSettings;
import dev.tandem.cli.certificate.LocalCertificate;
import dev.tandem.cli.serving.Listen;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.RawClient;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Certificates that `tandem run` orders. The authority does not respond: what happens when it does
/// is tested in module `acme`.
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
    void siteIsServedWithTheCertificateOfTheAuthority(@TempDir Path folder) throws Exception {
        // As it is stored when it was issued: a key with its certificate.
        Path stored = folder.resolve("acme/127.0.0.1_1_directory/a.example");
        Files.createDirectories(stored);
        LocalCertificate.make(stored, 300, "san=dns:a.example", _ -> {});
        Files.writeString(
                stored.resolve("fullchain.pem"),
                Files.readString(stored.resolve("key.pem"))
                        + Files.readString(stored.resolve("cert.pem")));
        AcmeSettings settings =
                AcmeSettings.of(folder.resolve("acme"), "a.example")
                        .withDirectory(URI.create("https://127.0.0.1:1/directory"));
        Tandem tandem = Tandem.listen("127.0.0.1", 0).get("/a.txt", x -> x.send("text"));
        try (LogCapture _ = LogCapture.of("dev.tandem.acme");
                var acme = new AcmeListener(Listen.parse("127.0.0.1:0"), settings)) {
            acme.addTo(tandem);
            try (Server server = tandem.start()) {
                acme.start(server);
                assertEquals("a.example text", secured(server.addresses().getLast()));
                assertEquals(1, certificates(server));
                server.stop(Duration.ZERO);
            }
        }
    }

    /// Returns the name in the certificate, and the text.
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
            var certificate = (X509Certificate) socket.getSession().getPeerCertificates()[0];
            String name = certificate.getSubjectAlternativeNames().iterator().next().getLast() + "";
            return name + " " + response.substring(response.indexOf("\r\n\r\n") + 4);
        }
    }

    private static double certificates(Server server) {
        return server.metrics().stream()
                .filter(metric -> metric.name().equals("tandem_acme_certificates"))
                .flatMap(metric -> metric.samples().stream())
                .mapToDouble(Metric.Sample::value)
                .sum();
    }
}
