package dev.tandem.cli;

import dev.tandem.Tandem;
import dev.tandem.files.Folder;
import dev.tandem.http.Exchange;
import dev.tandem.http.Form;
import dev.tandem.http.Html;
import dev.tandem.http.HttpException;
import dev.tandem.http.Part;
import dev.tandem.http.SetCookie;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The bundled site: a page, and a handler for each feature that it shows. The handlers are written
/// as a user of the library would write them. The page's files are unpacked to a temporary folder
/// and served as any folder is; closing deletes it.
final class DemoSite implements AutoCloseable {
    private static final List<String> FILES =
            List.of("index.html", "style.css", "demo.js", "count.js", "icon.svg", "alphabet.txt");

    /// Maximum duration of the clock for one client, in ticks of a second: an hour.
    private static final int TICKS_MAX = 3_600;

    private static final int LINES = 20;
    private static final int LINE_MILLIS = 150;
    private static final String VISITS = "visits";

    /// Nothing is loaded from other origins, on any page; error pages contain their style.
    private static final String POLICY = "default-src 'self'; style-src 'self' 'unsafe-inline'";

    private final Path folder;

    /// @throws IOException if the files cannot be unpacked
    DemoSite() throws IOException {
        folder = Files.createTempDirectory("tandem-demo-");
        for (String name : FILES) {
            unpack(name);
        }
    }

    /// Adds filter and routes.
    ///
    /// @return `server`
    Tandem addTo(Tandem server) {
        DemoAssets.addTo(server);
        return server.filter((x, next) -> next.handle(x.header("Content-Security-Policy", POLICY)))
                .get("/hello/{name}", x -> x.send("Hello, " + x.pathParam("name") + "!\n"))
                .get("/request", DemoSite::request)
                .post("/form", DemoSite::form)
                .post("/upload", DemoSite::upload)
                .get("/cookies", DemoSite::countVisit)
                .post("/cookies/forget", DemoSite::forgetVisits)
                .get("/clock", DemoSite::tick)
                .get("/stream", DemoSite::stream)
                .get("/redirect", x -> x.redirect("/hello/you%20came%20by%20a%20redirect"))
                .get("/gone", DemoSite::gone)
                .get("/broken", DemoSite::broken)
                .get("/{path...}", Folder.of(folder));
    }

    @Override
    public void close() throws IOException {
        for (String name : FILES) {
            Files.deleteIfExists(folder.resolve(name));
        }
        Files.deleteIfExists(folder);
    }

    /// Shows the request as the server parsed it.
    private static void request(Exchange x) throws IOException {
        var request = x.request();
        x.send(
                """
                %s %s
                path   %s
                query  %s
                from   %s
                route  %s
                id     %s

                %s\
                """
                        .formatted(
                                request.method(),
                                request.target(),
                                x.path(),
                                request.query(),
                                request.remoteAddress(),
                                x.routePattern(),
                                x.id(),
                                request.headers()));
    }

    private static void form(Exchange x) throws IOException {
        try (Form form = x.request().form()) {
            String name = form.first("name");
            if (name == null || name.isBlank()) {
                throw new HttpException(422, "the field 'name' is empty: enter a name, please");
            }
            x.html(
                    page(
                            "Thank you",
                            name.strip() + " likes " + String.join(", ", form.all("likes"))));
        }
    }

    /// Large files are on disk while they are processed, so an upload never fills memory.
    private static void upload(Exchange x) throws IOException {
        try (Form form = x.request().form()) {
            Part file = form.part("file");
            if (file == null || !file.isFile()) {
                throw new HttpException(422, "there is no file in the form");
            }
            x.send(
                    "name    %s\ntype    %s\nbytes   %,d\nsha-256 %s\n"
                            .formatted(
                                    file.fileName(),
                                    file.contentType(),
                                    file.size(),
                                    sha256(file)));
        }
    }

    private static void countVisit(Exchange x) throws IOException {
        int visits = 1 + visits(x.cookie(VISITS));
        x.cookie(
                        SetCookie.of(VISITS, Integer.toString(visits))
                                .path("/")
                                .maxAge(Duration.ofDays(7))
                                .httpOnly(true)
                                .sameSite(SetCookie.SameSite.LAX))
                .send("You were here " + visits + (visits == 1 ? " time.\n" : " times.\n"));
    }

    private static void forgetVisits(Exchange x) throws IOException {
        x.cookie(SetCookie.expired(VISITS).path("/")).redirect("/cookies");
    }

    /// Server-sent events: the worker sleeps between them, in plain blocking style.
    private static void tick(Exchange x) throws IOException, InterruptedException {
        try (var events = x.events()) {
            for (int i = 0; i < TICKS_MAX; i++) {
                events.send("tick", LocalTime.now().truncatedTo(ChronoUnit.SECONDS).toString());
                Thread.sleep(1_000);
            }
        }
    }

    /// Streams a response.
    private static void stream(Exchange x) throws IOException, InterruptedException {
        try (OutputStream out = x.contentType("text/plain; charset=utf-8").outputStream()) {
            for (int i = 1; i <= LINES; i++) {
                out.write(("line " + i + " of " + LINES + "\n").getBytes(StandardCharsets.UTF_8));
                out.flush();
                Thread.sleep(LINE_MILLIS);
            }
        }
    }

    private static void gone(Exchange x) {
        throw new HttpException(410, "this page was here once; a handler threw HttpException(410)");
    }

    private static void broken(Exchange x) {
        throw new IllegalStateException("a handler of the demo that fails on purpose");
    }

    private static String page(String title, String text) {
        return """
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <title>%1$s</title>
        <link rel="stylesheet" href="/style.css">
        <main class="small">
          <h1>%1$s</h1>
          <p>%2$s</p>
          <p><a href="/">Back</a></p>
        </main>
        """
                .formatted(Html.escape(title), Html.escape(text));
    }

    /// A client may send any cookie: anything but a small number counts as none.
    private static int visits(@Nullable String cookie) {
        boolean isNumber = cookie != null && cookie.matches("[0-9]{1,6}");
        return isNumber ? Integer.parseInt(cookie) : 0;
    }

    private static String sha256(Part file) throws IOException {
        try (var in = new DigestInputStream(file.open(), MessageDigest.getInstance("SHA-256"))) {
            in.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(in.getMessageDigest().digest());
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }

    private void unpack(String name) throws IOException {
        try (InputStream in = DemoSite.class.getResourceAsStream("demo/" + name)) {
            if (in == null) {
                throw new FileNotFoundException("demo/" + name + " is not in the jar");
            }
            Files.copy(in, folder.resolve(name));
        }
    }
}
