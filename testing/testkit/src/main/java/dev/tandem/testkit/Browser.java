package dev.tandem.testkit;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A Chromium that a test inspects while it shows a page, by its own protocol
/// (chromedevtools.github.io/devtools-protocol). Made for a page of ours: an expression evaluated
/// in it must return a string of plain characters.
public final class Browser implements AutoCloseable {
    private static final int PATIENCE_SECONDS = 20;
    private static final Pattern SOCKET =
            Pattern.compile("\"webSocketDebuggerUrl\": *\"(ws://[^\"]*/page/[^\"]*)\"");
    private static final Pattern ID = Pattern.compile("^\\{\"id\":(\\d+)");
    private static final Pattern VALUE =
            Pattern.compile("\"type\":\"string\",\"value\":\"([^\"\\\\]*)\"");

    private final Process process;
    private final WebSocket socket;
    private final Map<String, CompletableFuture<String>> pending = new ConcurrentHashMap<>();
    private final List<String> complaints = new ArrayList<>();
    private int last;

    private Browser(Process process, URI page) throws IOException {
        this.process = process;
        try {
            socket =
                    HttpClient.newHttpClient()
                            .newWebSocketBuilder()
                            .buildAsync(page, new Heard())
                            .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IOException("chromium does not let itself be looked at", e);
        }
    }

    /// Returns the flags of a Chromium without a window; as root it has no sandbox, and it contacts
    /// no other server.
    ///
    /// @param profile its folder
    public static List<String> flags(Path profile) {
        return List.of(
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--user-data-dir=" + profile);
    }

    /// Whether this machine has one.
    public static boolean isInstalled() {
        for (String folder : System.getenv("PATH").split(":")) {
            if (Files.isExecutable(Path.of(folder, "chromium"))) {
                return true;
            }
        }
        return false;
    }

    /// Starts one with an empty page.
    ///
    /// @param folder for its profile and its log
    public static Browser start(Path folder, String... flags) throws Exception {
        var words = new ArrayList<>(List.of("chromium"));
        words.addAll(flags(folder.resolve("profile")));
        words.addAll(List.of(flags));
        words.addAll(List.of("--remote-debugging-port=0", "about:blank"));
        Process process =
                new ProcessBuilder(words)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(folder.resolve("chromium.err").toFile())
                        .start();
        try {
            var browser = new Browser(process, page(folder.resolve("profile/DevToolsActivePort")));
            browser.enable();
            return browser;
        } catch (IOException | InterruptedException | RuntimeException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    private void enable() throws IOException {
        for (String domain : List.of("Page", "Runtime", "Log")) {
            call(domain + ".enable", "{}");
        }
    }

    /// Opens another window of the same browser, which ends with this one.
    public Browser openWindow(Path folder) throws Exception {
        List<String> lines = Files.readAllLines(folder.resolve("profile/DevToolsActivePort"));
        var url = URI.create("http://127.0.0.1:" + lines.getFirst() + "/json/new?about:blank");
        var nothing = HttpRequest.BodyPublishers.ofString("");
        var request = HttpRequest.newBuilder(url).PUT(nothing).build();
        var text = HttpResponse.BodyHandlers.ofString();
        Matcher page = SOCKET.matcher(HttpClient.newHttpClient().send(request, text).body());
        if (!page.find()) {
            throw new IOException("chromium opens no window");
        }
        var window = new Browser(process, URI.create(page.group(1)));
        window.enable();
        return window;
    }

    /// Returns a picture of the page as it is shown, as PNG.
    public byte[] picture() throws IOException {
        Matcher data =
                Pattern.compile("\"data\":\"([^\"]*)\"")
                        .matcher(call("Page.captureScreenshot", "{\"format\":\"png\"}"));
        if (!data.find()) {
            throw new IOException("no picture");
        }
        return Base64.getDecoder().decode(data.group(1));
    }

    /// The browser writes its port into a file when it listens.
    private static URI page(Path port) throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (System.nanoTime() < end) {
            List<String> lines = Files.exists(port) ? Files.readAllLines(port) : List.of();
            if (lines.size() > 1) {
                var url = URI.create("http://127.0.0.1:" + lines.getFirst() + "/json/list");
                var request = HttpRequest.newBuilder(url).build();
                var text = HttpResponse.BodyHandlers.ofString();
                Matcher socket =
                        SOCKET.matcher(HttpClient.newHttpClient().send(request, text).body());
                if (socket.find()) {
                    return URI.create(socket.group(1));
                }
            }
            TimeUnit.MILLISECONDS.sleep(20); // another process writes it, without notification
        }
        throw new IOException("chromium has no page to look at");
    }

    /// Begins to load a page.
    public void open(String url) throws IOException {
        call("Page.navigate", "{\"url\":\"" + url + "\"}");
    }

    /// Returns the current value of a JavaScript expression.
    ///
    /// @param expression without double quotes and backslashes; of a string without them
    public String evaluated(String expression) throws IOException {
        String response =
                call(
                        "Runtime.evaluate",
                        "{\"returnByValue\":true,\"expression\":\"" + expression + "\"}");
        Matcher value = VALUE.matcher(response);
        if (!value.find()) {
            throw new IOException(expression + " is no plain string: " + response);
        }
        return value.group(1);
    }

    /// Waits until an expression has this value.
    public void await(String expression, String wanted) throws IOException, InterruptedException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        String is = evaluated(expression);
        while (!is.equals(wanted)) {
            if (System.nanoTime() > end) {
                throw new AssertionError(expression + " is " + is + ", not " + wanted);
            }
            TimeUnit.MILLISECONDS.sleep(20); // another process changes it
            is = evaluated(expression);
        }
    }

    /// Returns errors and policy violations that the page's console has shown.
    public List<String> complaints() {
        synchronized (complaints) {
            return List.copyOf(complaints);
        }
    }

    /// Calls a method of the protocol, and returns its result in JSON.
    public String call(String method, String parameters) throws IOException {
        var response = new CompletableFuture<String>();
        String id = Integer.toString(++last);
        pending.put(id, response);
        String text =
                "{\"id\":%s,\"method\":\"%s\",\"params\":%s}".formatted(id, method, parameters);
        try {
            // A response may come before the client has noted that it has sent; until then, it
            // sends nothing else.
            socket.sendText(text, true).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            return response.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IOException("chromium does not respond to " + method, e);
        }
    }

    private final class Heard implements WebSocket.Listener {
        private final StringBuilder message = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean isLast) {
            message.append(part);
            if (isLast) {
                take(message.toString());
                message.setLength(0);
            }
            from.request(1);
            return CompletableFuture.completedStage(null);
        }

        private void take(String said) {
            Matcher id = ID.matcher(said);
            CompletableFuture<String> waiting = id.find() ? pending.remove(id.group(1)) : null;
            if (waiting != null) {
                waiting.complete(said);
            }
            boolean isComplaint =
                    said.startsWith("{\"method\":\"Runtime.exceptionThrown\"")
                            || said.startsWith("{\"method\":\"Runtime.consoleAPICalled\"")
                            || said.startsWith("{\"method\":\"Log.entryAdded\"");
            if (isComplaint) {
                synchronized (complaints) {
                    complaints.add(said);
                }
            }
        }
    }

    @Override
    public void close() {
        socket.abort();
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        try {
            process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS); // it still writes its profile
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
