package dev.tandem.spring;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.zaxxer.hikari.HikariDataSource;
import dev.tandem.spring.sample.Rest;
import dev.tandem.spring.sample.Sample;
import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawSite;
import dev.tandem.testkit.RawSite.Response;
import java.io.IOException;
import java.math.BigInteger;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/// The sample over https with a bundle, on virtual threads; and its shutdown.
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class HttpsTest {
    /// One thread per task: the common pool may have only one thread.
    private static final Executor VIRTUAL = Thread::startVirtualThread;

    private static Path folder;
    private static RunningApplication site;

    @BeforeAll
    static void start(@TempDir Path made) throws Exception {
        folder = made;
        TestCertificate.make(folder);
        site =
                RunningApplication.start(
                        Sample.class,
                        "spring.datasource.url=jdbc:h2:mem:https;DB_CLOSE_DELAY=-1",
                        "spring.ssl.bundle.pem.web.keystore.certificate=" + folder + "/chain.pem",
                        "spring.ssl.bundle.pem.web.keystore.private-key=" + folder + "/key.pem",
                        "spring.ssl.bundle.pem.web.reload-on-update=true",
                        "spring.ssl.bundle.watch.file.quiet-period=100ms",
                        "server.ssl.bundle=web",
                        "server.http2.enabled=true",
                        "spring.threads.virtual.enabled=true",
                        "tandem.data.view-connection=reject");
    }

    @AfterAll
    static void stop() {
        site.close();
    }

    private static SSLSocket connect() throws Exception {
        var socket =
                (SSLSocket)
                        TestCertificate.trustingAll()
                                .getSocketFactory()
                                .createSocket("127.0.0.1", site.port());
        socket.setSoTimeout(RawClient.PATIENCE_MILLIS);
        return socket;
    }

    private static Response get(String target, String... fields) throws Exception {
        try (SSLSocket socket = connect()) {
            RawSite.send(socket, "GET", target, fields);
            return RawSite.read(socket.getInputStream());
        }
    }

    private static BigInteger serial() {
        try (SSLSocket socket = connect()) {
            var chain = socket.getSession().getPeerCertificates();
            return ((X509Certificate) chain[0]).getSerialNumber();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @Order(1)
    void requestsRunOnVirtualThreads() throws Exception {
        assertEquals("virtual true", get("/thread").text());
        assertTrue(get("/db/7").text().contains("author 7"));
    }

    @Test
    @Order(2)
    void viewThatNeedsAConnectionFailsIfConfigured() throws Exception {
        Response response = get("/authors/3", "Accept: application/json");
        assertEquals(500, response.status());
        assertEquals("author 3", name(get("/db/3")));
    }

    @Test
    @Order(2)
    void clientChoosesHttp2() throws Exception {
        try (HttpClient client =
                HttpClient.newBuilder().sslContext(TestCertificate.trustingAll()).build()) {
            URI uri = URI.create("https://localhost:" + site.port() + "/thread");
            HttpResponse<String> response =
                    client.send(
                            HttpRequest.newBuilder(uri).build(),
                            HttpResponse.BodyHandlers.ofString());
            assertEquals(HttpClient.Version.HTTP_2, response.version());
            assertEquals("virtual true", response.body());
        }
    }

    private static String name(Response response) {
        return response.text().replaceAll("(?s).*\"NAME\":\"([^\"]*)\".*", "$1");
    }

    @Test
    @Order(3)
    void replacedBundleIsServed() throws Exception {
        BigInteger before = serial();
        TestCertificate.make(folder);
        Patience.until("the new certificate is served", () -> !serial().equals(before));
        assertNotEquals(before, serial());
    }

    @Test
    @Order(4)
    void unavailableDatabaseGives503() throws Exception {
        site.context.getBean(HikariDataSource.class).close();
        Response response = get("/db/1", "Accept: application/json");
        assertEquals(503, response.status());
        assertEquals("1", response.field("Retry-After"));
        assertEquals(200, get("/hello/still").status());
    }

    @Test
    @Order(5)
    void runningRequestFinishesBeforeShutdown() throws Exception {
        CompletableFuture<Response> slow =
                CompletableFuture.supplyAsync(HttpsTest::longRequest, VIRTUAL);
        assertTrue(Rest.BEGUN.await(20, TimeUnit.SECONDS));
        var end = CompletableFuture.runAsync(site.context::close, VIRTUAL);
        Patience.until("new requests are refused", HttpsTest::isRefused);
        Rest.MAY_END.countDown();
        assertEquals("ended true", slow.get(30, TimeUnit.SECONDS).text());
        end.get(60, TimeUnit.SECONDS);
    }

    private static Response longRequest() {
        try {
            return get("/long");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static boolean isRefused() {
        try (SSLSocket socket = connect()) {
            socket.setSoTimeout(200);
            RawSite.send(socket, "GET", "/hello/new");
            RawSite.read(socket.getInputStream());
            return false;
        } catch (IOException e) {
            return true;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
