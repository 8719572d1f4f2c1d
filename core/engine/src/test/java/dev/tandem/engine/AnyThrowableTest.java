package dev.tandem.engine;

import static dev.tandem.engine.http1.WireCases.get;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tandem.AccessLog;
import dev.tandem.Options;
import dev.tandem.Tandem;
import dev.tandem.http.Body;
import dev.tandem.http.Exchange;
import dev.tandem.http.Handler;
import dev.tandem.http.HttpException;
import dev.tandem.http.WebSocket;
import dev.tandem.testkit.LogCapture;
import dev.tandem.testkit.RawClient;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Every kind of throwable, thrown in every layer that runs code of an application, on a server of
/// one loop and
/// two workers: others are served as before. Languages without checked exceptions throw any of them
/// anywhere.
@Timeout(120)
class AnyThrowableTest {
    /// What is thrown.
    enum Kind {
        RUNTIME,
        ERROR,
        DEEP,
        MEMORY,
        CHECKED_IO,
        CHECKED,
        INTERRUPTED,
        BARE,
        HOSTILE,
        CYCLIC;

        /// Throws it, checked or not.
        void fail() {
            AnyThrowableTest.<RuntimeException>hide(
                    switch (this) {
                        case RUNTIME -> new IllegalStateException("on purpose");
                        case ERROR -> new AssertionError("on purpose");
                        case DEEP -> new IllegalStateException("unreachable: " + deep(0));
                        case MEMORY -> new OutOfMemoryError("on purpose");
                        case CHECKED_IO -> new IOException("on purpose");
                        case CHECKED -> new Exception("on purpose");
                        case INTERRUPTED -> new InterruptedException("on purpose");
                        case BARE -> new Throwable("on purpose");
                        case HOSTILE -> new Hostile();
                        case CYCLIC -> cyclic();
                    });
        }

        private static int deep(int depth) {
            return deep(depth + 1) + 1;
        }

        private static RuntimeException cyclic() {
            var first = new IllegalStateException("first");
            first.initCause(new IllegalStateException("second", first));
            return first;
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void hide(Throwable e) throws E {
        throw (E) e;
    }

    /// Whatever is asked of it fails.
    private static final class Hostile extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message");
        }

        @Override
        public String toString() {
            throw new IllegalStateException("no string");
        }
    }

    /// Content that fails at the first call of one method.
    private static final class FailingFeed implements Body.FeedSource {
        private final Kind kind;
        private final String where;
        private byte @Nullable [] content = new byte[1];

        FailingFeed(Kind kind, String where) {
            this.kind = kind;
            this.where = where;
        }

        private void failIf(String method) {
            if (method.equals(where)) {
                kind.fail();
            }
        }

        @Override
        public void begin(Body.FeedOutput to) {
            failIf("begin");
        }

        @Override
        public byte @Nullable [] next() {
            failIf("next");
            byte[] piece = content;
            content = null;
            return piece;
        }

        @Override
        public boolean isOver() {
            failIf("over");
            return !where.equals("gone");
        }

        @Override
        public boolean isTooFarBehind() {
            return false;
        }

        @Override
        public long silenceMaxNanos() {
            failIf("silence");
            return 0;
        }

        @Override
        public byte[] filler() {
            return new byte[1];
        }

        @Override
        public void end() {}

        @Override
        public void close() {
            failIf("close");
            failIf("gone");
        }
    }

    private static final byte[] TEXT_FRAME = {(byte) 0x81, (byte) 0x81, 0, 0, 0, 0, 'x'};
    private static final byte[] CLOSE_FRAME = {(byte) 0x88, (byte) 0x80, 0, 0, 0, 0};

    private static Served served;
    private static LogCapture log;

    @BeforeAll
    static void start() {
        log = LogCapture.of("dev.tandem");
        served =
                Served.on(
                        Networks.plain().getFirst().getPayload(),
                        Options.DEFAULT.withThreads(
                                t -> t.withLoops(1).withWorkersMax(2).withWorkersMin(2)),
                        AnyThrowableTest::routes);
    }

    @AfterAll
    static void stop() throws IOException {
        served.close();
        log.close();
    }

