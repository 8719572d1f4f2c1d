package dev.tandem.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A Firefox without a window and with a profile of its own, which a test drives by WebDriver BiDi
/// (w3c.github.io/webdriver-bidi). It accepts certificates of unknown issuers.
final class Firefox implements AutoCloseable {
    private static final List<String> NAMES = List.of("firefox-esr", "firefox");

    /// Its first start makes a profile.
    private static final int PATIENCE_SECONDS = 40;

    private static final Pattern PORT = Pattern.compile("\"ws_port\": *(\\d+)");
    private static final Pattern ID = Pattern.compile("\"id\":(\\d+)");
    private static final Pattern CONTEXT = Pattern.compile("\"context\":\"([^\"]+)\"");
    private static final Pattern VALUE =
            Pattern.compile("\"type\":\"string\",\"value\":\"([^\"\\\\]*)\"");

    /// Preferences: it contacts no other server, and asks nothing.
    private static final String PREFERENCES =
            """
            user_pref("app.normandy.enabled", false);
            user_pref("app.update.auto", false);
            user_pref("browser.safebrowsing.update.enabled", false);
            user_pref("browser.shell.checkDefaultBrowser", false);
            user_pref("datareporting.policy.dataSubmissionEnabled", false);
            user_pref("extensions.update.enabled", false);
            user_pref("network.captive-portal-service.enabled", false);
            user_pref("network.connectivity-service.enabled", false);
            user_pref("services.settings.server", "");
            user_pref("toolkit.telemetry.enabled", false);
            """;

    private final Process process;
    private final WebSocket socket;
    private final Map<Integer, CompletableFuture<String>> pending = new ConcurrentHashMap<>();
    private final String context;
    private int last;

    private Firefox(Process process, int port) throws IOException {
        this.process = process;
        try {
            var address = URI.create("ws://127.0.0.1:" + port + "/session");
            socket =
                    HttpClient.newHttpClient()
                            .newWebSocketBuilder()
                            .buildAsync(address, new Heard())
                            .get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IOException("firefox lets no test drive it", e);
        }
        call("session.new", "{\"capabilities\":{\"alwaysMatch\":{\"acceptInsecureCerts\":true}}}");
        Matcher shown = CONTEXT.matcher(call("browsingContext.getTree", "{}"));
        if (!shown.find()) {
            throw new IOException("firefox has no window");
        }
        context = shown.group(1);
    }

    /// Starts one; skips the test if the machine has none.
    ///
    /// @param folder for its profile and its log
    static Firefox start(Path folder) throws Exception {
        String program = NAMES.stream().filter(Firefox::isHere).findFirst().orElse("");
        assumeTrue(!program.isEmpty(), "skipped: needs firefox or firefox-esr");
        Path profile = Files.createDirectories(folder.resolve("firefox"));
        Files.writeString(profile.resolve("user.js"), PREFERENCES);
        var builder =
                new ProcessBuilder(
                        program,
                        "--headless",
                        "--no-remote",
                        "--profile",
                        profile.toString(),
                        "--remote-debugging-port",
                        "0",
                        "about:blank");
        builder.environment().put("HOME", folder.toString());
        builder.redirectErrorStream(true).redirectOutput(folder.resolve("firefox.log").toFile());
        Process process = builder.start();
        try {
            return new Firefox(process, port(process, profile));
        } catch (IOException | InterruptedException | RuntimeException e) {
            end(process);
            throw e;
        }
    }

    private static boolean isHere(String name) {
        for (String folder : System.getenv("PATH").split(":")) {
            if (Files.isExecutable(Path.of(folder, name))) {
                return true;
            }
        }
        return false;
    }

    /// It writes its port into a file when it listens.
    private static int port(Process process, Path profile)
            throws IOException, InterruptedException {
        Path file = profile.resolve("WebDriverBiDiServer.json");
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (process.isAlive() && System.nanoTime() - end < 0) {
            Matcher port = PORT.matcher(Files.exists(file) ? Files.readString(file) : "");
            if (port.find()) {
                return Integer.parseInt(port.group(1));
            }
            TimeUnit.MILLISECONDS.sleep(20); // another process writes it, without notification
        }
        throw new IOException("firefox does not listen");
    }

    /// Loads a page with all of its parts.
    void open(String url) throws IOException {
        call(
                "browsingContext.navigate",
                "{\"context\":\"%s\",\"url\":\"%s\",\"wait\":\"complete\"}"
                        .formatted(context, url));
    }

    /// Returns the value of a JavaScript expression, or of its promise.
    ///
    /// @param expression without double quotes and backslashes; of a string without them
    String evaluated(String expression) throws IOException {
        String response =
                call(
                        "script.evaluate",
                        "{\"expression\":\"%s\",\"target\":{\"context\":\"%s\"},\"awaitPromise\":true}"
                                .formatted(expression, context));
        Matcher value = VALUE.matcher(response);
        if (!value.find()) {
            throw new IOException(expression + " is no plain string: " + response);
        }
        return value.group(1);
    }

    private String call(String method, String parameters) throws IOException {
        var response = new CompletableFuture<String>();
        pending.put(++last, response);
        String message =
                "{\"id\":%d,\"method\":\"%s\",\"params\":%s}".formatted(last, method, parameters);
        try {
            // As in Browser: until a command is noted as sent, no other is.
            socket.sendText(message, true).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            String said = response.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (said.contains("\"type\":\"error\"")) {
                throw new IOException(method + ": " + said);
            }
            return said;
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("firefox does not respond to " + method, e);
        }
    }

    private final class Heard implements WebSocket.Listener {
        private final StringBuilder message = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence part, boolean isLast) {
            message.append(part);
            if (isLast) {
                Matcher id = ID.matcher(message);
                CompletableFuture<String> waiting =
                        id.find() ? pending.remove(Integer.parseInt(id.group(1))) : null;
                if (waiting != null) {
                    waiting.complete(message.toString());
                }
                message.setLength(0);
            }
            from.request(1);
            return CompletableFuture.completedStage(null);
        }
    }

    private static void end(Process process) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        try {
            process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS); // it still writes its profile
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        socket.abort();
        end(process);
    }
}
