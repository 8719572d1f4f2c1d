package dev.tandem.engine.manage;

import dev.tandem.engine.Engine;
import dev.tandem.http.Exchange;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The console: a page that shows the server's state, and the document that it requests each second
/// while it is open. The document is made at most twice a second, for any number of viewers, and
/// never while there is none; only the samples for charts are taken in any case. Confined to the
/// management's loop.
final class Console {
    /// Allows nothing from other origins, no inline script or style, and no frame around it.
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src"
                    + " 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    /// 500 ms: a younger state is sent again.
    private static final long FRESH_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final String FILES = "/dev/tandem/engine/manage/console/";
    private static final String PAGE = "console.html";
    private static final String STYLE = "console.css";
    private static final String SCRIPT = "console.js";
    private static final String ICON = "icon.svg";

    private final Engine engine;
    private final History history = new History();
    private final String title;

    /// The page's files. Read at the start: an upgrade removes the jar in which they are.
    private final Map<String, byte[]> files = new HashMap<>();

    private byte @Nullable [] state;
    private long stateNanos;

    Console(Engine engine) {
        this.engine = engine;
        this.title =
                "\"host\":%s,\"version\":%s,\"started\":%d,"
                        .formatted(
                                ExplainPage.quoted(Host.name()),
                                ExplainPage.quoted(Host.version()),
                                TimeUnit.NANOSECONDS.toMillis(System.nanoTime()));
        for (String name : List.of(PAGE, STYLE, SCRIPT, ICON)) {
            read(name).ifPresent(content -> files.put(name, content));
        }
    }

    private static Optional<byte[]> read(String name) {
        try (InputStream in = Console.class.getResourceAsStream(FILES + name)) {
            return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
        } catch (IOException e) {
            return Optional.empty(); // the rest of the management does not need it
        }
    }

    void page(Exchange x) throws IOException {
        x.header("Content-Security-Policy", POLICY).header("Referrer-Policy", "no-referrer");
        x.contentType("text/html; charset=utf-8").send(file(PAGE));
    }

    void style(Exchange x) throws IOException {
        x.contentType("text/css; charset=utf-8").send(file(STYLE));
    }

    void script(Exchange x) throws IOException {
        x.contentType("text/javascript; charset=utf-8").send(file(SCRIPT));
    }

    void icon(Exchange x) throws IOException {
        x.contentType("image/svg+xml").send(file(ICON));
    }

    /// Files of a few kilobytes, so that none of them needs to be sent in parts.
    private byte[] file(String name) throws IOException {
        byte[] known = files.get(name);
        if (known == null) {
            throw new IOException(name + " is not among the server's files");
        }
        return known.clone(); // neither the sender nor this class may change it
    }

    void state(Exchange x) throws IOException {
        long now = System.nanoTime();
        byte[] made = state;
        if (made == null || now - stateNanos >= FRESH_NANOS) {
            made =
                    ConsoleState.of(engine, title, serverState(now), now)
                            .getBytes(StandardCharsets.US_ASCII);
            state = made;
            stateNanos = now;
        }
        x.contentType("application/json").send(made.clone());
    }

    void sample(long now) {
        history.add(Reading.of(engine, now));
    }

    /// Sends the samples after that of `after`, the time in milliseconds of the last one that the
    /// page has; without it, all.
    void history(Exchange x) throws IOException {
        long after =
                x.queryParam("after") == null
                        ? Long.MIN_VALUE
                        : x.queryParam("after", Long::parseLong);
        x.contentType("application/json")
                .send(
                        "{%s\"every\":%d,\"max\":%d,\"samples\":%s}\n"
                                .formatted(
                                        title,
                                        TimeUnit.NANOSECONDS.toMillis(History.SAMPLE_NANOS),
                                        History.SAMPLES_MAX,
                                        history.json(after)));
    }

    /// Returns the server's state, by the samples of the last seconds.
    ServerState serverState(long now) {
        return ServerState.of(
                Lifecycle.of(engine),
                history.since(now - ServerState.RECENT_NANOS),
                engine.dispatcher().admission().overdue());
    }
}
