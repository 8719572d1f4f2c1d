package dev.tandem.lab;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Takes the options of an application of Spring Boot with the starter: is unpacked, trained and
/// started by them, and responds with its own.
final class FakeApplication {
    private FakeApplication() {}

    /// @param args as of such an application
    public static void main(String[] args) throws Exception {
        List<String> words = List.of(args);
        if ("tools".equals(System.getProperty("jarmode"))) {
            Path jar = Path.of(System.getProperty("java.class.path"));
            Path folder = Files.createDirectories(Path.of(words.getLast()));
            Files.copy(jar, folder.resolve(jar.getFileName()));
            return;
        }
        boolean isTrained = words.contains("--tandem.training-paths=/page");
        if (isTrained || "onRefresh".equals(System.getProperty("spring.context.exit"))) {
            return;
        }
        int port =
                words.stream()
                        .filter(word -> word.startsWith("--server.port="))
                        .mapToInt(word -> Integer.parseInt(word.substring(14)))
                        .findFirst()
                        .orElseThrow();
        byte[] page = String.join(" ", words).getBytes(StandardCharsets.UTF_8);
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        HttpServer server = HttpServer.create(address, 0);
        server.createContext(
                "/page",
                exchange -> {
                    exchange.sendResponseHeaders(200, page.length);
                    exchange.getResponseBody().write(page);
                    exchange.close();
                });
        server.start();
    }
}
