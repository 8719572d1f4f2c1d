package dev.tandem.tomcat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.Patience;
import dev.tandem.testkit.RawClient;
import dev.tandem.testkit.RawResponse;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Applications as WAR files and folders.
class ApplicationsTest {
    private static final String HOST = "127.0.0.1";

    /// Prints whether a class is visible, and the number of driver providers.
    private static final String SEES =
            """
            <% boolean sees = true;
               ClassLoader own = Thread.currentThread().getContextClassLoader();
               try { Class.forName(request.getQueryString(), false, own);
               } catch (ClassNotFoundException e) { sees = false; }
               out.print(sees + " " + java.util.Collections.list(
                   own.getResources("META-INF/services/java.sql.Driver")).size()); %>\
            """;

    private final Path folder;

    ApplicationsTest(@TempDir Path folder) {
        this.folder = folder;
    }

    private static RawClient client(Applications site) throws IOException {
        return RawClient.connect(new InetSocketAddress(HOST, site.port()));
    }

    private static RawResponse get(Applications site, String path) throws IOException {
        return get(site, path, "");
    }

    private static RawResponse get(Applications site, String path, String headers)
            throws IOException {
        try (var client = client(site)) {
            return client.send("GET " + path + " HTTP/1.1\nHost: h\n" + headers + "\n").response();
        }
    }

    private static String text(Applications site) {
        try {
            return get(site, "/shop/").text();
        } catch (IOException e) {
            return e.toString();
        }
    }

    private static String counting(String version) {
        return "<% Integer n = (Integer) session.getAttribute(\"n\");"
                + " n = n == null ? 1 : n + 1; session.setAttribute(\"n\", n); %>"
                + version
                + " <%= n %>";
    }

    /// A page that creates a file when it starts, and waits for another file.
    private String waiting() {
        return """
        <%% new java.io.File("%1$s/began").createNewFile();
           for (int i = 0; i < 2000 && !new java.io.File("%1$s/may").exists(); i++)
               Thread.sleep(10); %%>old\
        """
                .formatted(folder);
    }

    /// The file is long enough for sendfile.
    @Test
    void filesAreServedOverHttp2() throws Exception {
        Path pages = Files.createDirectory(folder.resolve("pages"));
        String text = "0123456789".repeat(10_000);
        Files.writeString(pages.resolve("a.txt"), text);
        try (var site = new Applications(HOST, 0)) {
            site.add("/", pages);
            site.start();
            try (var client = new StreamClient(site.port())) {
                StreamClient.Response response = client.fetch("/a.txt");
                assertEquals(text, response.text());
                assertEquals("100000", response.headers.first("content-length"));
                assertEquals(404, client.fetch("/nowhere").status);
            }
        }
    }

    @Test
    void connectionsMayBeIdleWithoutLimit() throws Exception {
        try (var site = new Applications(HOST, 0)) {
            var protocol = (TandemProtocol) site.connector().getProtocolHandler();
            assertEquals(-1, protocol.getKeepAliveTimeout());
        }
    }

    @Test
    void redeployKeepsRunningRequestsAndSessions() throws Exception {
        Path shop = folder.resolve("shop.war");
        Wars.write(shop, Map.of("index.jsp", counting("old"), "slow.jsp", waiting()));
        Path pages = Files.createDirectory(folder.resolve("pages"));
        Files.writeString(pages.resolve("a.txt"), "page");
        try (var site = new Applications(HOST, 0)) {
            site.add("/", pages).add("/shop", shop);
            site.start();
            assertEquals("page", get(site, "/a.txt").text());
            assertEquals(404, get(site, "/shop/nothing").status());
            RawResponse first = get(site, "/shop/");
            assertEquals("old 1", first.text());
            String cookie =
                    "Cookie: " + Objects.requireNonNull(first.field("Set-Cookie")).split(";")[0];
            try (var isBlocking = client(site)) {
                isBlocking.send("GET /shop/slow.jsp HTTP/1.1\nHost: h\n\n");
                Patience.until("the old page began", () -> Files.exists(folder.resolve("began")));
                Wars.write(shop, Map.of("index.jsp", counting("new")));
                var done = CompletableFuture.supplyAsync(() -> redeploy(site));
                Patience.until("the new one responds", () -> text(site).equals("new 1"));
                assertEquals("new 2", get(site, "/shop/", cookie + "\n").text());
                assertFalse(done.isDone());
                Files.createFile(folder.resolve("may"));
                assertEquals("old", isBlocking.response().text());
                assertTrue(done.get(20, TimeUnit.SECONDS));
            }
            assertEquals("new 3", get(site, "/shop/", cookie + "\n").text());
            assertEquals("page", get(site, "/a.txt").text());
        }
    }

