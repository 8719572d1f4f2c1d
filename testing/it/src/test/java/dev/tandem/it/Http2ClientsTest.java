package dev.tandem.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.files.Folder;
import dev.tandem.http.Body;
import dev.tandem.http.Exchange;
import dev.tandem.tls.TlsSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// HTTP/2 over TLS by real clients, each with many streams at once and an upload. A client that the
/// machine does not have is skipped.
class Http2ClientsTest {
    private static final int LENGTH = 100_000;
    private static final int STREAMS = 100;
    private static final String EXPECTED = "100 of 100, 2.0, 100000";

    private final Path folder;
    private final Server server;

    Http2ClientsTest(@TempDir Path folder) throws Exception {
        this.folder = folder;
        TlsPapers papers = TlsPapers.in(folder);
        Path site = Files.createDirectory(folder.resolve("site"));
        Files.write(site.resolve("file.bin"), new byte[LENGTH]);
        server =
                Tandem.listen("127.0.0.1", 0)
                        .tls(TlsSettings.of(papers.pem("site")))
                        .get("/page", Http2ClientsTest::page)
                        .get("/part/{number}", x -> x.send(x.request().version().protocol()))
                        .route("POST", "/echo", Http2ClientsTest::echo)
                        .get("/{path...}", Folder.of(site))
                        .start();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private static void echo(Exchange x) throws IOException {
        var in = x.request().body();
        x.send(new Body.Stream(x.request().contentLength(), in::transferTo));
    }

    private static void page(Exchange x) throws IOException {
        x.contentType("text/html")
                .send(
                        """
                        <!doctype html><title>loading</title><script>
                        const all = Array.from({length: 300}, (_, i) =>
                            fetch('/part/' + i).then(r => r.text()));
                        const loaded = Promise.all(all).then(texts => {
                            const right = texts.filter(text => text === 'HTTP/2.0').length;
                            document.title = right + ' of ' + texts.length;
                        });
                        </script>
                        """);
    }

    private String url(String path) {
        return "https://localhost:" + server.port() + path;
    }

    private String ca() {
        return folder.resolve("ca.pem").toString();
    }

    @Test
    void curlUsesHttp2() throws Exception {
        var words = new ArrayList<>(List.of("--cacert", ca(), "--http2", "--parallel"));
        words.addAll(List.of("-w", "%{http_version} %{http_code} %{size_download}\n"));
        for (int i = 0; i < 20; i++) {
            words.addAll(List.of("-o", "/dev/null", url("/file.bin")));
        }
        String output = Tool.curl().run(folder, words.toArray(String[]::new));
        assertEquals("2 200 100000\n".repeat(20), output);
    }

    @Test
    void curlUploadsOverHttp2() throws Exception {
        String output =
                Tool.curl()
                        .run(
                                folder,
                                "--cacert",
                                ca(),
                                "--http2",
                                "--data-binary",
                                "@" + folder.resolve("site/file.bin"),
                                "-o",
                                "/dev/null",
                                "-w",
                                "%{http_version} %{http_code} %{size_download}",
                                url("/echo"));
        assertEquals("2 200 100000", output);
    }

    @Test
    void chromiumLoadsAPageOf300Parts() throws Exception {
        String page =
                Tool.chromium(folder.resolve("profile"))
                        .run(
                                folder,
                                "--ignore-certificate-errors",
                                "--virtual-time-budget=20000",
                                "--dump-dom",
                                url("/page"));
        assertTrue(page.contains("<title>300 of 300</title>"), page);
    }

    @Test
    void firefoxLoadsAPageOf300Parts() throws Exception {
        try (Firefox firefox = Firefox.start(folder)) {
            firefox.open(url("/page"));
            assertEquals("300 of 300", firefox.evaluated("loaded.then(() => document.title)"));
            String protocol = "performance.getEntriesByType('navigation')[0].nextHopProtocol";
            assertEquals("h2", firefox.evaluated(protocol));
        }
    }

    /// Of the JDK.
    @Test
    void javaClientUsesHttp2() throws Exception {
        HttpClient client = HttpClient.newBuilder().sslContext(trust()).build();
        var responses = new ArrayList<CompletableFuture<HttpResponse<byte[]>>>();
        for (int i = 0; i < STREAMS; i++) {
            var request = HttpRequest.newBuilder(URI.create(url("/file.bin"))).build();
            responses.add(client.sendAsync(request, HttpResponse.BodyHandlers.ofByteArray()));
        }
        for (CompletableFuture<HttpResponse<byte[]>> future : responses) {
            HttpResponse<byte[]> response = future.get(20, TimeUnit.SECONDS);
            assertEquals(HttpClient.Version.HTTP_2, response.version());
            assertEquals(LENGTH, response.body().length);
        }
        var upload =
                HttpRequest.newBuilder(URI.create(url("/echo")))
                        .POST(HttpRequest.BodyPublishers.ofByteArray(new byte[LENGTH]))
                        .build();
        byte[] echo = client.send(upload, HttpResponse.BodyHandlers.ofByteArray()).body();
        assertEquals(LENGTH, echo.length);
    }

    private SSLContext trust() throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        try (var in = Files.newInputStream(Path.of(ca()))) {
            store.setCertificateEntry(
                    "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        var trusted = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trusted.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trusted.getTrustManagers(), null);
        return context;
    }

    /// Its net/http and HTTP/2 of the standard library.
    @Test
    void goClientUsesHttp2() throws Exception {
        Path program =
                Files.writeString(
                        folder.resolve("client.go"),
                        """
                        package main

                        import ("bytes"; "crypto/tls"; "crypto/x509"; "fmt"; "io"; "net/http"; "os"
                            "sync")

                        func main() {
                            pem, _ := os.ReadFile(os.Args[1])
                            pool := x509.NewCertPool()
                            pool.AppendCertsFromPEM(pem)
                            client := &http.Client{Transport: &http.Transport{
                                ForceAttemptHTTP2: true,
                                TLSClientConfig: &tls.Config{RootCAs: pool}}}
                            var all sync.WaitGroup
                            var lock sync.Mutex
                            right := 0
                            for i := 0; i < 100; i++ {
                                all.Add(1)
                                go func() {
                                    defer all.Done()
                                    r, err := client.Get(os.Args[2] + "/file.bin")
                                    if err != nil { fmt.Println(err); return }
                                    body, _ := io.ReadAll(r.Body)
                                    lock.Lock()
                                    if r.Proto == "HTTP/2.0" && len(body) == 100000 { right++ }
                                    lock.Unlock()
                                }()
                            }
                            all.Wait()
                            r, err := client.Post(os.Args[2] + "/echo", "text/plain",
                                bytes.NewReader(make([]byte, 100000)))
                            if err != nil { fmt.Println(err); return }
                            body, _ := io.ReadAll(r.Body)
                            fmt.Printf("%d of 100, %d.%d, %d", right, r.ProtoMajor, r.ProtoMinor,
                                len(body))
                        }
                        """);
        assertEquals(EXPECTED, Tool.go().run(folder, program.toString(), ca(), url("")));
    }

    /// Its module http2.
    @Test
    void nodeClientUsesHttp2() throws Exception {
        Path program =
                Files.writeString(
                        folder.resolve("client.js"),
                        """
                        const [, , ca, url] = process.argv;
                        const client = require('http2').connect(url,
                            {ca: require('fs').readFileSync(ca)});
                        const call = (headers, body) => new Promise((resolve, reject) => {
                            let length = 0;
                            const stream = client.request(headers);
                            stream.on('data', piece => length += piece.length);
                            stream.on('end', () => resolve(length));
                            stream.on('error', reject);
                            stream.end(body);
                        });
                        const all = Array.from({length: 100}, () => call({':path': '/file.bin'}));
                        Promise.all(all).then(async lengths => {
                            const echo = await call({':path': '/echo', ':method': 'POST'},
                                Buffer.alloc(100000));
                            const right = lengths.filter(length => length === 100000).length;
                            process.stdout.write(`${right} of 100, 2.0, ${echo}`);
                            client.close();
                        });
                        """);
        var node = new Tool("node", List.of());
        assertEquals(EXPECTED, node.run(folder, program.toString(), ca(), url("")));
    }

    /// With the library h2.
    @Test
    void pythonHttpxUsesHttp2() throws Exception {
        var python = new Tool("python3", List.of());
        String has = python.run(folder, "-c", "import httpx, h2; print('yes')");
        assumeTrue(has.startsWith("yes"), "skipped: needs Python's httpx[http2]");
        Path program =
                Files.writeString(
                        folder.resolve("client.py"),
                        """
                        import asyncio, httpx, ssl, sys

                        async def main(ca, url):
                            context = ssl.create_default_context(cafile=ca)
                            async with httpx.AsyncClient(http2=True, verify=context) as client:
                                all = await asyncio.gather(
                                    *(client.get(url + '/file.bin') for _ in range(100)))
                                right = sum(r.http_version == 'HTTP/2' and len(r.content) == 100000
                                            for r in all)
                                echo = await client.post(url + '/echo', content=bytes(100000))
                                print(f'{right} of 100, 2.0, {len(echo.content)}', end='')

                        asyncio.run(main(*sys.argv[1:]))
                        """);
        assertEquals(EXPECTED, python.run(folder, program.toString(), ca(), url("")));
    }
}