    private static Tandem routes(Tandem tandem) {
        return tandem.get("/worker/{kind}", x -> kind(x).fail())
                .get("/loop/{kind}", Handler.nonBlocking(x -> kind(x).fail()))
                .get("/begun/{kind}", AnyThrowableTest::failWhileSending)
                .get("/page/{kind}", AnyThrowableTest::reject)
                .get("/loop-page/{kind}", Handler.nonBlocking(AnyThrowableTest::reject))
                .get("/log/{kind}", x -> x.send("logged"))
                .get("/loop-log/{kind}", Handler.nonBlocking(x -> x.send("logged")))
                .get("/feed/{where}/{kind}", AnyThrowableTest::feed)
                .filter("/filter", (x, _) -> kind(x).fail())
                .get("/filter/{kind}", x -> x.send("unreachable"))
                .webSocket("/open/{kind}", session -> kind(session.exchange()).fail())
                .webSocket("/message/{kind}", AnyThrowableTest::failOnText)
                .webSocket("/end/{kind}", AnyThrowableTest::failOnClose)
                .errorPage(AnyThrowableTest::page)
                .accessLog(AnyThrowableTest::log);
    }

    private static Kind kind(Exchange x) {
        return kind(x.path());
    }

    private static Kind kind(String path) {
        return Kind.valueOf(path.substring(path.lastIndexOf('/') + 1));
    }

    private static void reject(Exchange x) {
        throw new HttpException(403, "no");
    }

    private static void page(Exchange x, String message) throws IOException {
        if (x.path().contains("page/")) {
            kind(x).fail();
        }
        x.send(message);
    }

    private static void log(AccessLog.Entry entry) {
        if (entry.target().contains("log/")) {
            kind(entry.target()).fail();
        }
    }

    private static void failWhileSending(Exchange x) throws IOException {
        x.outputStream().write(new byte[100_000]);
        kind(x).fail();
    }

    private static void feed(Exchange x) throws IOException {
        x.send(new Body.Feed(new byte[0], new FailingFeed(kind(x), x.pathParam("where"))));
    }

    private static void failOnText(WebSocket session) {
        Kind kind = kind(session.exchange());
        session.onText(_ -> kind.fail());
    }

    private static void failOnClose(WebSocket session) {
        Kind kind = kind(session.exchange());
        session.onClose(_ -> kind.fail());
    }

    @ParameterizedTest
    @EnumSource
    void othersAreServedAsBefore(Kind kind) throws IOException {
        for (String layer :
                List.of(
                        "worker",
                        "loop",
                        "begun",
                        "page",
                        "loop-page",
                        "log",
                        "loop-log",
                        "filter",
                        "feed/begin",
                        "feed/next",
                        "feed/over",
                        "feed/silence",
                        "feed/close")) {
            try (RawClient client = served.client()) {
                client.send(
                        get("/" + layer + '/' + kind).replace("\n\n", "\nConnection: close\n\n"));
                client.restOrCut();
            }
            assertServed(layer);
        }
        if (kind != Kind.MEMORY) { // which has the loop close others, sometime after the client
            try (RawClient client = served.client()) {
                byte[] _ = client.send(get("/feed/gone/" + kind)).bytes("HTTP/1.1 200 OK".length());
            }
            assertServed("feed/gone");
        }
        for (String layer : List.of("open", "message", "end")) {
            try (RawClient client = served.client()) {
                client.send(
                        get("/" + layer + '/' + kind)
                                .replace(
                                        "\n\n",
                                        "\n"
                                            + "Connection: Upgrade\n"
                                            + "Upgrade: websocket\n"
                                            + "Sec-WebSocket-Version: 13\n"
                                            + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\n\n"));
                client.send(TEXT_FRAME);
                client.send(CLOSE_FRAME);
                client.restOrCut();
            }
            assertServed(layer);
        }
        served.awaitConnections(0);
    }

    private static void assertServed(String layer) throws IOException {
        for (String path : List.of("/hello", "/now")) {
            try (RawClient client = served.client()) {
                assertEquals(200, client.send(get(path)).response().status(), layer);
            }
        }
    }
}