    private static boolean redeploy(Applications site) {
        try {
            return site.redeploy("/shop");
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /// Catalina counts it as running for ever.
    @Test
    void failedAsyncRequestDoesNotDelayRedeploy() throws Exception {
        Path shop = folder.resolve("shop.war");
        Wars.write(shop, Map.of("a.txt", "old"), FailingAsyncServlet.class);
        try (var site = new Applications(HOST, 0)) {
            site.add("/shop", shop).start();
            failAsync(site);
            Wars.write(shop, Map.of("a.txt", "new"), FailingAsyncServlet.class);
            assertTrue(site.redeploy("/shop"));
            assertEquals("new", get(site, "/shop/a.txt").text());
        }
    }

    @Test
    void openAsyncRequestDelaysRedeploy() throws Exception {
        Path shop = folder.resolve("shop.war");
        Wars.write(shop, Map.of("a.txt", "old"), FailingAsyncServlet.class);
        try (var site = new Applications(HOST, 0)) {
            site.add("/shop", shop).start();
            failAsync(site);
            var protocol = (TandemProtocol) site.connector().getProtocolHandler();
            try (var isOpen = client(site)) {
                isOpen.send("GET /shop/async?stays HTTP/1.1\nHost: h\n\n");
                Patience.until(
                        "it continues", () -> !protocol.endpoint().getConnections().isEmpty());
                Wars.write(shop, Map.of("a.txt", "new"), FailingAsyncServlet.class);
                var done = CompletableFuture.supplyAsync(() -> redeploy(site));
                Patience.until("the new one responds", () -> isNew(site));
                Thread.sleep(500); // several checks
                assertFalse(done.isDone());
                protocol.endpoint()
                        .getConnections()
                        .forEach(each -> ((TandemSocket) each).timeOutAsync());
                assertEquals(500, isOpen.response().status());
                assertTrue(done.get(20, TimeUnit.SECONDS));
            }
        }
    }

    private static void failAsync(Applications site) throws IOException {
        try (var client = client(site)) {
            client.send("GET /shop/async HTTP/1.1\nHost: h\nConnection: close\n\n").restOrCut();
        }
    }

    private static boolean isNew(Applications site) {
        try {
            return get(site, "/shop/a.txt").text().equals("new");
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    void failedRedeployKeepsOldVersion() throws Exception {
        Path shop = folder.resolve("shop.war");
        Wars.write(shop, Map.of("a.txt", "old"));
        try (var site = new Applications(HOST, 0)) {
            site.add("/shop", shop).start();
            Files.writeString(shop, "no zip");
            String said = message(() -> site.redeploy("/shop"));
            assertTrue(said.contains("shop.war cannot be unpacked: "), said);
            Wars.write(shop, Map.of("META-INF/context.xml", "<Context><Valve className='x.Y'/>"));
            said = message(() -> site.redeploy("/shop"));
            assertTrue(said.contains("shop.war at /shop did not start"), said);
            assertEquals("old", get(site, "/shop/a.txt").text());
            Wars.write(shop, Map.of("a.txt", "mended"));
            assertTrue(site.redeploy("/shop"));
            assertEquals("mended", get(site, "/shop/a.txt").text());
        }
    }

    private static String message(org.junit.jupiter.api.function.Executable does) {
        return String.valueOf(assertThrows(IOException.class, does).getMessage());
    }

    @Test
    void webSocketEndpointOfApplicationIsFound() throws Exception {
        Path chat = folder.resolve("chat.war");
        Wars.write(chat, Map.of(), EchoEndpoint.class);
        var heard = new CompletableFuture<String>();
        var listener =
                new WebSocket.Listener() {
                    @Override
                    public @Nullable CompletionStage<?> onText(
                            WebSocket socket, CharSequence text, boolean isLast) {
                        heard.complete(text.toString());
                        return null;
                    }
                };
        try (var site = new Applications(HOST, 0);
                var client = HttpClient.newHttpClient()) {
            site.add("/chat", chat).start();
            URI at = URI.create("ws://127.0.0.1:" + site.port() + "/chat/echo");
            WebSocket socket = client.newWebSocketBuilder().buildAsync(at, listener).join();
            socket.sendText("me", true).join();
            assertEquals("heard me", heard.get(20, TimeUnit.SECONDS));
            socket.abort();
        }
    }

    /// Includes loggers and drivers: an application's own copies would otherwise conflict with
    /// ours.
    @Test
    void serverLibrariesAreHiddenFromApplications() throws Exception {
        Path shop = folder.resolve("shop.war");
        Wars.write(shop, Map.of("sees.jsp", SEES));
        try (var site = new Applications(HOST, 0)) {
            site.add("", shop).start();
            assertTrue(get(site, "/sees.jsp?jakarta.servlet.Servlet").text().startsWith("true"));
            assertTrue(get(site, "/sees.jsp?java.sql.Driver").text().startsWith("true"));
            assertTrue(get(site, "/sees.jsp?com.sun.source.tree.Tree").text().startsWith("true"));
            assertEquals("false 0", get(site, "/sees.jsp?org.h2.Driver").text());
            assertEquals("false 0", get(site, "/sees.jsp?dev.tandem.Tandem").text());
        }
    }

    @Test
    void errorPageHasNoDetails() throws Exception {
        Path shop = folder.resolve("shop.war");
        Wars.write(shop, Map.of("fails.jsp", "<% if (true) throw new Error(\"why\"); %>"));
        try (var site = new Applications(HOST, 0)) {
            site.add("", shop).start();
            RawResponse failed = get(site, "/fails.jsp");
            assertEquals(500, failed.status());
            assertFalse(failed.text().matches("(?s).*(why|jsp|Tomcat).*"), failed.text());
        }
    }

    @Test
    void invalidApplicationIsNamedInMessage() throws Exception {
        Path pages = Files.createDirectory(folder.resolve("pages"));
        Path text = Files.writeString(folder.resolve("a.txt"), "no application");
        try (var site = new Applications(HOST, 0)) {
            String said = message(() -> site.add("", folder.resolve("nowhere.war")));
            assertTrue(said.contains("nowhere.war does not exist"), said);
            said = message(() -> site.add("", text));
            assertTrue(said.contains("a.txt is neither a .war nor a folder"), said);
            assertThrows(IllegalArgumentException.class, () -> site.add("shop", pages));
            site.add("", pages);
            assertThrows(IllegalArgumentException.class, () -> site.add("/", pages));
        }
        try (var taken = new ServerSocket(0, 1, java.net.InetAddress.getByName(HOST));
                var site = new Applications(HOST, taken.getLocalPort())) {
            site.add("", pages);
            String said = message(site::start);
            assertTrue(said.contains(Integer.toString(taken.getLocalPort())), said);
        }
    }
}
