package dev.tandem.lab;

import dev.tandem.Tandem;
import dev.tandem.WebSocketGroup;
import dev.tandem.cgi.Cgi;
import dev.tandem.files.Folder;
import dev.tandem.http.Body;
import dev.tandem.http.EventChannel;
import dev.tandem.http.Exchange;
import dev.tandem.http.Handler;
import dev.tandem.http.HttpException;
import dev.tandem.http.WebSocket;
import dev.tandem.http.WebSocketOptions;
import dev.tandem.http.websocket.MessageLimits;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The endpoints that every compared server has, in the plain blocking style:
///
/// | path | response |
/// |---|---|
/// | `/hello` | `Hello, World!` |
/// | `/hello-loop` | the same, declared never to block |
/// | `/block?ms=N` | `ok` after a sleep of N milliseconds, 0 to 60,000; 5 by default |
/// | `/report?ms=N` | the same, as another route |
/// | `/cpu?us=N` | computes for about N microseconds, 0 to 1,000,000; 1,000 by default |
/// | `/db` | one random row of [Items], as JSON |
/// | `/echo` | the request's body, of any method, streamed |
/// | `/ws` | each message of a WebSocket session, text or binary |
/// | `/ws-stream` | the same, each read while it is received |
/// | `/live/GROUP` | each text of a WebSocket session, to all sessions of the group |
/// | `/events/GROUP` | the same texts, as server-sent events |
/// | `/cgi-bin/NAME` | the output of the program of that name, if there is a folder of them |
/// | anything else | the file of that path |
///
/// Closing it closes the database and ends the programs; stop the server first.
public final class Target implements AutoCloseable {
    static final int SLEEP_MAX_MILLIS = 60_000;

    /// A second.
    static final int CPU_MAX_MICROS = 1_000_000;

    /// Steps of a random number generator (Marsaglia's xorshift64), each dependent on the one
    /// before: about a microsecond at 3 GHz. A fixed amount of work, not of time: it takes longer
    /// on a shared processor. No compiler merges several steps into one, as it does with sums and
    /// products.
    private static final long STEPS_A_MICROSECOND = 500;

    private static final byte[] HELLO = "Hello, World!".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] OK = "ok".getBytes(StandardCharsets.US_ASCII);

    /// Programs that test servers send up to 16 MiB, in as many frames as they like.
    private static final WebSocketOptions MESSAGES =
            WebSocketOptions.DEFAULT.withLimits(new MessageLimits(16 << 20, 1 << 20));

    private final Path root;
    private final @Nullable Cgi cgi;
    private final Items items = new Items();
    private final Map<String, WebSocketGroup> groups = new ConcurrentHashMap<>();
    private final Map<String, EventChannel> channels = new ConcurrentHashMap<>();

    /// @param root the folder whose files are at `/`
    public Target(Path root) {
        this(root, null);
    }

    /// @param root the folder whose files are at `/`
    /// @param programs the folder whose programs are at `/cgi-bin/`, if there is one
    /// @throws IllegalArgumentException if that is no folder
    public Target(Path root, @Nullable Path programs) {
        this.root = root;
        this.cgi = programs == null ? null : Cgi.folder(programs);
    }

    /// Adds the routes.
    ///
    /// @return `server`
    public Tandem addTo(Tandem server) {
        if (cgi != null) {
            server.route("*", "/cgi-bin/{path...}", cgi);
        }
        return server.get("/hello", Target::hello)
                .get("/hello-loop", Handler.nonBlocking(Target::hello))
                .get("/block", Target::block)
                .get("/report", Target::block)
                .get("/cpu", Target::cpu)
                .get("/db", this::row)
                .route("*", "/echo", Target::echo)
                .webSocket("/ws", Target::echoMessages, MESSAGES)
                .webSocket("/ws-stream", Target::echoStreams, MESSAGES)
                .webSocket("/live/{group}", this::join)
                .get("/events/{group}", this::subscribe)
                .get("/{path...}", Folder.of(root));
    }

    @Override
    public void close() {
        items.close();
        if (cgi != null) {
            cgi.close();
        }
    }

    private static void echoMessages(WebSocket session) {
        session.onText(session::send);
        session.onBinary(session::send);
    }

    private static void echoStreams(WebSocket session) {
        session.onTextStream(text -> session.send(text.readAllAsString()));
        session.onBinaryStream(content -> session.send(content.readAllBytes()));
    }

    private void join(WebSocket session) {
        WebSocketGroup group =
                groups.computeIfAbsent(
                        session.pathParam("group"),
                        _ -> new WebSocketGroup(WebSocketGroup.Slow.SKIP));
        String name = session.pathParam("group");
        group.add(session);
        session.onText(
                text -> {
                    group.broadcast(text);
                    EventChannel channel = channels.get(name);
                    if (channel != null) {
                        channel.publish(text);
                    }
                });
    }

    private void subscribe(Exchange x) throws IOException {
        channels.computeIfAbsent(x.pathParam("group"), _ -> EventChannel.of()).subscribe(x);
    }

    static void hello(Exchange x) throws IOException {
        x.contentType("text/plain").send(HELLO);
    }

    private static void block(Exchange x) throws IOException, InterruptedException {
        Thread.sleep(number(x, "ms", 5, SLEEP_MAX_MILLIS));
        x.contentType("text/plain").send(OK);
    }

    private static void cpu(Exchange x) throws IOException {
        long number = compute(number(x, "us", 1_000, CPU_MAX_MICROS));
        x.contentType("text/plain")
                .send(Long.toHexString(number).getBytes(StandardCharsets.US_ASCII));
    }

    /// @return a number that cannot be known without the work
    static long compute(int micros) {
        long steps = STEPS_A_MICROSECOND * micros;
        long number = 1;
        for (long i = 0; i < steps; i++) {
            number ^= number << 13;
            number ^= number >>> 7;
            number ^= number << 17;
        }
        return number;
    }

    private void row(Exchange x) throws IOException, SQLException {
        x.json(items.random());
    }

    /// As long as the body, or in chunks where its length is not known: the body is never buffered.
    private static void echo(Exchange x) throws IOException {
        InputStream body = x.request().body();
        x.contentType("text/plain")
                .send(new Body.Stream(x.request().contentLength(), body::transferTo));
    }

    private static int number(Exchange x, String name, int fallback, int max) {
        String text = x.queryParam(name);
        if (text == null) {
            return fallback;
        }
        try {
            int number = Integer.parseInt(text);
            if (number >= 0 && number <= max) {
                return number;
            }
        } catch (NumberFormatException _) {
            // Reported below, like a number out of range.
        }
        throw new HttpException(400, name + " must be 0.." + max);
    }
}
