package dev.tandem.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DemoSiteTest {
    private static final Pattern LINK = Pattern.compile("(?:href|src)=\"([^\"]+)\"");

    private final DemoSite demo;
    private final Server server;
    private final RawClient client;

    DemoSiteTest() throws IOException {
        demo = new DemoSite();
        server = demo.addTo(Tandem.listen("127.0.0.1", 0)).start();
        client = RawClient.connect(server.address());
    }

    @AfterEach
    void stop() throws IOException {
        client.close();
        server.stop(Duration.ZERO);
        demo.close();
    }

    @Test
    void formWithoutNameIsRejected() throws IOException {
        RawResponse response = form("/form", "name=+&likes=events");
        assertEquals(422, response.status());
    }

    @Test
    void formIsAcknowledged() throws IOException {
        String page = form("/form", "name=A%3Cb%3E&likes=events&likes=threads").text();
        assertTrue(page.contains("A&lt;b&gt; likes events, threads"), page);
    }

    @Test
    void uploadWithoutFileIsRejected() throws IOException {
        assertEquals(422, upload("name=\"text\"", "x").status());
    }

    @Test
    void uploadIsSummarized() throws IOException {
        assertEquals(
                """
                name    a.txt
                type    text/plain
                bytes   3
                sha-256 ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad
                """,
                upload("name=\"file\"; filename=\"a.txt\"", "abc").text());
    }

    @ParameterizedTest
    @CsvSource({"'', 1 time", "visits=1, 2 times", "visits=-5, 1 time", "visits=9999999, 1 time"})
    void visitsAreCounted(String cookie, String count) throws IOException {
        client.send("GET /cookies HTTP/1.1\nHost: a\nCookie: " + cookie + "\n\n");
        assertEquals("You were here " + count + ".\n", client.response().text());
    }

    @Test
    void visitsAreForgotten() throws IOException {
        client.send("POST /cookies/forget HTTP/1.1\nHost: a\nContent-Length: 0\n\n");
        RawResponse response = client.response();
        assertEquals("303 /cookies", response.status() + " " + response.field("Location"));
        assertTrue(String.valueOf(response.field("Set-Cookie")).contains("Max-Age=0"));
    }

    @Test
    void nameInPathIsDecoded() throws IOException {
        assertEquals("Hello, Zoë & friends!\n", get("/hello/Zo%C3%AB%20%26%20friends").text());
    }

    @Test
    void parsedRequestIsShown() throws IOException {
        String text = get("/request?q=one+two").text();
        assertTrue(text.startsWith("GET /request?q=one+two\npath   /request\n"), text);
    }

    @Test
    void clockSendsEvents() throws IOException {
        client.send("GET /clock HTTP/1.1\nHost: a\n\n");
        var text = new StringBuilder();
        while (text.indexOf("event: tick\ndata: ") < 0) {
            byte[] some = client.bytes(4096);
            assertNotEquals(0, some.length, "the stream ended: " + text);
            text.append(new String(some, StandardCharsets.UTF_8));
        }
    }

    @Test
    void streamIsChunked() throws IOException {
        RawResponse response = get("/stream");
        assertEquals("chunked", response.field("Transfer-Encoding"));
        assertTrue(response.text().endsWith("line 20 of 20\n"), response.text());
    }

    @ParameterizedTest
    @CsvSource({"/redirect, 303", "/nowhere, 404", "/gone, 410", "/broken, 500"})
    void everyFailureHasItsStatus(String path, int status) throws IOException {
        assertEquals(status, get(path).status());
    }

    @Test
    void causeOfFailureIsNotShown() throws IOException {
        assertFalse(get("/broken").text().contains("on purpose"));
    }

    @Test
    void rangeOfFileIsPartial() throws IOException {
        client.send("GET /alphabet.txt HTTP/1.1\nHost: a\nRange: bytes=0-25\n\n");
        RawResponse response = client.response();
        assertEquals("206 abcdefghijklmnopqrstuvwxyz", response.status() + " " + response.text());
    }

    @Test
    void policyAllowsNoOtherOrigin() throws IOException {
        String policy = String.valueOf(get("/").field("Content-Security-Policy"));
        assertTrue(policy.startsWith("default-src 'self'"), policy);
    }

    @Test
    void everyLinkOfThePageExists() throws IOException {
        for (String link : links(get("/").text())) {
            if (!List.of("/nowhere", "/gone", "/broken", "/redirect", "/clock").contains(link)) {
                assertEquals(200, get(link.startsWith("/") ? link : "/" + link).status(), link);
            }
        }
    }

    @Test
    void assetsPageHasThirtyAssets() throws IOException {
        List<String> assets = new ArrayList<>(links(get("/assets30").text()));
        assets.removeIf(link -> !link.startsWith("/assets30/"));
        assertEquals(DemoAssets.COUNT, assets.size());
        for (String asset : assets) {
            assertEquals(200, get(asset).status(), asset);
        }
    }

    @ParameterizedTest
    @CsvSource({"/assets30/10.css", "/assets30/-1.css", "/assets30/1.png", "/assets30/css"})
    void unknownAssetIsNotFound(String path) throws IOException {
        assertEquals(404, get(path).status());
    }

    private static List<String> links(String page) {
        return LINK.matcher(page)
                .results()
                .map(found -> found.group(1).replace("&amp;", "&"))
                .toList();
    }

    private RawResponse get(String path) throws IOException {
        return client.send("GET " + path + " HTTP/1.1\nHost: a\n\n").response();
    }

    private RawResponse form(String path, String body) throws IOException {
        return client.send(
                        """
                        POST %s HTTP/1.1
                        Host: a
                        Content-Type: application/x-www-form-urlencoded
                        Content-Length: %d

                        """
                                .formatted(path, body.length()))
                .send(body.getBytes(StandardCharsets.US_ASCII))
                .response();
    }

    private RawResponse upload(String disposition, String content) throws IOException {
        String body =
                "--cut\r\nContent-Disposition: form-data; "
                        + disposition
                        + "\r\n\r\n"
                        + content
                        + "\r\n--cut--\r\n";
        return client.send(
                        """
                        POST /upload HTTP/1.1
                        Host: a
                        Content-Type: multipart/form-data; boundary=cut
                        Content-Length: %d

                        """
                                .formatted(body.length()))
                .send(body.getBytes(StandardCharsets.US_ASCII))
                .response();
    }
}
