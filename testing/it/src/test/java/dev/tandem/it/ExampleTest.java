package dev.tandem.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// Runs the examples unchanged.
class ExampleTest {

    /// An example that runs, and the address that it has printed.
    private record Example(Process process, URI address) implements AutoCloseable {
        static Example start(String name) throws IOException {
            Path java = Path.of(System.getProperty("java.home"), "bin", "java");
            Process process =
                    new ProcessBuilder(
                                    java.toString(),
                                    "--enable-native-access=ALL-UNNAMED",
                                    "-cp",
                                    System.getProperty("java.class.path"),
                                    "../../examples/" + name,
                                    "0")
                            .redirectError(ProcessBuilder.Redirect.INHERIT)
                            .start();
            return new Example(process, URI.create(process.inputReader().readLine()));
        }

        RawClient request(String path) throws IOException {
            RawClient client =
                    RawClient.connect(new InetSocketAddress(address.getHost(), address.getPort()));
            return client.send("GET " + path + " HTTP/1.1\nHost: a\n\n");
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }

    @Test
    void saysHello() throws IOException {
        try (Example hello = Example.start("Hello.java");
                RawClient client = hello.request(hello.address().getPath())) {
            assertEquals("Hello, you\n", client.response().text());
        }
    }

    @Test
    void sendsPrices() throws IOException {
        try (Example prices = Example.start("Prices.java");
                RawClient client = prices.request("/prices")) {
            var text = new StringBuilder();
            while (text.indexOf("event: price\ndata: ") < 0) {
                byte[] bytes = client.bytes(4096);
                assertTrue(bytes.length > 0, text::toString);
                text.append(new String(bytes, StandardCharsets.UTF_8));
            }
            assertTrue(text.toString().startsWith("HTTP/1.1 200"), text::toString);
        }
    }
}
