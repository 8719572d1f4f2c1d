package dev.tandem.it;

import dev.tandem.Server;
import dev.tandem.Tandem;
import dev.tandem.files.Folder;
import dev.tandem.http.Body;
import dev.tandem.http.Exchange;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;

/// A server in this process with a greeting, the echo of a body, and a folder's files.
final class EchoSite {
    private EchoSite() {}

    static Server start(Path folder) throws IOException {
        return Tandem.listen("127.0.0.1", 0)
                .get("/hello", x -> x.send("Hello, World!"))
                .route("*", "/echo", EchoSite::echo)
                .get("/{path...}", Folder.of(folder))
                .start();
    }

    private static void echo(Exchange x) throws IOException {
        InputStream body = x.request().body();
        x.contentType("text/plain")
                .send(new Body.Stream(x.request().contentLength(), body::transferTo));
    }
}
