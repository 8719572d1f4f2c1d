package dev.tandem.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.http.Body;
import dev.tandem.http.Exchange;
import dev.tandem.http.FileStamp;
import dev.tandem.testkit.FramingCheck;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The response to every status, with every kind of body, is self-delimiting (RFC 9112, section
/// 6.3): a client can send another request on the connection, or sees it end.
@Timeout(120)
class SelfDelimitingTest {
    private static final byte[] SMALL = "content".getBytes(java.nio.charset.StandardCharsets.UTF_8);
    private static final byte[] LARGE = new byte[30_000];
    private static final List<String> KINDS =
            List.of(
                    "nothing",
                    "empty",
                    "bytes",
                    "declared",
                    "stream",
                    "flushed",
                    "long-stream",
                    "body-stream",
                    "body-length",
                    "trailer",
                    "file",
                    "failed");

    @TempDir private Path folder = Path.of("");

    private void handle(Exchange x) throws IOException {
        String kind = x.pathParam("kind");
        int status = Integer.parseInt(x.pathParam("status"));
        x.status(status);
        switch (kind) {
            case "nothing" -> {}
            case "empty" -> x.send();
            case "bytes" -> x.send(SMALL.clone());
            case "declared" -> write(x.header("Content-Length", "7").outputStream(), SMALL);
            case "stream" -> write(x.outputStream(), SMALL);
            case "flushed" -> {
                OutputStream out = x.outputStream();
                out.flush();
                write(out, SMALL);
            }
            case "long-stream" -> write(x.outputStream(), LARGE);
            case "body-stream" -> x.send(new Body.Stream(-1, out -> out.write(SMALL)));
            case "body-length" -> x.send(new Body.Stream(SMALL.length, out -> out.write(SMALL)));
            case "trailer" -> write(x.trailer("X-Sum", "7").outputStream(), SMALL);
            case "file" -> {
                Path file = folder.resolve("file");
                x.send(new Body.FileRegion(file, 0, SMALL.length, FileStamp.of(file)));
            }
            case "failed" -> throw new dev.tandem.http.HttpException(status, "as was asked for");
            default -> throw new IllegalArgumentException(kind);
        }
    }

    private static void write(OutputStream out, byte[] bytes) throws IOException {
        try (out) {
            out.write(bytes);
        }
    }

    @Test
    void everyResponseIsSelfDelimiting() throws IOException {
        Files.write(folder.resolve("file"), SMALL);
        Server server =
                Tandem.listen("127.0.0.1", 0)
                        .route("*", "/{status}/{kind}", this::handle)
                        .get("/next", x -> x.send("next"))
                        .start();
        try {
            var check = new FramingCheck(server.address(), "/next");
            int count = 0;
            for (int status = 200; status <= 599; status++) {
                boolean isSpecial = status == 204 || status == 205 || status == 304;
                for (String kind : isSpecial || status % 25 == 0 ? KINDS : List.of("bytes")) {
                    boolean isError = kind.equals("failed") && status < 400;
                    if (!isError) {
                        // An exchange without a response is 204 where no status was set.
                        boolean isUnset = kind.equals("nothing") && status == 200;
                        count += check.check("/" + status + "/" + kind, isUnset ? 204 : status);
                    }
                }
            }
            assertEquals(true, count > 5_000, "ways: " + count);
        } finally {
            server.stop(Duration.ZERO);
        }
    }
}
