package dev.tandem.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/// Runs the README's example unchanged.
class ExampleTest {

    @Test
    void saysHello() throws IOException {
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Process process =
                new ProcessBuilder(
                                java.toString(),
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                "../../examples/Hello.java",
                                "0")
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try {
            URI said = URI.create(process.inputReader().readLine());
            var address = new InetSocketAddress(said.getHost(), said.getPort());
            try (var client = RawClient.connect(address)) {
                client.send("GET " + said.getPath() + " HTTP/1.1\nHost: a\n\n");
                assertEquals("Hello, you\n", client.response().text());
            }
        } finally {
            process.destroyForcibly();
        }
    }
}
